/** Requests without an answer against objectives on latency: what waited longer than the limit counts against it. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../../tools/verdict/analyse.ts';
import { HEADER, made, requestRows } from '../support.ts';

interface Case {
  readonly answered: number;
  readonly unanswered: number;
  readonly waitedMs: number;
}

/** Answers of 1, 2, ... 20 ms in turn, and requests that ended without one. */
const samples = ({ answered, unanswered, waitedMs }: Case, extra = '') => {
  const rows = [
    ...Array.from({ length: answered }, (_, i) => requestRows(1_795_990_000_000 + i * 25, 1 + (i % 20), { extra })),
    ...Array.from({ length: unanswered }, (_, i) =>
      requestRows(1_795_990_000_000 + i * 700, waitedMs, { status: 0, errorCode: waitedMs > 0 ? 1050 : 1212, extra }),
    ),
  ];
  return made('samples.csv', `${HEADER}\n${rows.join('')}`);
};

const outcomes = async (path: string, key: string, expressions: readonly string[]) => {
  const { objectives } = await analyse({
    paths: [path],
    rules: made('rules.json', JSON.stringify({ [key]: expressions })),
  });
  return Object.fromEntries(objectives.map(({ expression, outcome }) => [expression, outcome]));
};

describe('time-outs', () => {
  // 37 of 1,201 are 3.1 %: the 99th percentile and the maximum are time-outs, the 95th percentile is an answer. The mean is
  // (1164 x 10.5 + 37 x 2001) / 1201 = 71.8 ms.
  const few = { answered: 1164, unanswered: 37, waitedMs: 2001 };
  it.each(['http_req_duration', 'http_req_duration{name:GET /api/books}', 'http_req_duration{scenario:browse}'])(
    'cross what they waited longer than: %s',
    async (key) => {
      const found = await outcomes(samples(few), key, [
        'p(99)<1000',
        'max<1500',
        'avg<20',
        'p(95)<100',
        'med<15',
        'max<2002',
      ]);
      expect(found).toEqual({
        'p(99)<1000': 'crossed',
        'max<1500': 'crossed',
        'avg<20': 'crossed',
        'p(95)<100': 'kept',
        'med<15': 'kept',
        'max<2002': 'kept',
      });
    },
  );

  it('are said, with what the answers alone would have given', async () => {
    const rules = made('rules.json', JSON.stringify({ http_req_duration: ['max<1500'] }));
    const { objectives } = await analyse({ paths: [samples(few)], rules });
    expect(objectives[0]).toMatchObject({ value: 2001, n: 1201 });
    expect(objectives[0]?.why).toBe(
      '37 of 1201 waited 1500 or longer for an answer that never came and count at that; the answers alone: 20 (kept)',
    );
  });

  it('alone, with no answer at all, cross too', async () => {
    const found = await outcomes(samples({ answered: 0, unanswered: 400, waitedMs: 5000 }), 'http_req_duration', [
      'p(95)<1000',
      'max<9000',
    ]);
    expect(found).toEqual({ 'p(95)<1000': 'crossed', 'max<9000': 'no samples' });
  });

  it('are left out by a tag that only answers have', async () => {
    expect(await outcomes(samples(few), 'http_req_duration{status:200}', ['max<1500'])).toEqual({
      'max<1500': 'kept',
    });
  });

  it('do not help an objective from below', async () => {
    expect(await outcomes(samples(few), 'http_req_duration', ['max>1000'])).toEqual({ 'max>1000': 'crossed' });
  });
});

it('refused requests, which k6 counts as 0 ms, flatter nothing', async () => {
  // Of the answers half take more than 10 ms; with as many zeros the median would be 1 ms.
  const path = samples({ answered: 600, unanswered: 600, waitedMs: 0 });
  expect(await outcomes(path, 'http_req_duration', ['med<5'])).toEqual({ 'med<5': 'crossed' });
});

it('says where k6 came to the other result', async () => {
  const path = samples({ answered: 600, unanswered: 600, waitedMs: 0 });
  const summary = { metrics: { http_req_duration: { avg: 5, max: 20, med: 1, thresholds: { 'med<5': false } } } };
  const { objectives } = await analyse({ paths: [path], summary: made('summary.json', JSON.stringify(summary)) });
  expect(objectives[0]).toMatchObject({
    outcome: 'crossed',
    k6: 'kept',
    why: expect.stringContaining('kept for k6'),
  });
});
