import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { UserError } from '../../../tools/base/user-error.ts';
import { syntheticLog } from '../../../tools/lab/traffic/synthetic-log.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { type KnownFlow, ownFlows } from '../../../tools/traffic/model/flow-shapes.ts';
import { parseSessions } from '../../../tools/traffic/solve/sessions.ts';
import { fromSessions, solveWishes } from '../../../tools/traffic/solve/solver.ts';
import { parseWish } from '../../../tools/traffic/solve/wishes.ts';
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

  it('refuses what cannot be, with the shares that can', () => {
    // Three of checkout's four requests are its own.
    expect(() => solve('checkout=80%')).toThrow(/no session shares give checkout = 80 % .* give 0\.0 % to 75\.0 %/);
    // A quarter of checkout's requests are details, two thirds of browse's.
    expect(() => solve('details=20%')).toThrow(/give 25\.0 % to 66\.7 %/);
    expect(() => solve('chekout=5%')).toThrow(/neither a flow/);
    expect(() => solve('details:all=50%')).toThrow(/only a flow has :all; write details=/);
    expect(() => solve('order=5%', 'cart=6%')).toThrow(/contradict each other/);
    expect(() => solve('checkout=15%', 'checkout=16%')).toThrow(/contradict each other/);
    expect(() => solve('checkout=5%', 'search=5%', 'browse=20%')).toThrow(/every flow has a wish/);
    expect(() => solveWishes(FLOWS, { browse: 0, search: 0, checkout: 100 }, [parseWish('checkout=15%')])).toThrow(
      /browse, search\) have no sessions to begin with/,
    );
  });
});

function solve(...wishes: string[]) {
  return solveWishes(FLOWS, BASE, wishes.map(parseWish));
}

