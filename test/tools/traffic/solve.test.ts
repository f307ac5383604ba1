import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { parseSessions } from '../../../tools/traffic/command-solve.ts';
import { ownFlows } from '../../../tools/traffic/model/flow-shapes.ts';
import { fromSessions, parseWish, solveWishes } from '../../../tools/traffic/solve.ts';
import { syntheticLog } from '../../../tools/traffic/synthetic-log.ts';
import { analyse } from './helpers.ts';

const FLOWS = ownFlows();
const BASE = { browse: 0.7, search: 0.2, checkout: 0.1 };

describe('traffic solve', { timeout: 120_000 }, () => {
  it("turns 70/20/10 % of sessions into the brief's request shares: 17, 7, 2, 1, 1, 1 of 29", () => {
    const { requests, requestsPerSession } = fromSessions(FLOWS, { browse: 70, search: 20, checkout: 10 });
    expect(requestsPerSession).toBeCloseTo(2.9, 12);
    expect(
      Object.values(requests)
        .map((share) => Math.round(share * 29))
        .sort((a, b) => b - a),
    ).toEqual([17, 7, 2, 1, 1, 1]);
  });

  it('finds the session shares that make the log show 15 % at the endpoints of checkout', () => {
    const solution = solveWishes(FLOWS, BASE, [parseWish('checkout=15%')]);
    // 3 s / (4 s + 25/9 (1 - s)) = 0.15 gives s = (25/60) / (3 - 11/60) = 25/169.
    expect(solution.sessions['checkout']).toBeCloseTo(25 / 169, 9);
    expect((solution.sessions['browse'] ?? 0) / (solution.sessions['search'] ?? 1)).toBeCloseTo(3.5, 9);
    expect(solution.flows['checkout']?.own).toBeCloseTo(0.15, 9);
  });

  it('takes all requests of a flow, and single endpoints, when asked to', () => {
    // 4 s / (4 s + 25/9 (1 - s)) = 0.15 gives s = (25/60) / (4 - 11/60) = 25/229.
    expect(solveWishes(FLOWS, BASE, [parseWish('checkout:all=0.15')]).sessions['checkout']).toBeCloseTo(25 / 229, 9);
    const both = solveWishes(FLOWS, BASE, [parseWish('order=5%'), parseWish('GET /api/books?search==10%')]);
    expect(both.requests['POST /api/orders']).toBeCloseTo(0.05, 9);
    expect(both.requests['GET /api/books?search=']).toBeCloseTo(0.1, 9);
  });

  it('is confirmed by a log made with the solved shares', async () => {
    const { sessions } = solveWishes(FLOWS, BASE, [parseWish('checkout=15%')]);
    const reference = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');
    const flows = Object.fromEntries(
      Object.entries(reference.flows).map(([name, flow]) => [name, { ...flow, share: sessions[name] ?? 0 }]),
    );
    const log = syntheticLog({ ...reference, flows }, { seconds: 400, seed: 'exercise', format: 'combined' });
    const { pass, routes } = await analyse({ 'a.log': `${log.join('\n')}\n` });
    let own = 0;
    let all = 0;
    pass.total.endpoints.forEach((n, cell) => {
      all += n;
      if (/carts|orders/.test(routes.names[Math.floor(cell / 6)] ?? '')) own += n;
    });
    // 8,000 sessions of which 14.8 % send 3 such requests: standard deviation 0.4 points.
    expect(Math.abs(own / all - 0.15)).toBeLessThan(0.016);
  });

  it('refuses what cannot be', () => {
    expect(() => solveWishes(FLOWS, BASE, [parseWish('checkout=80%')])).toThrow(/no session shares/);
    expect(() => solveWishes(FLOWS, BASE, [parseWish('chekout=5%')])).toThrow(/neither a flow/);
    expect(() => parseWish('checkout')).toThrow(/NAME=SHARE/);
    expect(() => parseSessions('70,x,10', ['browse', 'search', 'checkout'])).toThrow(/no share of a flow/);
  });
});
