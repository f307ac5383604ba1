/** Thresholds as a JUnit file, the form in which CI systems take test results. */
import { type JunitCase, junitDocument } from '../model/junit.ts';
import { GUARD } from '../plan/objectives.ts';
import type { SummaryData } from './data.ts';
import { nothingSent } from './planned-load.ts';
import { type ThresholdRow, thresholdRows, tooFew } from './populations.ts';

/** The case that fails when a run sent nothing. */
export const SENT_CASE = 'load was sent';

/** No objective was judged, so none is listed; but a file without a failure would be a green one. */
const UNSENT: JunitCase = {
  classname: 'run',
  name: SENT_CASE,
  outcome: { kind: 'error', message: 'nothing was sent: no objective was judged' },
};

/** @param stopped the run ended before its time */
export function junitXml(data: SummaryData, name: string, stopped = false): string {
  const cases = nothingSent(data) ? [UNSENT] : thresholdRows(data, stopped).map(caseOf);
  return junitDocument([{ name, cases, seconds: data.state.testRunDurationMs / 1000 }]);
}

function caseOf(row: ThresholdRow): JunitCase {
  const { metric, expression, few } = row;
  // On few samples still a pass: k6 judged it so; a reader is told on how little.
  return { classname: metric, name: expression, ...outcomeOf(row), ...(few && { note: tooFew(few) }) };
}

function outcomeOf({ metric, expression, ok, actual, seen }: ThresholdRow): Pick<JunitCase, 'outcome'> {
  if (ok) return seen ? {} : { outcome: { kind: 'skipped', message: 'no samples: not judged' } };
  const empty = Object.values<string>(GUARD).includes(expression);
  const message = empty ? 'no samples' : `crossed${actual === undefined ? '' : `: was ${actual}`}`;
  return { outcome: { kind: 'failure', message, text: `${metric} ${expression}` } };
}
