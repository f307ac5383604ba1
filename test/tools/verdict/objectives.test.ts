/** Objectives: which samples they mean, what a summary can decide, and what decides nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { analyseOptions } from '../../../tools/commands/analyse.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { exitCodeOf } from '../../../tools/verdict/exit-code.ts';
import { gate } from '../../../tools/verdict/gate.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1_795_982_260_413;
const REQUESTS = 300;
const COLUMNS = HEADER.split(',');

/** Requests at 20 a second; `more` gives rows and columns beside theirs. */
function run(more: (i: number, ms: number) => string = () => '', extra: (i: number) => string = () => ''): string {
  const random = sessionRandom(4, 0);
  const rows = Array.from({ length: REQUESTS }, (_, i) => {
    const ms = START + i * 50;
    return `${requestRows(ms, 5 + 20 * random(), { extra: extra(i) })}${more(i, ms)}`;
  });
  return made('samples.csv', `${HEADER}\n${rows.join('')}`);
}

const metricRow = (metric: string, ms: number, value: number) =>
  `${metric},${ms},${value}${','.repeat(COLUMNS.length - 3)}\n`;

const judged = async (path: string, rules: object) =>
  analyse({ paths: [path], rules: made('rules.json', JSON.stringify(rules)) });

const outcomes = async (path: string, rules: object) =>
  (await judged(path, rules)).objectives.map((one) => one.outcome);

describe('a metric whose type nothing tells', () => {
  const ones = run((_, ms) => metricRow('orders', ms, 1));

  it('is decided where Rate and Counter agree, and otherwise not', async () => {
    // As a Rate its share is 1, as a Counter it grows by 20 a second.
    expect(await outcomes(ones, { orders: ['rate<15'] })).toEqual(['undecided']);
    expect(await outcomes(ones, { orders: ['rate>5'] })).toEqual(['undecided']);
    expect(await outcomes(ones, { orders: ['rate<30'] })).toEqual(['kept']);
    expect(await outcomes(ones, { orders: ['rate<0.5'] })).toEqual(['crossed']);
  });

  it('is a Counter when it holds other values, or when another rule counts it', async () => {
    const twos = run((i, ms) => metricRow('orders', ms, i === 7 ? 2 : 1));
    expect(await outcomes(twos, { orders: ['rate<15'] })).toEqual(['crossed']);
    expect(await outcomes(ones, { orders: ['count>0', 'rate<15'] })).toEqual(['kept', 'crossed']);
  });

  it('is what the summary says', async () => {
    const summary = made(
      's.json',
      JSON.stringify({
        metrics: { orders: { type: 'rate', contains: 'default', values: { passes: 300, fails: 0, rate: 1 } } },
      }),
    );
    const rules = made('r.json', JSON.stringify({ orders: ['rate<15'] }));
    expect((await analyse({ paths: [ones], summary, rules })).objectives[0]?.outcome).toBe('kept');
  });
});

