/** Addresses that hold many users: recognised without overlaps, counted, and never a rate out of nothing. */
import { describe, expect, it } from 'vitest';
import { buildModel, type TrafficModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { outlierRecorder } from '../../../tools/traffic/pass/outliers.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { analyse } from './helpers.ts';
import { addressOf, jsonLog, type MadeRequest, madeRequests, type Named } from './made-sessions.ts';

async function modelOf(
  requests: readonly MadeRequest[],
  nameOf: (request: MadeRequest) => Named,
): Promise<TrafficModel> {
  return buildModel(await analyse({ 'a.log': jsonLog(requests, nameOf) }), { replicates: 2 });
}

function found({ arrivals }: TrafficModel) {
  if ('refused' in arrivals) throw new Error(arrivals.refused);
  return arrivals;
}

const SECONDS = 120;
const REQUESTS = madeRequests(SECONDS, 'shared');
/** Sessions a second that there are. */
const RATE = new Set(REQUESTS.map(({ session }) => session)).size / SECONDS;
const THINK = 3.5;
/** Slower: one session in so many of the original. */
const every = (n: number): MadeRequest[] => REQUESTS.filter(({ session }) => session % n === 0);
const stretched = (requests: readonly MadeRequest[], by: number): MadeRequest[] => {
  const first = new Map<number, number>();
  const start = (requests[0] as MadeRequest).at;
  return requests
    .map((request) => {
      if (!first.has(request.session)) first.set(request.session, request.at);
      const began = first.get(request.session) as number;
      return { ...request, at: start + (began - start) * by + request.at - began };
    })
    .sort((a, b) => a.at - b.at);
};

describe('all clients behind a few addresses', { timeout: 120_000 }, () => {
  it.each([1, 3])(
    'with %i agents give the rate that the request counts have, over the time of all requests',
    async (agents) => {
      const model = await modelOf(REQUESTS, ({ session }) => ({ agent: `Mozilla/5.0 (${session % agents})` }));
      const { rate, basis, seconds, stages } = found(model);
      expect(basis).toBe('requests');
      expect(seconds).toBeGreaterThan(SECONDS - 10);
      expect(rate / RATE).toBeGreaterThan(0.86);
      expect(rate / RATE).toBeLessThan(1.06);
      expect(stages.length).toBeGreaterThan(2);
      expect(model.remarks.join()).toMatch(/sessions cannot be told apart/);
      expect(model.thinkTimes.reduce((sum, { n }) => sum + n, 0)).toBe(0);
      expect(model.sizing.openSessions).toBeUndefined();
      expect(model.sizing.ordersPerHour ?? 0).toBeLessThan(20 * 3600);
    },
  );

  it('of another API have no rate, and the text says what it takes', async () => {
    const other = REQUESTS.map((request) => ({ ...request, path: request.path.replace('/api/', '/v3/') }));
    const model = await modelOf(other, () => ({}));
    expect(textReport(model)).toMatch(
      /Arrivals refused: \d+ % of the requests come from addresses that hold many users.*log a session id/,
    );
    expect(() => toWorkload(model, { peak: false })).toThrow(/no arrival rate/);
  });

  it('are recognised when no request overlaps another', async () => {
    // 40 pairs of address and agent with four users or so at a time.
    const model = await modelOf(REQUESTS, ({ session }) => ({ address: addressOf(session % 40) }));
    expect(found(model).basis).toBe('requests');
    expect(model.thinkTimes.reduce((sum, { n }) => sum + n, 0)).toBeLessThan(0.01 * REQUESTS.length);
    expect(model.remarks.join()).toMatch(/take steps that no flow takes/);
  });

  it('leave the think times alone when each address is used by one user at a time', async () => {
    // 1,200 addresses that each have three sessions, one after the other.
    const model = await modelOf(REQUESTS, ({ session }) => ({ address: addressOf(session % 240) }));
    const step = model.thinkTimes.find((one) => one.step === 'list->details');
    expect(step?.fit?.median).toBeGreaterThan(0.8 * THINK);
  });
});

describe('sessions of one address one after the other', { timeout: 120_000 }, () => {
  it('give no think time of the pause between two sessions', async () => {
    // Three addresses, a session every minute at each.
    const requests = stretched(REQUESTS, 400);
    const model = await modelOf(requests, ({ session }) => ({ address: addressOf(session % 3) }));
    const { rate, basis } = found(model);
    expect(basis).toBe('requests');
    expect((rate * 400) / RATE).toBeGreaterThan(0.94);
    expect((rate * 400) / RATE).toBeLessThan(1.06);
    const step = model.thinkTimes.find((one) => one.step === 'list->details');
    expect(Math.abs((step?.fit?.median ?? 0) - THINK)).toBeLessThan(0.2);
    // Browsing that is followed by an order goes from details to details, too.
    const between = model.thinkTimes.find((one) => one.step === 'details->details');
    expect(between?.fit?.mean ?? THINK).toBeLessThan(2 * THINK);
  });
});

describe('a few addresses with many users among many with one', { timeout: 120_000 }, () => {
  it('are told by their length, and the rate makes up for them', async () => {
    const requests = stretched(every(2), 20);
    const sessions = new Set(requests.map(({ session }) => session)).size;
    // A third of the sessions behind three addresses, half a minute apart and more.
    const model = await modelOf(requests, ({ session }) => ({
      address: session % 3 === 0 ? `203.0.113.${session % 9}` : addressOf(session),
    }));
    const { rate, basis, interval } = found(model);
    const due = sessions / (20 * SECONDS);
    expect(basis).toBe('sessions');
    expect(rate / due).toBeGreaterThan(0.93);
    expect(rate / due).toBeLessThan(1.07);
    expect(interval[0]).toBeLessThan(due);
    expect(interval[1]).toBeGreaterThan(due);
    expect(model.remarks.join()).toMatch(/far longer than the others|take steps that no flow takes/);
    expect(model.remarks.join()).toMatch(
      /3\d\.\d % of the requests come from addresses that hold many users; they count as \d+ sessions/,
    );
    expect(model.sessions.requestsPerSession).toBeLessThan(4);
    const step = model.thinkTimes.find((one) => one.step === 'list->details');
    expect(Math.abs((step?.fit?.mean ?? 0) - THINK)).toBeLessThan(0.15);
  });
});

describe('a rate', { timeout: 120_000 }, () => {
  it('of a handful of sessions is refused with what it takes', async () => {
    const few = REQUESTS.filter(({ session }) => session < 4);
    const model = await modelOf(few, ({ session }) => ({ id: `s${session}` }));
    expect(model.arrivals).toEqual({
      refused: expect.stringMatching(
        /^4 sessions that began within 0\.\d s; a rate takes 10 sessions that begin over 1 s or more$/,
      ),
    });
  });
});

describe('far longer sessions', () => {
  it('lie beyond three quartile distances in requests and in time', () => {
    const sessions = outlierRecorder();
    for (let i = 0; i < 1000; i++) sessions.add(2 + (i % 4), 1000 * (5 + (i % 20)));
    expect(sessions.result().sessions).toBe(0);
    // Long in requests alone, long in time alone, in both.
    for (let i = 0; i < 5; i++) {
      sessions.add(500, 20_000);
      sessions.add(3, 9_000_000);
      sessions.add(500, 9_000_000);
    }
    expect(sessions.result()).toEqual({ sessions: 5, requests: 2500, length: 45_000_000 });
  });

  it('are none where lengths follow a wide law', () => {
    const sessions = outlierRecorder();
    // Geometric with mean 10, by its quantiles.
    for (let i = 0; i < 4000; i++) {
      const requests = 1 + Math.floor(Math.log(1 - (i + 0.5) / 4000) / Math.log(0.9));
      sessions.add(requests, 20_000 * requests);
    }
    expect(sessions.result().sessions).toBe(0);
  });
});
