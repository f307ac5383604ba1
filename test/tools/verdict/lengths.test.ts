/** One definition of how long load was sent, wherever a rate or a needed length is said; and what --by must not change. */
import { expect, it } from 'vitest';
import { reportHtml } from '../../../tools/report/html.ts';
import { reportMarkdown } from '../../../tools/report/markdown.ts';
import { type Analysis, analyse } from '../../../tools/verdict/analyse.ts';
import { readSide } from '../../../tools/verdict/compare/side.ts';
import { secondsOf } from '../../../tools/verdict/load-window.ts';
import { quantileOf } from '../../../tools/verdict/populations.ts';
import { printAnalysis } from '../../../tools/verdict/print.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1_795_982_260_000;
const SESSIONS = 100;
/** A session begins every 100 ms and lasts 5 s: 9.9 s from the first begin to the last, 5 s more until the last end. */
const LOAD = 9.9;

function iteration(begin: number, phase: string): string {
  return `iteration_duration,${begin + 5000},5000.000000,,,,,,,,,browse,,,,,,phase=${phase},\n`;
}

/** Setup requests three seconds before, warm-up for two, then the load; the second request of a session is its last. */
function samples(): string {
  const setup = Array.from({ length: 4 }, (_, i) =>
    requestRows(START - 6000 + i, 7, { name: 'pre-flight', scenario: '' }).replaceAll(',true,,', ',true,::setup,'),
  );
  const warm = Array.from({ length: 21 }, (_, i) => {
    const begin = START - 2000 + i * 100;
    return requestRows(begin + 5, 5, { extra: 'phase=warmup' }) + iteration(begin, 'warmup');
  });
  const load = Array.from({ length: SESSIONS }, (_, i) => {
    const begin = START + i * 100;
    const extra = `phase=measure&team=${i % 2 === 0 ? 'red' : 'blue'}`;
    const status = i % 4 === 0 ? 503 : 200;
    // The blue team's answers are slower, so that one team's median is not that of all.
    const ms = (i % 2 === 0 ? 5 : 50) + (i % 10);
    return (
      requestRows(begin + 60, ms, { extra, status }) +
      requestRows(begin + 5000, ms, { extra, name: 'GET /end' }) +
      iteration(begin, 'measure')
    );
  });
  return made('samples.csv', `${HEADER}\n${[...setup, ...warm, ...load].join('')}`);
}

it('load lasts from the begin of the first session to that of the last, and lengths are reckoned by it', async () => {
  const { facts } = await analyse({ paths: [samples()] });
  expect(facts.window.loadSeconds).toBeCloseTo(LOAD, 6);
  expect(facts.window.seconds).toBeCloseTo(6 + LOAD + 5, 2);
  const need = (endpoint: string, phase: string) =>
    quantileOf(
      facts.populations.find((one) => one.endpoint === endpoint && one.phase === phase && one.statusClass === '2xx'),
      0.99,
    )?.needSeconds;
  // A p99 needs 1,000 samples: ten times the hundred that 9.9 s brought.
  expect(need('GET /end', 'measure')).toBe(Math.ceil(LOAD * 10));
  // Warm-up: 21 in 2 s. Setup sends what it sends, however long the test.
  expect(need('GET /api/books', 'warmup')).toBe(Math.ceil((1000 / 21) * 2));
  expect(need('pre-flight', 'setup')).toBeUndefined();
});

it('text, report and Markdown say the same length and the same window', async () => {
  const analysis = await analyse({ paths: [samples()] });
  const texts = [printAnalysis(analysis), reportHtml(analysis, undefined), reportMarkdown(analysis)];
  for (const text of texts) expect(text).toContain('99 s');
  for (const text of texts.slice(0, 2)) expect(text).toContain('20.9 s (9.9 s of load)');
  expect(texts[0]).not.toMatch(/\(\d+(\.\d+)?\) {2}/);
});

it('compare reckons by the same window', async () => {
  expect((await readSide([samples()])).seconds).toBeCloseTo(LOAD, 6);
});

it('statuses are those of the measured phase, setup and warm-up left out', async () => {
  const { facts } = await analyse({ paths: [samples()] });
  expect(facts.byStatus.map(({ statusClass, n }) => [statusClass, n])).toEqual([
    ['200', 2 * SESSIONS - 25],
    ['503', 25],
  ]);
});

it('--by splits populations and changes nothing else', async () => {
  const path = samples();
  const [plain, split] = [await analyse({ paths: [path] }), await analyse({ paths: [path], by: ['team'] })];
  const rest = ({ verdict, facts: { populations, by, ...facts } }: Analysis) => ({ verdict, facts });
  expect(rest(split)).toEqual(rest(plain));
  expect(plain.verdict.reasons.map(({ rule }) => rule)).toContain('error-heavy');
  expect(split.facts.populations.length).toBeGreaterThan(plain.facts.populations.length);
  expect(printAnalysis(split)).toMatch(/^ {2}endpoint +team +class +n /m);
  expect(printAnalysis(split, true)).toMatch(/^ {2}endpoint +team +class +phase +n /m);
  expect(reportHtml(split, undefined)).toContain('<th scope="col">endpoint</th><th scope="col">team</th>');
});

it('a single request has no pace', async () => {
  const { facts } = await analyse({ paths: [made('one.csv', `${HEADER}\n${requestRows(START, 5)}`)] });
  expect(quantileOf(facts.populations[0], 0.99)).not.toHaveProperty('needSeconds');
});

it('sessions that are few, or begin at once and last, leave the word to requests', () => {
  expect(secondsOf({ n: 100, seconds: 60 }, { n: 500, seconds: 71 })).toBe(60);
  expect(secondsOf({ n: 5, seconds: 60 }, { n: 500, seconds: 71 })).toBe(71);
  expect(secondsOf({ n: 100, seconds: 1 }, { n: 500, seconds: 71 })).toBe(71);
  expect(secondsOf(undefined, { n: 500, seconds: 71 })).toBe(71);
  expect(secondsOf({ n: 100, seconds: 60 }, undefined)).toBe(60);
});
