/** Sessions named by ids are counted, whatever else the log lacks; requests without an id beside them are no sessions of their own. */
import { describe, expect, it } from 'vitest';
import { buildModel, type TrafficModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { analyse } from './helpers.ts';
import { addressOf, jsonLog, type MadeRequest, madeRequests, type Named } from './made-sessions.ts';

const REQUESTS = madeRequests(60, 'ids');
const SESSIONS = new Set(REQUESTS.map(({ session }) => session)).size;
const byId = ({ session }: MadeRequest): Named => ({ id: `s${session}`, address: addressOf(session) });

async function modelOf(log: string): Promise<TrafficModel> {
  return buildModel(await analyse({ 'a.log': log }), { replicates: 2 });
}

let known: Promise<TrafficModel> | undefined;
/** Every request with its id. */
const wholeModel = (): Promise<TrafficModel> => {
  known ??= modelOf(jsonLog(REQUESTS, byId));
  return known;
};

function rateOf({ arrivals }: TrafficModel): number {
  if ('refused' in arrivals) throw new Error(arrivals.refused);
  expect(arrivals.basis).toBe('sessions');
  return arrivals.rate;
}

describe('sessions with ids', { timeout: 120_000 }, () => {
  it('are counted where they send what no flow sends, and shares of flows are refused', async () => {
    const start = Date.UTC(2024, 2, 4, 10);
    const views = Array.from(
      { length: 600 * 5 },
      (_, i): MadeRequest => ({
        at: start + 100 * Math.floor(i / 5) + 2000 * (i % 5),
        took: 5,
        method: 'GET',
        path: `/api/books/979000000${String(1000 + (i % 900))}`,
        query: '',
        status: 200,
        session: Math.floor(i / 5),
        step: i % 5,
      }),
    );
    const model = await modelOf(jsonLog(views, byId));
    expect(model.sessions).toMatchObject({ count: 600, requestsPerSession: 5 });
    expect(rateOf(model)).toBeCloseTo(10, 5);
    expect(model.flows.flows).toEqual([]);
    expect(textReport(model)).toMatch(/no shares of flows: the flows do not explain the request counts: [\d.]+ %/);
    expect(() => toWorkload(model, { peak: false })).toThrow(/the flows do not explain the request counts/);
  });

  it('are counted where a cache in front hides most lines', async () => {
    const seen = REQUESTS.filter(
      ({ path, step, session }) => !/^\/api\/books$/.test(path) || (session + step) % 20 === 0,
    );
    const model = await modelOf(jsonLog(seen, byId));
    const starts = new Map<number, number>();
    for (const { session, at } of seen) if (!starts.has(session)) starts.set(session, at);
    expect(model.sessions.count).toBe(starts.size);
    const seconds = (Math.max(...starts.values()) - Math.min(...starts.values())) / 1000;
    expect(rateOf(model) / (starts.size / seconds)).toBeCloseTo(1, 2);
    expect(model.flows.refused).toBeDefined();
  });

  it('are not told twice where their first request has no id yet', async () => {
    const whole = await wholeModel();
    const cookie = (request: MadeRequest): Named => {
      const { id, ...rest } = byId(request);
      return { ...rest, ...(request.step === 0 ? {} : { id: id as string }) };
    };
    const model = await modelOf(jsonLog(REQUESTS, cookie));
    expect(model.sessions).toMatchObject({ count: SESSIONS, requestsPerSession: whole.sessions.requestsPerSession });
    expect(model.clients.count).toBe(SESSIONS);
    expect(rateOf(model) / rateOf(whole)).toBeCloseTo(1, 2);
    expect(model.sessions.shapes.slice(0, 3)).toEqual(whole.sessions.shapes.slice(0, 3));
    expect(model.thinkTimes.map(({ step, n, fit }) => [step, n, fit?.mean.toFixed(2)]).slice(0, 4)).toEqual(
      whole.thinkTimes.map(({ step, n, fit }) => [step, n, fit?.mean.toFixed(2)]).slice(0, 4),
    );
    expect(model.remarks.join()).not.toMatch(/no session id/);
  });

  it('stand beside sessions by address where a tenth of the users has none, which is said', async () => {
    const model = await modelOf(
      jsonLog(REQUESTS, (request) =>
        request.session % 10 === 0 ? { address: addressOf(request.session) } : byId(request),
      ),
    );
    expect(model.sessions.count).toBe(SESSIONS);
    expect(model.remarks.join()).toMatch(
      /\d+ of \d+ requests carry no session id and count as \d+ sessions by address/,
    );
  });

  it.each([
    ['without ids', false],
    ['with ids of their own', true],
  ])('have the rate of their own time where lone looks at the system go before them %s', async (_, named) => {
    const [first] = REQUESTS;
    const looks = [-8000, -7800].map((at, i) => ({
      ...(first as MadeRequest),
      at: (first as MadeRequest).at + at,
      path: '/api/status',
      query: '',
      session: -1 - i,
    }));
    const due = rateOf(await wholeModel());
    const model = await modelOf(
      jsonLog([...looks, ...REQUESTS], (request) =>
        request.session < 0
          ? named
            ? { id: `x${request.session}` }
            : { address: addressOf((first as MadeRequest).session) }
          : byId(request),
      ),
    );
    // Without ids they may change the start of one session, that of their address.
    expect(Math.abs(rateOf(model) / due - 1)).toBeLessThan(named ? 0.0005 : 1.5 / SESSIONS);
    if (!named) expect(model.sessions.count).toBe(SESSIONS);
  });
});
