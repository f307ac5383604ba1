/** What `traffic solve` says of a log of so many requests, and of the workload of another API. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { popularitySampler } from '../../../lib/model/popularity.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import type { PopularityLaw } from '../../../lib/model/workload.ts';
import { ownFlows } from '../../../tools/traffic/model/flow-shapes.ts';
import { type ExpectedLog, expectedLog } from '../../../tools/traffic/solve/expected-log.ts';
import { itemViews } from '../../../tools/traffic/solve/item-views.ts';
import { meanSteps } from '../../../tools/traffic/solve/mean-steps.ts';
import { fromSessions, type Solution } from '../../../tools/traffic/solve/solver.ts';
import { workloadOf } from '../../../tools/traffic/solve/source.ts';
import { startCli } from '../../support/cli.ts';
import { traffic } from './in-process.ts';

/** Distinct items and top shares of simulated logs, by log. */
function simulated(law: PopularityLaw, items: number, views: number, logs: number) {
  const random = sessionRandom(hashSeed('item views'), 0);
  const pick = popularitySampler(law, items);
  return Array.from({ length: logs }, () => {
    const counts = new Uint32Array(items);
    for (let i = 0; i < views; i++) {
      const item = pick(random);
      counts[item] = (counts[item] as number) + 1;
    }
    const sorted = counts.toSorted().reverse();
    const upTo = (k: number): number => sorted.subarray(0, k).reduce((sum, n) => sum + n, 0) / views;
    return { distinct: counts.filter((n) => n > 0).length, top: [10, 100, 1000].map(upTo) };
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

describe('item views', { timeout: 120_000 }, () => {
  it.each<[PopularityLaw, number, number]>([
    [{ law: 'power', g: 3 }, 40_000, 5867],
    [{ law: 'zipf', s: 2 / 3 }, 40_000, 5867],
    [{ law: 'zipf', s: 1.2 }, 2000, 20_000],
    [{ law: 'uniform' }, 3000, 5000],
  ])('are what simulated logs show: %j over %d items, %d views', (law, items, views) => {
    const logs = simulated(law, items, views, 200);
    const found = itemViews(law, items, views);
    const distinct = logs.map((log) => log.distinct);
    const sd = (found.distinctRange[1] - found.distinct) / 1.96;
    expect(Math.abs(meanOf(distinct) - found.distinct)).toBeLessThan((4 * sd) / Math.sqrt(200) + 0.5);
    // 95 % of 200 are 190, with a standard deviation of 3.1.
    const inside = distinct.filter((n) => n >= found.distinctRange[0] && n <= found.distinctRange[1]).length;
    expect(inside).toBeGreaterThan(179);
    found.top.forEach(({ share }, i) => {
      const shares = logs.map((log) => log.top[i] as number);
      const error = Math.sqrt(meanOf(shares.map((x) => (x - meanOf(shares)) ** 2)) / 200);
      // Taking N_c at its mean moves the border of the top by a part of a view.
      expect(Math.abs(meanOf(shares) - share), `top ${found.top[i]?.top}`).toBeLessThan(4 * error + 0.02 * share);
    });
  });

  it('are exact where all items are alike: 1 - (1 - 1/N)^n of N are seen', () => {
    const { distinct } = itemViews({ law: 'uniform' }, 1000, 3000);
    expect(Math.abs(distinct / (1000 * (1 - (1 - 1 / 1000) ** 3000)) - 1)).toBeLessThan(1e-4);
  });

  it('of one item are all of it', () => {
    const { distinct, top } = itemViews({ law: 'single' }, 10, 100_000);
    expect(distinct).toBeCloseTo(1, 9);
    for (const { share } of top) expect(share).toBeCloseTo(1, 6);
  });
});

describe('a log of so many requests', { timeout: 120_000 }, () => {
  const flows = ownFlows();

  it('has shares that spread as those of simulated sessions do', async () => {
    const solution = fromSessions(flows, { browse: 70, search: 20, checkout: 10 });
    const { endpoints } = expectedLog(solution, flows, await workloadOf('data/workload.json'), 2900, undefined);
    const random = sessionRandom(hashSeed('sessions'), 0);
    const inside = new Map<string, number>();
    for (let log = 0; log < 1000; log++) {
      const counts: Record<string, number> = {};
      let all = 0;
      for (let session = 0; session < 1000; session++) {
        const u = random();
        for (const [name, n] of Object.entries(flows[u < 0.7 ? 0 : u < 0.9 ? 1 : 2]?.requests ?? {})) {
          counts[name] = (counts[name] ?? 0) + n;
          all += n;
        }
      }
      for (const { name, range } of endpoints) {
        const share = (counts[name] ?? 0) / all;
        if (share >= range[0] && share <= range[1]) inside.set(name, (inside.get(name) ?? 0) + 1);
      }
    }
    // 950 of 1,000 are due, with a standard deviation of 7.
    for (const { name } of endpoints) expect(Math.abs((inside.get(name) ?? 0) - 950), name).toBeLessThan(28);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'traffic-solve-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const solve = (...args: string[]) => traffic('solve', ...args);

const sent = (...steps: string[]) => ({ forms: [{ share: 1, steps }] });

const OTHER = {
  schemaVersion: 1,
  provenance: { source: 'a test' },
  arrivals: { rate: 1, process: 'poisson' },
  endpoints: { login: 'GET /login', quotes: 'GET /quotes', quote: 'GET /quotes/{id}', trade: 'POST /trades' },
  flows: {
    flow1: { share: 0.6, thinkTimes: {}, sessions: sent('login', 'quotes', 'quotes', 'quote') },
    flow2: { share: 0.4, thinkTimes: {}, sessions: sent('login', 'trade') },
  },
  popularity: { law: 'uniform' },
  latency: { healthyMs: 20, degradedMs: 1000 },
  cdnShare: 0,
};

function written(name: string, workload: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(workload));
  return file;
}

describe('bookstore-load traffic solve', { timeout: 120_000 }, () => {
  it("shows the brief's 70/20/10 with the items of 10,047 requests", async () => {
    const { code, stdout } = await startCli([
      'traffic',
      'solve',
      '--sessions',
      '70,20,10',
      '--total',
      '10047',
      '--json',
    ]).end;
    expect(code).toBe(0);
    const { log } = JSON.parse(stdout) as { log: ExpectedLog };
    // What the article measured: 58.4, 23.9, 7.1 and three times 3.5 % of 10,047 requests, 4,498 distinct books.
    const measured: Readonly<Record<string, number>> = {
      'GET /api/books/{isbn}': 0.584,
      'GET /api/books': 0.239,
      'GET /api/books?search=': 0.071,
      'POST /api/carts': 0.035,
      'PUT /api/carts/{id}/items/{isbn}': 0.035,
      'POST /api/orders': 0.035,
    };
    expect(log.endpoints).toHaveLength(6);
    for (const { name, range } of log.endpoints) {
      expect(measured[name], name).toBeGreaterThan(range[0]);
      expect(measured[name], name).toBeLessThan(range[1]);
    }
    if (log.items === undefined || 'unknown' in log.items) throw new Error('no items');
    expect(log.items.distinctRange[0]).toBeLessThan(4498);
    expect(log.items.distinctRange[1]).toBeGreaterThan(4498);
    const tops = log.items.top;
    // Of the views, 6.4, 14.9 and 40.4 %; a share of 5,890 has a standard deviation of 0.3, 0.5 and 0.6 points.
    [0.064, 0.149, 0.404].forEach((share, i) => {
      const top = tops[i]?.share ?? 0;
      expect(Math.abs(top - share)).toBeLessThan([0.006, 0.01, 0.012][i] as number);
    });
    const { stdout: text } = await solve('--sessions', '70,20,10', '--total', '10047');
    expect(text).toMatch(/views of GET \/api\/books\/\{isbn\}, power g = 3 over 40,000 items: 4,4\d\d distinct/);
    expect(text).toMatch(/top 10 6\.\d %, top 100 1\d\.\d %, top 1000 4\d\.\d %/);
  });

  it('takes the flows and endpoints of another workload', async () => {
    const file = written('other.json', OTHER);
    const { code, stdout } = await solve('--workload', file, '--requests', 'postTrades=20%', '--json');
    expect(code).toBe(0);
    const { sessions, requests } = JSON.parse(stdout) as Solution;
    // s / (2 s + 4 (1 - s)) = 0.2 gives s = 0.8 / 1.4.
    expect(sessions['flow2']).toBeCloseTo(4 / 7, 9);
    expect(requests['POST /trades']).toBeCloseTo(0.2, 9);
    expect(JSON.parse((await solve('--workload', file, '--sessions', '50,50', '--json')).stdout)).toMatchObject({
      sessions: { flow1: 0.5, flow2: 0.5 },
      requestsPerSession: 3,
    });
    expect((await solve('--workload', file, '--requests', 'GET /quotes=30%')).code).toBe(0);
    expect((await solve('--workload', file, '--total', '500')).stdout).toMatch(/--catalogue/);
    expect((await solve('--workload', file, '--total', '500', '--catalogue', '50')).stdout).toMatch(/ over 50 items: /);
  });

  it('ends with 2 and one sentence where there is no answer', async () => {
    expect(await startCli(['traffic', 'solve', '--total', '0']).end).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^bookstore-load: .*whole number.*\n$/),
    });
    const { flow1, flow2 } = OTHER.flows;
    const silent = written('silent.json', {
      ...OTHER,
      flows: { flow1: { ...flow1, sessions: undefined }, flow2 },
    });
    for (const [args, why] of [
      [['--workload', silent], /what a session of "flow1" sends: write the workload again with traffic --out/],
      [['--workload', join(folder, 'none.json')], /cannot be read/],
      [['--sessions', 'Infinity,20,10'], /"Infinity" is no share/],
      [['--sessions', '0,0,100', '--requests', 'checkout=15%'], /have no sessions to begin with/],
      [['--requests', 'checkout=15,5%'], /decimal point/],
      [['--requests', 'checkout=0x1%'], /is no wish/],
      [['--total', '0'], /whole number/],
    ] as const) {
      const { code, stdout, stderr } = await solve(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(why);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('counts what a flow of forms and a chain sends on average', () => {
    // A geometric number of steps: 1 / (1 - 0.75) of them in the half of the sessions that follow the chain.
    const chain = { starts: { a: 1 }, next: { a: { b: 1 }, b: { b: 0.75 } } };
    const means = meanSteps({ forms: [{ share: 0.5, steps: ['a', 'a'] }], chain });
    expect(means['a']).toBeCloseTo(0.5 * 2 + 0.5, 9);
    expect(means['b']).toBeCloseTo(0.5 * 4, 9);
  });

  it('solves for a workload that traffic has written of another API', async () => {
    const lines: string[] = [];
    for (let session = 0; session < 150; session++) {
      const last = session % 3 === 0 ? 'POST /trades' : 'GET /logout';
      ['GET /login', 'GET /quotes', last].forEach((request, i) => {
        const time = new Date(Date.UTC(2024, 2, 4, 10) + session * 1000 + i * 3000 + (session % 7) * 10);
        const [method, path] = request.split(' ');
        lines.push(JSON.stringify({ time: time.toISOString(), method, path, status: 200, session_id: `u${session}` }));
      });
    }
    const log = join(folder, 'other.log');
    const out = join(folder, 'written.json');
    writeFileSync(log, `${lines.toSorted().join('\n')}\n`);
    expect((await traffic(log, '--out', out)).code).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      flows: { flow1: { sessions: { forms: expect.any(Array) } } },
    });
    const { code, stdout } = await solve('--workload', out, '--requests', 'POST /trades=20%', '--json');
    expect(code).toBe(0);
    // All sessions send three requests, so 20 % of the requests are 60 % of the sessions.
    expect((JSON.parse(stdout) as Solution).sessions['flow2']).toBeCloseTo(0.6, 6);
  });
});
