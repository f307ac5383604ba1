/** Reading what k6 writes: every format, damaged files, odd tags. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { UserError } from '../../../tools/base/user-error.ts';
import { type Analysis, analyse, withSamples } from '../../../tools/verdict/analyse.ts';
import { sniff } from '../../../tools/verdict/files.ts';
import { csvToParquet } from '../../../tools/verdict/samples/convert.ts';
import { parseExtraTags } from '../../../tools/verdict/samples/tags.ts';
import { timeFormatOf } from '../../../tools/verdict/samples/time-format.ts';
import { fixture, fixtureText, HEADER, made, requestRows } from './support.ts';

/** n and quantiles by status, to compare two readings of one run. */
function table({ facts }: Analysis) {
  return facts.byStatus.map((one) => [
    one.statusClass,
    one.n,
    one.latency?.minMs,
    one.latency?.maxMs,
    ...(one.latency?.quantiles.map((q) => q.value.toFixed(6)) ?? []),
  ]);
}

function failed(): never {
  throw new Error('no samples');
}

const mix = fixtureText('mix.csv');

describe('k6 CSV', () => {
  it('is read by header name: shuffled columns give the same numbers', async () => {
    const rows = mix
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    // mix.csv holds no quoted field, so splitting at commas is safe here.
    expect(mix).not.toContain('"');
    const shuffled = rows.map((row) => row.map((_, index) => row[(index * 7 + 3) % row.length]).join(',')).join('\n');
    const [straight, other] = await Promise.all([
      analyse({ paths: [fixture('mix.csv')] }),
      analyse({ paths: [made('shuffled.csv', `${shuffled}\n`)] }),
    ]);
    expect(table(other)).toEqual(table(straight));
  });

  it('equals the summary of the same run in every trend value', async () => {
    const summary = JSON.parse(fixtureText('mix.summary.json')) as {
      metrics: Record<string, { values: Record<string, number> }>;
    };
    const { facts } = await analyse({ paths: [fixture('mix.csv')] });
    const blend = facts.blends.find((one) => one.endpoint === '*')?.latency;
    const ok = facts.byStatus.find((one) => one.statusClass === '200')?.latency;
    for (const [latency, key] of [
      [blend, 'http_req_duration'],
      [ok, 'http_req_duration{name:search,status:200}'],
    ] as const) {
      const values = summary.metrics[key]?.values ?? {};
      const of = (p: number) => latency?.quantiles.find((one) => one.p === p)?.value ?? Number.NaN;
      const pairs = {
        avg: latency?.meanMs,
        min: latency?.minMs,
        max: latency?.maxMs,
        med: of(0.5),
        'p(90)': of(0.9),
        'p(95)': of(0.95),
        'p(99)': of(0.99),
      };
      for (const [name, value] of Object.entries(pairs))
        expect(value, `${key} ${name}`).toBeCloseTo(values[name] ?? Number.NaN, 6);
    }
  });

  it('without a status column is refused with the remedy', async () => {
    await expect(analyse({ paths: [fixture('formats/few-system-tags.csv')] })).rejects.toThrow(
      /status column is missing.*systemTags/,
    );
  });

  it('gives the same relative times in all six formats, and none in 1970 or 57000', async () => {
    for (const format of ['unix', 'unix_milli', 'unix_micro', 'unix_nano', 'rfc3339', 'rfc3339_nano']) {
      const { facts } = await analyse({ paths: [fixture(`formats/${format}.csv`)] });
      expect(facts.requests.n, format).toBe(3);
      const year = new Date(facts.window.startMs).getUTCFullYear();
      expect(year, format).toBe(2026);
      expect(facts.window.seconds, format).toBeLessThanOrEqual(2);
    }
  });

  it('tells the time formats apart by their digits', () => {
    expect(
      [
        '1795982890',
        '1795982890559',
        '1795982890660629',
        '1795982890763828309',
        '2026-11-29T20:08:10Z',
        '2026-11-29T20:08:10.9+02:00',
        '12',
        'x',
      ].map(timeFormatOf),
    ).toEqual(['unix', 'unix_milli', 'unix_micro', 'unix_nano', 'rfc3339', 'rfc3339_nano', undefined, undefined]);
  });

  it('is told by content, not by name: gzip without .gz, plain with .GZ', async () => {
    const straight = table(await analyse({ paths: [fixture('mix.csv')] }));
    expect(table(await analyse({ paths: [made('a.csv', gzipSync(mix))] }))).toEqual(straight);
    expect(table(await analyse({ paths: [made('a.csv.GZ', mix)] }))).toEqual(straight);
  });
});