describe('shares that one flow cannot give', () => {
  it('move another one: 30 % details by more checkout, since browse and search have at least 50 %', () => {
    const { sessions, requests } = solve('details=30%');
    expect(requests['GET /api/books/{isbn}']).toBeCloseTo(0.3, 9);
    // s + 16/9 (1 - s) = 0.3 (4 s + 25/9 (1 - s)) with 7/9 browse and 2/9 search: 8.5 = 10.3 s.
    expect(sessions['checkout']).toBeCloseTo(85 / 103, 9);
    expect((sessions['browse'] ?? 0) / (sessions['search'] ?? 1)).toBeCloseTo(3.5, 9);
  });

  it('are reached at the ends of the range too', () => {
    expect(solve('details=25%').sessions).toEqual({ browse: 0, search: 0, checkout: 1 });
    expect(solve('checkout:all=100%').sessions['checkout']).toBeCloseTo(1, 9);
    expect(solve('checkout=0%').sessions['checkout']).toBe(0);
  });

  it('take several wishes for one flow when they agree', () => {
    const { requests } = solve('checkout=15%', 'order=5%');
    expect(requests['POST /api/orders']).toBeCloseTo(0.05, 9);
    expect(solve('checkout=15%', 'checkout=15%').sessions['checkout']).toBeCloseTo(25 / 169, 9);
  });

  it('give up proportions when nothing else does, and say so', () => {
    // Nearly all sessions are a's, which sends x alone.
    const flow = (name: string, requests: Record<string, number>): KnownFlow => ({
      name,
      requests,
      thinks: [],
      picks: 0,
    });
    const flows = [
      flow('a', { x: 4 }),
      flow('b', { x: 1, y: 3 }),
      flow('c', { y: 1, z: 3 }),
      flow('d', { x: 1, z: 3 }),
    ];
    for (const [x, y] of [
      [0.5, 0.3],
      [0.3, 0.3],
      [0.45, 0.5],
    ] as const) {
      const wishes = [
        { subject: 'GET x', share: x },
        { subject: 'GET y', share: y },
      ];
      const renamed = flows.map((one) => ({
        ...one,
        requests: Object.fromEntries(Object.entries(one.requests).map(([name, n]) => [`GET ${name}`, n])),
      }));
      const { requests, sessions } = solveWishes(renamed, { a: 0.97, b: 0.01, c: 0.01, d: 0.01 }, wishes);
      expect(requests['GET x']).toBeCloseTo(x, 6);
      expect(requests['GET y']).toBeCloseTo(y, 6);
      expect(Object.values(sessions).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      for (const share of Object.values(sessions)) expect(share).toBeGreaterThanOrEqual(0);
    }
  });

  it('meet every wish that they are found for: random flows and wishes', () => {
    const random = sessionRandom(hashSeed('wishes'), 0);
    let solved = 0;
    for (let round = 0; round < 300; round++) {
      const flows = Array.from({ length: 2 + Math.floor(4 * random()) }, (_, i) => ({
        name: `f${i}`,
        requests: Object.fromEntries(
          ['GET /a', 'GET /b', 'GET /c', 'GET /d'].flatMap((name) =>
            random() < 0.6 || name === 'GET /a' ? [[name, 1 + Math.floor(4 * random())]] : [],
          ),
        ) as Record<string, number>,
        thinks: [],
        picks: 0,
      }));
      const base = Object.fromEntries(flows.map(({ name }) => [name, random()]));
      const truth = fromSessions(flows, Object.fromEntries(flows.map(({ name }) => [name, random() ** 3])));
      const subjects = Object.keys(truth.requests).slice(0, 1 + Math.floor(3 * random()));
      // What some mix gives can be asked for; half of the wishes are anything.
      const wishes = subjects.map((subject) => ({
        subject,
        share: round % 2 === 0 ? (truth.requests[subject] as number) : random(),
      }));
      try {
        const { requests } = solveWishes(flows, base, wishes);
        for (const { subject, share } of wishes) expect(Math.abs((requests[subject] ?? 0) - share)).toBeLessThan(2e-6);
        solved++;
      } catch (error) {
        if (round % 2 === 0 || !(error instanceof UserError)) throw error;
      }
    }
    expect(solved).toBeGreaterThanOrEqual(150);
  });
});

describe('what is written at the command line', () => {
  const NAMES = ['browse', 'search', 'checkout'];

  it.each([
    ['70,20,10', undefined],
    ['0.7, 0.2, 0.1', undefined],
    ['70 %,20 %,10 %', undefined],
    ['checkout=10,browse=70,search=20', undefined],
    ['70,20,11', 101],
    ['1,1,1', 3],
  ])('is read: --sessions "%s", normalised from %s', (text, from) => {
    expect(parseSessions(text, NAMES).normalisedFrom).toBe(from);
  });

  it.each([
    ['Infinity,20,10', /"Infinity" is no share/],
    ['1e308,1e308,1', /"1e308" is no share/],
    [`${'9'.repeat(400)},1,1`, /is no share/],
    ['NaN,20,10', /"NaN" is no share/],
    ['0x10,20,10', /"0x10" is no share/],
    ['-1,20,10', /"-1" is no share/],
    ['70,x,10', /"x" is no share of a flow/],
    ['', /"" is no share/],
    ['70,20,', /"" is no share/],
    ['70,20', /no share for checkout/],
    ['70,20,10,5', /4 shares are too many for 3 flows; .* decimals take a point/],
    ['browse=70,search=20', /no share for checkout/],
    ['browse=70,browse=20,checkout=10', /browse has two shares/],
    ['checkout=10,70,20', /with and without names are mixed/],
    ['browse=70,5,search=20,checkout=10', /mixed/],
    ['brows=70,search=20,checkout=10', /"brows=70" is no share/],
    ['0,0,0', /above 0/],
  ])('is refused in one sentence: --sessions "%s"', (text, why) => {
    expect(() => parseSessions(text, NAMES)).toThrow(why);
    expect(() => parseSessions(text, NAMES)).toThrow(/; write 70,20,10 in the order browse, search, checkout, or /);
  });

  it.each([
    ['checkout=15%', 0.15],
    [' checkout = 15 % ', 0.15],
    ['checkout=.15', 0.15],
    ['GET /api/books?search==10.5%', 0.105],
  ])('is read: --requests "%s"', (text, share) => {
    expect(parseWish(text).share).toBeCloseTo(share, 12);
    expect(parseWish(text).subject).toBe(text.slice(0, text.lastIndexOf('=')).trim());
  });

  it.each([
    'checkout',
    '=15%',
    'checkout=',
    'checkout=15',
    'checkout=0x1%',
    'checkout=1e-1',
    'checkout=-1%',
    '5%',
    'a=NaN',
  ])('is refused: --requests "%s"', (text) => {
    expect(() => parseWish(text)).toThrow(/is no wish; write NAME=SHARE/);
  });
});
