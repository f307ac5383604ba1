/** Values of query strings reach nothing that is printed or written. */
import { beforeAll, describe, expect, it } from 'vitest';
import { chartData } from '../../../tools/report/data.ts';
import { reportHtml } from '../../../tools/report/html.ts';
import { reportJunit } from '../../../tools/report/junit.ts';
import { reportMarkdown } from '../../../tools/report/markdown.ts';
import { type Analysis, withSamples } from '../../../tools/verdict/analyse.ts';
import { notComparable } from '../../../tools/verdict/compare/comparable.ts';
import { compareSides } from '../../../tools/verdict/compare/compare.ts';
import { neededLengths, printLengths } from '../../../tools/verdict/compare/needed-length.ts';
import { printComparison } from '../../../tools/verdict/compare/print.ts';
import { readSide } from '../../../tools/verdict/compare/side.ts';
import { gate, printGate } from '../../../tools/verdict/gate.ts';
import { analysisJson } from '../../../tools/verdict/json.ts';
import { printAnalysis } from '../../../tools/verdict/print.ts';
import { hasQueryValues, redact, redactAll } from '../../../tools/verdict/redact.ts';
import { HEADER, made, requestRows } from './support.ts';

const NAMES = [
  'http://h/x?token=SECRET',
  'http://h/y?a=1SECRET&who=John SECRET&q={id}',
  'GET /z?filter={"user":"SECRET"}',
  'http://h/w?u=http://SECRET/?b=SECRET',
];

/** Nobody's data: no query, no value, or a placeholder. */
const HARMLESS = [
  'GET /a',
  'a&b=c',
  'x=1&y=2',
  'GET /api/books?search=',
  'GET /a?id={id}&b=$' + '{b}&c=$c&d=:d&e=<e>',
  'GET /a#b=c',
  'what?',
];

describe('a name', () => {
  it.each(NAMES)('%s is shown without its values', (name) => {
    expect(hasQueryValues(name)).toBe(true);
    expect(redact(name)).not.toContain('SECRET');
    expect(redact(name).split('?')[0]).toBe(name.split('?')[0]);
    expect(redact(redact(name))).toBe(redact(name));
  });

  it.each(HARMLESS)('%s is shown as it is', (name) => {
    expect([redact(name), hasQueryValues(name)]).toEqual([name, false]);
  });

  it('keeps what closes it: the brace of an objective, the end of a sentence', () => {
    expect(redactAll(['{name:GET /x?a=,flow:browse}', '{name:/x?a={id},flow:browse}'])).toEqual([
      '{name:GET /x?a=,flow:browse}',
      '{name:/x?a={id},flow:browse}',
    ]);
    expect(redactAll(['http_req_duration{name:/x?a=b}', '(GET /x?a=b), next', 'Why? a&b=c'])).toEqual([
      'http_req_duration{name:/x?a=…}',
      '(GET /x?a=…), next',
      'Why? a&b=c',
    ]);
  });
});

describe('everything that is shown of samples with such names', () => {
  let shown: Record<string, string> = {};
  let analysis: Analysis;
  const file = (shift: number) =>
    made(
      'samples.csv',
      `${HEADER}\n${Array.from({ length: 400 }, (_, i) => requestRows(1_795_982_260_000 + i * 50, shift + 5 + (i % 40), { name: NAMES[i % (i < 380 ? 2 : 4)] ?? '', status: i % 5 === 0 ? 503 : 200 })).join('')}`,
    );

  beforeAll(async () => {
    const rules = made(
      'rules.json',
      JSON.stringify({
        [`http_req_duration{name:${NAMES[0]}}`]: ['p(95)<1', 'p(99)<1'],
        'http_req_duration{name:/no?such=SECRET}': ['p(95)<1'],
      }),
    );
    await withSamples({ paths: [file(0)], rules, by: ['url'] }, async (database, found) => {
      if (database === undefined) throw new Error('no samples');
      analysis = found;
      shown = {
        text: printAnalysis(found),
        json: JSON.stringify(analysisJson(found)),
        html: reportHtml(found, await chartData(database, found)),
        markdown: reportMarkdown(found),
        junit: reportJunit(found),
        gate: printGate(gate(found, 'pass')) + JSON.stringify(gate(found, 'pass')),
      };
    });
    const [a, b] = [await readSide([file(0)]), await readSide([file(100)])];
    const comparison = compareSides(a, b);
    const lengths = neededLengths(a, 0.1);
    shown['compare'] =
      printComparison(comparison, true) + printComparison(comparison, false) + JSON.stringify(comparison);
    shown['lengths'] = printLengths(lengths) + JSON.stringify(lengths);
    const other = { ...b, populations: new Map([...b.populations].slice(1)) };
    shown['not comparable'] = notComparable(a, other).join();
    expect(shown['not comparable']).toContain('mix of endpoints');
    expect(comparison.leftOut.length).toBeGreaterThan(0);
  });

  it.each(['text', 'json', 'html', 'markdown', 'junit', 'gate', 'compare', 'lengths', 'not comparable'])(
    'has none of their values: %s',
    (kind) => {
      expect(shown[kind]).toContain('…');
      expect(shown[kind]).not.toContain('SECRET');
    },
  );

  it('still has each of them counted, and the rule that warns of them', () => {
    expect(analysis.facts.endpointCount).toBe(4);
    const reason = analysis.verdict.reasons.find(({ rule }) => rule === 'leaked-query');
    expect(reason?.numbers).toEqual({ names: 4 });
  });
});