describe('Parquet', () => {
  it('made from a CSV gives the same numbers', async () => {
    const csv = made('samples.csv', mix);
    const path = await withSamples({ paths: [csv] }, async (database) =>
      csvToParquet(database ?? failed(), await sniff(csv)),
    );
    expect(path).toMatch(/samples\.parquet$/);
    expect(table(await analyse({ paths: [path] }))).toEqual(table(await analyse({ paths: [csv] })));
  });

  it('cut is refused by name', async () => {
    await expect(analyse({ paths: [made('x.parquet', 'PAR1 and then nothing')] })).rejects.toThrow(
      /x\.parquet.*cut or damaged/,
    );
  });
});

describe('damaged files', () => {
  it('a cut last line costs itself, and is said', async () => {
    const { facts, verdict } = await analyse({ paths: [made('cut.csv', mix.slice(0, -45))] });
    expect(facts.requests.n).toBe(81);
    expect(facts.files[0]?.lostRows).toBe(1);
    expect(verdict.reasons.map((reason) => reason.rule)).toContain('damaged-file');
  });

  it('a cut gzip stream gives its first part', async () => {
    const whole = gzipSync(Buffer.from(fixtureText('sat-growth.csv.gz')), { level: 9 });
    const { facts } = await analyse({ paths: [made('cut.csv.gz', whole.subarray(0, Math.floor(whole.length * 0.6)))] });
    expect(facts.requests.n).toBeGreaterThan(50);
    expect(facts.requests.n).toBeLessThan(195);
    expect(facts.files[0]?.lost.join()).toMatch(/gzip/);
  });

  it('ten bytes of gzip are refused with the reason', async () => {
    await expect(analyse({ paths: [made('dead.csv.gz', gzipSync(mix).subarray(0, 10))] })).rejects.toThrow(
      /empty.*killed/,
    );
  });

  it('two processes writing one file: broken lines are counted, the rest is read', async () => {
    const lines = mix.split('\n');
    const torn = [...lines.slice(0, 200), '\u0000http_req_dur', '', 'http_reqs,17959822', ...lines.slice(200)].join(
      '\n',
    );
    const { facts } = await analyse({ paths: [made('torn.csv', torn)] });
    expect(facts.requests.n).toBe(81);
    expect(facts.files[0]?.lostRows).toBeGreaterThanOrEqual(2);
  });

  it('two files concatenated: the second header is no row', async () => {
    const { facts } = await analyse({ paths: [made('two.csv', mix + mix)] });
    expect(facts.requests.n).toBe(162);
    expect(facts.files[0]?.lostRows).toBe(0);
  });

  it('infinite and missing values are counted and used nowhere', async () => {
    const rows = ['+Inf', '-Inf', 'NaN']
      .map((value) => `cart_total,1795982260413,${value},,,,,,,,,browse,,,,,,,`)
      .join('\n');
    const { facts } = await analyse({ paths: [made('inf.csv', `${mix}${rows}\n`)] });
    expect(facts.notFinite).toBe(3);
    expect(facts.requests.n).toBe(81);
  });

  it('quoted newlines, quotes and markup in names are one name each', async () => {
    const names = ['a\nb', 'say "hi", please', '</script><img src=x onerror=alert(1)>', 'k=v&x'];
    const content = `${HEADER}\n${names.map((name, i) => requestRows(1795982260413 + i, 5, { name })).join('')}`;
    const { facts } = await analyse({ paths: [made('odd.csv', content)] });
    expect(facts.endpoints.map((one) => one.name).sort()).toEqual([...names].sort());
    expect(facts.requests.n).toBe(4);
  });

  it('NDJSON: cut lines, unknown types and repeated Metric lines are no crash', async () => {
    const text = fixtureText('mix.ndjson.gz');
    const metric = text.split('\n').find((line) => line.includes('"Metric"')) ?? '';
    const content = `${text}${metric}\n{"type":"Event","metric":"x","data":{}}\n{"metric":"http_req_duration","type":"Poi`;
    const { facts } = await analyse({ paths: [made('x.ndjson', content)] });
    expect(facts.requests.n).toBe(81);
    expect(facts.files[0]?.lost.join()).toMatch(/unknown type "Event".*|no JSON/);
    expect(facts.files[0]?.lostRows).toBe(1);
  });

  it('NDJSON: NaN and Infinity, which are no JSON, are no crash, be they tags or values', async () => {
    const point = (value: string, tag: string) =>
      `{"type":"Point","metric":"http_req_duration","data":{"time":"2026-11-29T19:57:40.000Z","value":${value},"tags":{"name":"a","status":"200","team":${tag}}}}\n`;
    const content = [point('5', '"x"'), point('5', 'NaN'), point('6', '-Infinity'), point('NaN', '"x"')].join('');
    const { facts } = await analyse({ paths: [made('nan.ndjson', content)] });
    const lost = facts.files.reduce((sum, file) => sum + file.lostRows, 0);
    expect(facts.requests.n + lost + facts.notFinite).toBe(4);
    expect(facts.requests.n).toBeGreaterThan(0);
    expect(facts.tagKeys).toEqual(['team']);
  });

  it('mutated files give an answer or a refusal, never a crash', async () => {
    const random = sessionRandom(7, 0);
    const base = Buffer.from(mix.split('\n').slice(0, 120).join('\n'));
    for (let round = 0; round < 12; round++) {
      const bytes = Buffer.from(base);
      for (let k = 0; k < 1 + random() * 8; k++) {
        const at = Math.floor(random() * bytes.length);
        const kind = Math.floor(random() * 4);
        if (kind === 0) bytes[at] = Math.floor(random() * 256);
        else if (kind === 1) bytes.copyWithin(at, Math.floor(random() * bytes.length));
        else if (kind === 2) bytes.fill(0x22, at, at + 1);
        else bytes.fill(0x0a, at, at + 3);
      }
      const content = random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
      const packed = random() < 0.3 ? gzipSync(content) : content;
      try {
        const { verdict } = await analyse({ paths: [made('mutated', packed)] });
        expect(['VALID', 'SUSPECT', 'INVALID']).toContain(verdict.status);
      } catch (error) {
        expect(error, String(error)).toBeInstanceOf(UserError);
      }
    }
  }, 60_000);
});

