/** The verdict and the objectives as JUnit XML: what every CI shows. */

import { escapeHtml as x } from '../base/escape.ts';
import type { Analysis } from '../verdict/analyse.ts';
import type { Outcome } from '../verdict/objectives/decide.ts';

/** What a test case of an objective holds. */
const ELEMENTS: Readonly<Partial<Record<Outcome, string>>> = {
  crossed: 'failure',
  undecided: 'skipped',
  'no samples': 'error',
};

/**
 * A suite for the test itself and one for the objectives, as the exit code has them: what is undecided is skipped with its
 * reason and fails nothing, errors are what could not be judged (an invalid test, an objective without samples: exit code 3).
 */
export function reportJunit({ verdict, objectives }: Analysis): string {
  const grave = verdict.reasons.filter((reason) => reason.severity === 'invalid');
  const test = `  <testsuite name="validity of the test" tests="1" failures="0" errors="${grave.length > 0 ? 1 : 0}">
    <testcase classname="test" name="verdict ${verdict.status}">${grave.length > 0 ? `<error message="${x(grave.map((reason) => reason.message).join(' '))}"/>` : ''}</testcase>
  </testsuite>`;
  const failed = objectives.filter((one) => one.outcome === 'crossed');
  const empty = objectives.filter((one) => one.outcome === 'no samples');
  const open = objectives.filter((one) => one.outcome === 'undecided');
  const cases = objectives.map((one) => {
    const said = `${one.outcome}: value ${one.value ?? 'none'}, n ${one.n}${one.why === undefined ? '' : `; ${one.why}`}`;
    const element = ELEMENTS[one.outcome];
    const body = element === undefined ? '' : `<${element} message="${x(said)}"/>`;
    return `    <testcase classname="${x(one.key)}" name="${x(one.expression)}">${body}</testcase>`;
  });
  const suite = `  <testsuite name="objectives" tests="${objectives.length}" failures="${failed.length}" errors="${empty.length}" skipped="${open.length}">\n${cases.join('\n')}\n  </testsuite>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${test}\n${suite}\n</testsuites>\n`;
}
