/** A run of two days: more seconds than a call has room for arguments, which is where long runs once crashed. */
import { expect, it } from 'vitest';
import { chartData } from '../../../tools/report/data.ts';
import { reportHtml } from '../../../tools/report/html.ts';
import { withSamples } from '../../../tools/verdict/analyse.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1_795_982_260_000;
const SECONDS = 48 * 3600;

/** VUs every second, as k6 writes them, and a request every ten. */
function samples(): string {
  const rows = Array.from({ length: SECONDS + 1 }, (_, second) => {
    const at = START + second * 1000;
    const request = second % 10 === 0 ? requestRows(at, 5 + (second % 40)) : '';
    return `vus,${at},2.000000,,,,,,,,,,,,,,,,\n${request}`;
  });
  return made('samples.csv', `${HEADER}\n${rows.join('')}`);
}

it('48 hours are judged, and drawn', { timeout: 60_000 }, async () => {
  await withSamples({ paths: [samples()] }, async (database, analysis) => {
    expect(analysis.facts.window.seconds).toBeCloseTo(SECONDS, 0);
    expect(analysis.facts.requests.n).toBe(SECONDS / 10 + 1);
    expect(analysis.facts.vus).toHaveLength(SECONDS + 1);
    expect(analysis.verdict.status).toBe('UNPROVEN');
    if (database === undefined) throw new Error('samples need a database');
    expect(reportHtml(analysis, await chartData(database, analysis))).toContain('</html>');
  });
});
