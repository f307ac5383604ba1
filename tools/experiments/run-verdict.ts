/** What each run of an experiment was worth: its verdict and its dropped sessions, printed beside what it shows. */
import pc from 'picocolors';
import { visible } from '../base/terminal-text.ts';
import type { Analysis } from '../verdict/analyse.ts';
import type { Status } from '../verdict/judge.ts';
import { plural } from '../verdict/rule.ts';

export interface RunVerdict {
  /** Which of the experiment's runs, such as `cold`. */
  readonly run: string;
  readonly verdict: Status;
  /** Sessions that finished, and that were dropped because no VU was free. */
  readonly finished: number;
  readonly dropped: number;
  /** Reasons that speak against the test; notes are left out. */
  readonly reasons: readonly { readonly rule: string; readonly severity: string; readonly message: string }[];
}

/** From the analyses of one run (or its repetitions). Pure. */
export function runVerdict(run: string, { verdict, facts }: Pick<Analysis, 'verdict' | 'facts'>): RunVerdict {
  return {
    run,
    verdict: verdict.status,
    ...facts.iterations,
    reasons: verdict.reasons
      .filter(({ severity }) => severity !== 'note')
      .map(({ rule, severity, message }) => ({ rule, severity, message })),
  };
}

/** Whether the run is known to have carried the load that was meant: a run that dropped sessions is another experiment. */
export function isSound({ verdict, dropped }: RunVerdict): boolean {
  return verdict !== 'INVALID' && verdict !== 'UNPROVEN' && dropped === 0;
}

/** A line for each run, with the reasons below it. */
export function printRunVerdicts(runs: readonly RunVerdict[]): string {
  const lines = runs.flatMap((one) => {
    const { run, verdict, finished, dropped, reasons } = one;
    const head = `${run}: ${verdict}, ${plural(finished, 'session')} finished, ${dropped.toLocaleString('en-US')} dropped`;
    return [
      isSound(one) ? `  ${head}` : pc.red(`  ${head}: not the load that was meant`),
      ...reasons.map(({ severity, message }) => `    ${severity}: ${visible(message)}`),
    ];
  });
  return `${pc.bold('Verdict on each run:')}\n${lines.join('\n')}\n`;
}
