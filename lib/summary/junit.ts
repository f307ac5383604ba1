/** Thresholds as a JUnit file, the form in which CI systems take test results. */
import { GUARD } from '../plan/objectives.ts';
import type { SummaryData } from './data.ts';
import { nothingSent } from './due.ts';
import { thresholdRows, tooFew } from './populations.ts';

/** The case that fails when a run sent nothing. */
export const SENT_CASE = 'load was sent';

/** @param stopped the run ended before its time */
export function junitXml(data: SummaryData, name: string, stopped = false): string {
  if (nothingSent(data)) return unsent(data, name);
  const rows = thresholdRows(data, stopped);
  const seconds = (data.state.testRunDurationMs / 1000).toFixed(3);
  const failures = rows.filter((row) => !row.ok).length;
  const skipped = rows.filter((row) => row.ok && !row.seen).length;
  const cases = rows.map(({ metric, expression, ok, actual, seen, few }) => {
    const open = `    <testcase classname="${xml(metric)}" name="${xml(expression)}"`;
    if (ok && !seen) return `${open}><skipped message="no samples: not judged"/></testcase>`;
    // Still a pass: k6 judged it so; a reader is told on how little.
    const note = few && `\n      <system-out>${xml(tooFew(few))}</system-out>`;
    if (ok) return note ? `${open}>${note}\n    </testcase>` : `${open}/>`;
    const empty = Object.values<string>(GUARD).includes(expression);
    const message = empty ? 'no samples' : `crossed${actual === undefined ? '' : `: was ${actual}`}`;
    return `${open}>\n      <failure message="${xml(message)}">${xml(`${metric} ${expression}`)}</failure>${note ?? ''}\n    </testcase>`;
  });
  const counts = `tests="${rows.length}" failures="${failures}" skipped="${skipped}" time="${seconds}"`;
  return documentOf(name, counts, cases);
}

/** No objective was judged, so none is listed; but a file without a failure would be a green one. */
function unsent({ state }: SummaryData, name: string): string {
  const error = `    <testcase classname="run" name="${SENT_CASE}"><error message="nothing was sent: no objective was judged"/></testcase>`;
  const seconds = (state.testRunDurationMs / 1000).toFixed(3);
  return documentOf(name, `tests="1" failures="0" errors="1" skipped="0" time="${seconds}"`, [error]);
}

function documentOf(name: string, counts: string, cases: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(name)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Text in XML; characters that XML 1.0 does not allow become U+FFFD. */
function xml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '\uFFFD')
    .replace(/[&<>"']/g, (character) => names[character] as string);
}