describe('a tag of an objective', () => {
  it('may be any column of the file', async () => {
    const path = run();
    const values: Record<string, string> = {
      proto: 'HTTP/1.1',
      url: 'GET /api/books',
      error_code: '1500',
      method: 'GET',
    };
    for (const column of COLUMNS.slice(3, -2)) {
      const value = values[column] ?? 'seen';
      const at = COLUMNS.indexOf(column);
      const wide = readFileSync(path, 'utf8')
        .split('\n')
        .map((line, i) => {
          const cells = line.split(',');
          if (i > 0 && cells.length > 1 && !['status', 'expected_response'].includes(column)) cells[at] = value;
          return cells.join(',');
        });
      const wanted = column === 'status' ? '200' : column === 'expected_response' ? 'true' : value;
      const key = `http_req_duration{${column}:${wanted}}`;
      expect(await outcomes(made('w.csv', wide.join('\n')), { [key]: ['p(95)<500'] }), column).toEqual(['kept']);
    }
  });

  it('may hold & and = where the objective says so, and that is told', async () => {
    const path = run(undefined, (i) => (i % 2 === 0 ? 'team=x&y=z&flow=browse' : 'flow=browse&team=x'));
    const { objectives, facts } = await judged(path, {
      'http_reqs{team:x&y=z}': ['count>0'],
      'http_reqs{team:x}': ['count>0'],
      'http_reqs{flow:browse}': ['count>0'],
    });
    expect(objectives.map((one) => one.value)).toEqual([150, 150, 300]);
    // Of three rows a request two are read.
    expect(facts.ambiguousRows).toBe(300);
  });

  it('is not mixed up with one that differs in case only', async () => {
    const path = run(undefined, (i) => (i % 3 === 0 ? 'Team=a' : 'team=b'));
    const { objectives } = await judged(path, { 'http_reqs{Team:a}': ['count>0'], 'http_reqs{team:b}': ['count>0'] });
    expect(objectives.map((one) => one.value)).toEqual([100, 200]);
  });
});

describe('--by', () => {
  const by = async (path: string, tag: string) => {
    const { facts } = await analyse(analyseOptions([path], { by: [tag] }));
    return [...new Set(facts.populations.map((one) => one.by[0]))].sort();
  };

  it("splits by k6's own tags and by any column, and refuses what no sample carries", async () => {
    const path = run(undefined, (i) => (i % 2 === 0 ? 'team=a' : 'team=b'));
    expect(await by(path, 'scenario')).toEqual(['browse']);
    expect(await by(path, 'method')).toEqual(['GET']);
    expect(await by(path, 'proto')).toEqual(['HTTP/1.1']);
    expect(await by(path, 'team')).toEqual(['a', 'b']);
    await expect(by(path, 'taem')).rejects.toThrow(/--by taem: no sample carries this tag; did you mean team/);
    await expect(by(path, 'subproto')).rejects.toThrow(/no sample carries/);
  });
});

describe('a counter without samples', () => {
  it('is 0 where it was watched, and nothing where it may be mistyped', async () => {
    const path = run();
    const zero = ['count==0'];
    const answers = ['dropped_iterations', 'http_reqs{status:500}', 'http_reqs{name:GET /api/books,error_code:1050}'];
    for (const key of answers) expect(await outcomes(path, { [key]: zero }), key).toEqual(['kept']);
    const nothing = [
      'droped_iterations',
      'http_reqs{status:5OO}',
      'http_reqs{name:GET /api/bocks}',
      'http_reqs{name:GET /api/bocks,status:500}',
      'dropped_iterations{scenario:brwse}',
      'http_reqs{nmae:x}',
    ];
    for (const key of nothing) expect(await outcomes(path, { [key]: zero }), key).toEqual(['no samples']);
    expect(await outcomes(path, { 'http_reqs{name:x}': ['count>0'] })).toEqual(['crossed']);
  });

  it('is known to a summary that lists it', async () => {
    const orders = { type: 'counter', contains: 'default', values: { count: 0, rate: 0 } };
    const summary = made('s.json', JSON.stringify({ metrics: { orders } }));
    const rules = made('r.json', JSON.stringify({ orders: ['count==0'] }));
    expect((await analyse({ paths: [run()], summary, rules })).objectives[0]?.outcome).toBe('kept');
    const from = await analyse({ paths: [summary], rules: made('r.json', JSON.stringify({ oders: ['count==0'] })) });
    expect(from.objectives[0]?.outcome).toBe('no samples');
  });
});

describe('an aggregate that the type has not', () => {
  it('is refused, as by k6', async () => {
    const path = run((_, ms) => metricRow('vus', ms, 1));
    const wrong: Record<string, string> = {
      http_req_duration: 'rate<0.5',
      http_req_failed: 'p(95)<1',
      http_reqs: 'avg<3',
      vus: 'count>1',
      'http_req_duration{status:200}': 'count>1',
    };
    for (const [key, expression] of Object.entries(wrong)) {
      await expect(judged(path, { [key]: [expression] }), key).rejects.toThrow(/k6 refuses too/);
    }
  });
});

