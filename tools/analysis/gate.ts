/** `gate`: objectives alone, for a CI. An objective that saw nothing never passes; one inside its interval is not decided. */
import pc from 'picocolors';
import { EXIT } from '../exit-codes.ts';
import { visibleAll } from '../terminal-text.ts';
import type { Analysis } from './analyse.ts';
import type { ObjectiveResult } from './objectives/decide.ts';
import { printObjectives } from './print.ts';

export const GATE_SCHEMA_VERSION = 1;

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
  /** Endpoints that were requested and that no objective names. */
  readonly unasserted: readonly string[];
}

/** Draws the gate's result from an analysis. Pure. */
export function gate(analysis: Analysis, undecided: UndecidedPolicy): GateResult {
  const { objectives, verdict, facts } = analysis;
  const count = (outcome: ObjectiveResult['outcome']) => objectives.filter((one) => one.outcome === outcome).length;
  const named = new Set(objectives.map((one) => /[{,]\s*name:([^,}]*(?:\}[^,}]*)*)/.exec(one.key)?.[1]?.trim()));
  const general = objectives.some((one) => !one.key.includes('name:'));
  const unasserted = general
    ? []
    : facts.endpoints
        .map((endpoint) => endpoint.name)
        .filter((name) => ![...named].some((key) => key !== undefined && (key === name || key.startsWith(name))));
  const base = { schemaVersion: GATE_SCHEMA_VERSION, test: verdict.status, objectives, unasserted } as const;
  const refuse = (why: string) => ({ ...base, result: 'not decided' as const, exitCode: EXIT.noVerdict, why });
  const fail = (why: string) => ({ ...base, result: 'failed' as const, exitCode: EXIT.thresholds, why });
  if (objectives.length === 0) return refuse('nothing was asserted: no objective was given');
  if (count('crossed') > 0) {
    const also = verdict.status === 'INVALID' ? '; the test itself is invalid' : '';
    return fail(`${count('crossed')} of ${objectives.length} objectives were crossed${also}`);
  }
  if (count('no samples') > 0)
    return refuse(`${count('no samples')} objectives saw no samples: what saw nothing cannot pass`);
  if (verdict.status === 'INVALID') return refuse('the test is invalid, so its objectives decide nothing');
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

export function printGate(found: GateResult): string {
  const result = visibleAll(found);
  const colour = result.result === 'passed' ? pc.green : result.result === 'failed' ? pc.red : pc.yellow;
  const lines = [
    `${pc.bold('Gate:')} ${pc.bold(colour(result.result))}: ${result.why}. Test: ${result.test}.`,
    ...printObjectives(result.objectives),
  ];
  if (result.unasserted.length > 0) lines.push(`Without an objective: ${result.unasserted.join(', ')}`);
  return `${lines.join('\n')}\n`;
}
