/** The suite's own objectives file given with `--rules`: `*` stands for each endpoint of the run. */
import { describe, expect, it } from 'vitest';
import { ENDPOINT_LIST } from '../../../scenarios/bookstore/endpoints.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { gate } from '../../../tools/verdict/gate.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1795982260000;
const [LIST, DETAILS] = ['GET /api/books', 'GET /api/books/{isbn}'];

/** 400 requests each; of the details, so many are answered 500. */
function samples(failures: number): string {
  const rows = Array.from({ length: 400 }, (_, i) => {
    const status = i < failures ? 500 : 200;
    const at = START + i * 50;
    return (
      requestRows(at, 5 + (i % 7), { name: LIST, extra: 'flow=browse&phase=measure' }) +
      requestRows(at + 9, 3, { name: DETAILS, status, extra: 'flow=browse&phase=measure' })
    );
  });
  return made('samples.csv', `${HEADER}\n${rows.join('')}`);
}

/** A summary as k6 writes it, which tells the endpoints of the run. */
function summary(endpoints: readonly string[]): string {
  const metrics = Object.fromEntries(
    endpoints.map((name) => [
      `http_reqs{name:${name},phase:measure}`,
      { type: 'counter', contains: 'default', values: { count: 400, rate: 20 } },
    ]),
  );
  return made(
    'summary.json',
    JSON.stringify({ root_group: {}, options: {}, state: { testRunDurationMs: 20_000 }, metrics }),
  );
}

const rules = (endpoints: object) =>
  made('objectives.json', JSON.stringify({ schemaVersion: 1, purpose: 'a test', endpoints }));

async function judged(endpoints: object, failures: number, known: readonly string[]) {
  const analysis = await analyse({
    paths: [samples(failures)],
    rules: rules(endpoints),
    summary: summary(known),
  });
  const of = (key: string) => analysis.objectives.filter((one) => one.key.startsWith(key));
  return { analysis, of };
}

describe('* in an objectives file', () => {
  it('is one objective for each endpoint of the run, so that one bad endpoint is not hidden by a good one', async () => {
    const each = { '*': { failed: ['rate<0.05'] } };
    const { analysis, of } = await judged(each, 40, [LIST, DETAILS]);
    expect(of('http_req_failed').map(({ key, outcome, value }) => [key, outcome, value])).toEqual([
      [`http_req_failed{name:${LIST},phase:measure}`, 'kept', 0],
      // 40 of 400; both endpoints together would have failed in 5 %.
      [`http_req_failed{name:${DETAILS},phase:measure}`, 'crossed', 0.1],
    ]);
    expect(gate(analysis, 'refuse')).toMatchObject({ result: 'failed', exitCode: 99, unasserted: [] });
  });

  it('gives way to what an endpoint says itself, subject by subject', async () => {
    const endpoints = { '*': { failed: ['rate<0.05'], '2xx': ['p(95)<100'] }, [DETAILS]: { failed: ['rate<0.2'] } };
    const { analysis, of } = await judged(endpoints, 40, [LIST, DETAILS]);
    expect(
      of('http_req_failed')
        .map(({ expression, outcome }) => [expression, outcome])
        .sort(),
    ).toEqual([
      ['rate<0.05', 'kept'],
      ['rate<0.2', 'kept'],
    ]);
    // The suite's own Trend is not in these samples: what saw nothing cannot pass.
    expect(of('duration_2xx').map(({ outcome }) => outcome)).not.toContain('kept');
    expect(gate(analysis, 'pass').exitCode).toBe(3);
  });

  it('stands for the endpoints of the run and for no other, and for all of the suite when the run does not tell', async () => {
    const each = { '*': { failed: ['rate<0.05'] } };
    const named = (objectives: readonly { key: string }[]) => [
      ...new Set(objectives.map(({ key }) => /name:(.*),phase/.exec(key)?.[1])),
    ];
    const { analysis } = await judged(each, 0, [LIST, DETAILS]);
    expect(named(analysis.objectives).sort()).toEqual([LIST, DETAILS].sort());
    const unknown = await analyse({ paths: [samples(0)], rules: rules(each) });
    expect(named(unknown.objectives).sort()).toEqual(ENDPOINT_LIST.map(({ name }) => name).sort());
    // Objectives of an endpoint that nobody called saw nothing, which makes the test invalid: it was to be tested.
    expect(gate(unknown, 'pass')).toMatchObject({ result: 'not decided', exitCode: 3, test: 'INVALID' });
  });
});