describe('extra tags', () => {
  it('keep what can be told of values with & and =', () => {
    expect(parseExtraTags('flow=a&b&phase=x=y')).toEqual({ tags: { flow: 'a&b', phase: 'x=y' }, ambiguous: true });
    expect(parseExtraTags('phase=measure&flow=browse')).toEqual({
      tags: { flow: 'browse', phase: 'measure' },
      ambiguous: false,
    });
  });

  it('are read alike whatever their order in a row', async () => {
    const content = `${HEADER}\n${requestRows(1795982260413, 5, { extra: 'flow=a&b&phase=measure' })}${requestRows(1795982260513, 6, { extra: 'phase=measure&flow=a&b' })}`;
    const { facts } = await analyse({ paths: [made('tags.csv', content)], by: ['flow'] });
    expect(facts.populations.map((one) => [one.phase, one.by, one.n])).toEqual([['measure', ['a&b'], 2]]);
    expect(facts.ambiguousRows).toBeGreaterThan(0);
  });
});

describe('recorded outputs', () => {
  it('kinds: setup, teardown, redirect hops, no answers, drops', async () => {
    // Apart from the summary beside it, which tells the types.
    const alone = made('kinds.csv', fixtureText('kinds.csv'));
    for (const name of [alone, fixture('kinds.ndjson.gz')]) {
      const { facts } = await analyse({ paths: [name] });
      expect(facts.requests, name).toMatchObject({ n: 19, noAnswer: 6 });
      expect(facts.iterations, name).toEqual({ finished: 9, dropped: 14 });
      expect(facts.populations.find((one) => one.phase === 'setup')?.endpoint).toBe('login');
      expect(facts.populations.filter((one) => one.endpoint === 'redir').map((one) => one.statusClass)).toEqual([
        '2xx',
        '3xx',
      ]);
      // Two sessions of two orders; a CSV alone does not tell that `orders` is a Counter and `cart_total_ms` a Trend.
      const typed = name.includes('ndjson');
      expect(facts.counters, name).toEqual(typed ? { flow_errors: 0, orders: 4 } : { flow_errors: 0 });
      expect(facts.untyped, name).toEqual(
        typed ? {} : { cart_total_ms: { n: 2, sum: 25 }, orders: { n: 2, sum: 4 }, stock: { n: 2, sum: 14 } },
      );
    }
  });

  it('a machine-readable summary is refused: it has no thresholds', async () => {
    const path = made('s.json', JSON.stringify({ version: '1', config: {}, metadata: {}, results: { metrics: [] } }));
    await expect(analyse({ paths: [path] })).rejects.toThrow(/machine-readable.*no thresholds/);
  });

  it('a p(99) that the summary does not hold cannot be decided', async () => {
    const rules = made('r.json', JSON.stringify({ http_req_duration: ['p(99)<500'] }));
    const { objectives } = await analyse({ paths: [fixture('empty.summary.json')], rules });
    const p99 = objectives.find((one) => one.expression === 'p(99)<500');
    expect(p99?.outcome).toBe('undecided');
    expect(p99?.why).toContain('not recorded');
  });
});
