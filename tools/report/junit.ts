/** The verdict and the objectives as JUnit XML: what every CI shows. */

import { type JunitCase, junitDocument } from '../../lib/model/junit.ts';
import type { Analysis } from '../verdict/analyse.ts';
import type { ObjectiveResult } from '../verdict/objectives/decide.ts';

/** What a test case of an objective holds. */
const KINDS = { kept: undefined, crossed: 'failure', undecided: 'skipped', 'no samples': 'error' } as const;

/**
 * A suite for the test itself and one for the objectives, as the exit code has them: what is undecided is skipped with its
 * reason and fails nothing (an unproven test too), errors are what could not be judged (an invalid test, an objective without samples: exit code 3).
 */
export function reportJunit({ verdict, objectives }: Analysis): string {
  const grave = verdict.reasons.filter((reason) => reason.severity === 'invalid');
  const unknown = verdict.missing.map(({ fact, bring }) => `not known: ${fact}; bring it with ${bring}.`).join(' ');
  const test: JunitCase = {
    classname: 'test',
    name: `verdict ${verdict.status}`,
    ...(grave.length > 0
      ? { outcome: { kind: 'error', message: grave.map((reason) => reason.message).join(' ') } }
      : verdict.status === 'UNPROVEN' && { outcome: { kind: 'skipped', message: unknown } }),
  };
  return junitDocument([
    { name: 'validity of the test', cases: [test] },
    { name: 'objectives', cases: objectives.map(objectiveCase) },
  ]);
}

function objectiveCase({ key, expression, outcome, value, n, why }: ObjectiveResult): JunitCase {
  const kind = KINDS[outcome];
  const message = `${outcome}: value ${value ?? 'none'}, n ${n}${why === undefined ? '' : `; ${why}`}`;
  return { classname: key, name: expression, ...(kind !== undefined && { outcome: { kind, message } }) };
}
