/**
 * What must be known before a test may be called VALID: how it ended, what was planned, whether iterations threw, whether the
 * samples are whole. Each fact that is not there has one option that brings it.
 */
import { METRICS } from '../../lib/model/names.ts';
import type { Facts } from './facts.ts';

export interface Missing {
  /** The fact, in words. */
  readonly fact: string;
  /** Rules that could have made the test INVALID by it, and were not judged. */
  readonly rules: readonly string[];
  /** What brings it. */
  readonly bring: string;
}

interface Proof extends Missing {
  readonly known: (facts: Facts) => boolean;
}

const CONSOLE = '--log FILE with what k6 prints: k6 run … 2>&1 | tee FILE';

/** Whether something tells how k6 ended: its exit code, its own words, or a summary beside a log without complaints. */
export function endingKnown({ run, log, summaryRead }: Facts): boolean {
  if (run?.exitCode !== undefined || run?.cutOff === true) return true;
  if (log === undefined) return false;
  return log.endedBy !== undefined || log.console !== undefined || summaryRead === true;
}

const PROOFS: readonly Proof[] = [
  { fact: 'how the run ended', rules: ['run-ended'], bring: CONSOLE, known: endingKnown },
  {
    fact: 'the planned load',
    rules: ['stopped-early', 'rate-achieved', 'accounting', 'scenarios-replaced'],
    bring: `--plan rate=…,duration=…,maxVUs=…, or ${CONSOLE}`,
    known: ({ plan }) => plan !== undefined,
  },
  {
    fact: 'whether iterations threw and options were ignored',
    rules: ['iterations-throwing', 'options-ignored'],
    bring: "--log FILE with k6's standard error: k6 run … 2>FILE",
    known: ({ log, counters, run, requests }) => {
      if (log !== undefined) {
        const { withoutErrors = false, logged = true } = log.console ?? {};
        // k6 warns of each request without an answer: where it did not, its standard error is not here.
        return !withoutErrors && (logged || (requests.noAnswer ?? 0) === 0);
      }
      // The suite counts its own exceptions, and its options were checked when it was built.
      return counters[METRICS.flowErrors] !== undefined && run !== undefined;
    },
  },
  {
    fact: 'raw samples',
    rules: ['damaged-file'],
    bring: 'the samples of the run: k6 run --out csv=samples.csv …',
    known: ({ summaryOnly }) => !summaryOnly,
  },
  {
    fact: 'whether the samples are whole',
    rules: ['samples-whole'],
    bring: CONSOLE,
    known: ({ summaryOnly, log, run, summaryRead }) =>
      summaryOnly || log?.console?.finished !== undefined || run?.exitCode !== undefined || summaryRead === true,
  },
];

/** What is missing of these facts; empty when the verdict can be VALID. */
export function missingOf(facts: Facts): Missing[] {
  return PROOFS.filter(({ known }) => !known(facts)).map(({ known: _, ...missing }) => missing);
}
