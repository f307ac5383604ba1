/** `gate`: objectives alone, for a CI. An objective that saw nothing never passes; one inside its interval is not decided. */
import pc from 'picocolors';
import { parseMetricKey } from '../../lib/k6/metric-key.ts';
import { EXIT } from '../base/exit-codes.ts';
import { visibleAll, wrapped } from '../base/terminal-text.ts';
import type { Analysis } from './analyse.ts';
import type { ObjectiveResult } from './objectives/decide.ts';
import { assertsNothing } from './objectives/parse.ts';
import { printObjectives } from './print.ts';

/** 2: `missing`, and the test may be UNPROVEN. 3: an objective is `kept` (was: `passed`). */
export const GATE_SCHEMA_VERSION = 3;

/** What to make of an objective that the samples cannot decide. */
export type UndecidedPolicy = 'refuse' | 'fail' | 'pass';

export interface GateResult {
  readonly schemaVersion: typeof GATE_SCHEMA_VERSION;
  readonly result: 'passed' | 'failed' | 'not decided';
  readonly exitCode: number;
  /** One sentence. */
  readonly why: string;
  readonly test: Analysis['verdict']['status'];
  readonly objectives: readonly ObjectiveResult[];
  /** Rules of the verdict that could not be judged: what `test` does not speak of. */
  readonly notJudged: readonly string[];
  /** Facts without which no test is VALID. */
  readonly missing: Analysis['verdict']['missing'];
  /** No raw samples were given. */
  readonly fromSummary: boolean;
  /** Endpoints that were requested and that no objective names. */
  readonly unasserted: readonly string[];
}

const tagsOf = ({ key }: ObjectiveResult): Readonly<Record<string, string>> => {
  const parsed = parseMetricKey(key);
  return 'fault' in parsed ? {} : parsed.tags;
};

/**
 * Draws the gate's result from an analysis. Pure.
 * @param acceptUnproven lets a test pass of which facts are missing, as long as nothing speaks against it
 */
export function gate(analysis: Analysis, undecided: UndecidedPolicy, acceptUnproven = false): GateResult {
  const { objectives, verdict, facts } = analysis;
  const count = (outcome: ObjectiveResult['outcome']) => objectives.filter((one) => one.outcome === outcome).length;
  const named = new Set(objectives.map(tagsOf).map((tags) => tags['name']));
  const general = objectives.some((one) => /^(http|duration)_/.test(one.key) && !('name' in tagsOf(one)));
  const unasserted = general ? [] : facts.endpoints.map((endpoint) => endpoint.name).filter((name) => !named.has(name));
  const base = {
    schemaVersion: GATE_SCHEMA_VERSION,
    test: verdict.status,
    objectives,
    notJudged: verdict.notJudged.map((one) => one.rule),
    missing: verdict.missing,
    fromSummary: facts.summaryOnly,
    unasserted,
  } as const;
  const refuse = (why: string) => ({ ...base, result: 'not decided' as const, exitCode: EXIT.noVerdict, why });
  const fail = (why: string) => ({ ...base, result: 'failed' as const, exitCode: EXIT.thresholds, why });
  if (objectives.length === 0) return refuse('nothing was asserted: no objective was given');
  const asserting = objectives.filter(({ expression }) => !assertsNothing(expression));
  if (asserting.length === 0) return refuse('nothing was asserted: every value keeps the objectives that were given');
  const unseen = asserting.filter(({ outcome }) => outcome === 'no samples').length;
  if (unseen > 0 && count('crossed') === 0)
    return refuse(`${unseen} objectives saw no samples: what saw nothing cannot pass`);
  // What an invalid test shows is not the system's doing, for better or worse.
  if (verdict.status === 'INVALID') {
    const also = count('crossed') > 0 ? ` (${count('crossed')} of ${objectives.length} were crossed in it)` : '';
    return refuse(`the test is invalid, so its objectives decide nothing${also}`);
  }
  if (count('crossed') > 0) return fail(`${count('crossed')} of ${objectives.length} objectives were crossed`);
  // A reason to be suspicious of a test proves nothing of it, so that a SUSPECT one needs its facts as well.
  if (verdict.missing.length > 0 && !acceptUnproven) {
    const facts = verdict.missing.map(({ fact, bring }) => `${fact} (${bring})`);
    return refuse(
      `the test is unproven, for it is not known: ${facts.join('; ')}. --accept-unproven passes it as it is`,
    );
  }
  if (count('undecided') > 0 && undecided !== 'pass') {
    const why = `${count('undecided')} of ${objectives.length} objectives cannot be decided by these samples`;
    return undecided === 'fail' ? fail(`${why} (--undecided fail)`) : refuse(why);
  }
  const open = count('undecided');
  return {
    ...base,
    result: 'passed',
    exitCode: EXIT.ok,
    why:
      open === 0
        ? `all ${objectives.length} objectives were kept`
        : `${objectives.length - open} objectives were kept, ${open} undecided ones let pass`,
  };
}

/** @param all objectives too that were kept */
export function printGate(found: GateResult, all = false): string {
  const result = visibleAll(found);
  const colour = result.result === 'passed' ? pc.green : result.result === 'failed' ? pc.red : pc.yellow;
  const limited = result.fromSummary
    ? ` as far as a summary tells (${result.notJudged.length} rules need raw samples or the plan: ${result.notJudged.join(', ')})`
    : '';
  const lines = [
    ...wrapped(`${result.result}: ${result.why}. Test: ${result.test}${limited}.`, 'Gate: ').map((line, index) =>
      index === 0
        ? line.replace(`Gate: ${result.result}`, `${pc.bold('Gate:')} ${pc.bold(colour(result.result))}`)
        : line,
    ),
    ...printObjectives(result.objectives, all),
  ];
  if (result.unasserted.length > 0)
    lines.push(...wrapped(result.unasserted.join(', '), 'Without an objective: ', '  '));
  return `${lines.join('\n')}\n`;
}