describe('a rules file', () => {
  it('that is no JSON is wrong usage, as one that is missing', async () => {
    const path = run();
    for (const rules of [made('r.json', '{"http_reqs":'), '/nowhere/rules.json']) {
      await expect(analyse({ paths: [path], rules })).rejects.toMatchObject({ exitCode: 2 });
    }
  });
});

describe('gate', () => {
  it('never speaks of the system when the test is invalid, and analyse agrees', async () => {
    const empty = made('none.csv', `${HEADER}\n${metricRow('vus', START, 1)}${metricRow('vus', START + 1000, 1)}`);
    const analysis = await judged(empty, { http_reqs: ['count>0'], http_req_duration: ['p(95)<5'] });
    expect(analysis.verdict.status).toBe('INVALID');
    expect(analysis.objectives.map((one) => one.outcome)).toEqual(['crossed', 'no samples']);
    expect(gate(analysis, 'refuse')).toMatchObject({ result: 'not decided', exitCode: 3 });
    expect(exitCodeOf(analysis)).toBe(3);
  });

  it('names endpoints without an objective, prefixes of others too', async () => {
    const isbn = requestRows(START, 5, { name: 'GET /api/books/{isbn}' });
    const path = run();
    writeFileSync(path, readFileSync(path, 'utf8') + isbn.repeat(2));
    const analysis = await judged(path, { 'http_req_duration{name:GET /api/books/{isbn}}': ['p(95)<500'] });
    expect(gate(analysis, 'pass').unasserted).toEqual(['GET /api/books']);
  });
});

describe('a summary alone', () => {
  const summary = (n: number, thresholds: Record<string, { ok: boolean }>) =>
    made(
      's.json',
      JSON.stringify({
        metrics: {
          http_reqs: { type: 'counter', contains: 'default', values: { count: n, rate: 20 } },
          iterations: { type: 'counter', contains: 'default', values: { count: n, rate: 20 } },
          http_req_duration: {
            type: 'trend',
            contains: 'time',
            values: { avg: 10, min: 1, med: 9, max: 90, 'p(95)': 40, 'p(99)': 80 },
            thresholds,
          },
        },
      }),
    );
  const at = async (n: number, expression: string) =>
    (await analyse({ paths: [summary(n, { [expression]: { ok: true } })] })).objectives[0];

  it('decides a percentile only with ten samples beyond it, or where all kept the limit and are enough', async () => {
    expect(await at(120, 'p(99)<100')).toMatchObject({ outcome: 'undecided', k6: 'kept', n: 120 });
    expect(await at(1000, 'p(99)<85')).toMatchObject({ outcome: 'kept' });
    expect(await at(190, 'p(95)<50')).toMatchObject({ outcome: 'undecided' });
    expect(await at(200, 'p(95)<50')).toMatchObject({ outcome: 'kept' });
    // 0.95^44 = 0.105, 0.95^45 = 0.099.
    expect(await at(44, 'p(95)<100')).toMatchObject({ outcome: 'undecided' });
    expect(await at(45, 'p(95)<100')).toMatchObject({ outcome: 'kept' });
  });

  it('is unproven, and gate passes it only when told to', async () => {
    const analysis = await analyse({ paths: [summary(1000, { 'p(95)<50': { ok: true } })] });
    expect(gate(analysis, 'refuse')).toMatchObject({ result: 'not decided', exitCode: 3, test: 'UNPROVEN' });
    const result = gate(analysis, 'refuse', true);
    expect(result).toMatchObject({ result: 'passed', exitCode: 0, fromSummary: true });
    expect(result.notJudged).toContain('generator-cpu');
  });
});
