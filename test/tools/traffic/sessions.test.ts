/** Sessions kept in WebAssembly against the same rules written down plainly. */
import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { type EventBlock, eventWriter } from '../../../tools/traffic/events/events.ts';
import { type SessionResult, sessionizer } from '../../../tools/traffic/pass/sessionizer.ts';

interface Request {
  readonly start: number;
  readonly client: number;
  readonly route: number;
  readonly took: number;
}

const GAP = 600_000;
/** Silences of less than an hour: clients are given up after that. */
const KEPT_BINS = Math.floor(8 * Math.log2(3600));

/** Visits of up to `longest` steps with 1 to 60 s between them; a few pauses are longer than the gap. */
function requestsOf(clients: number, hours: number, longest: number, seed: string): Request[] {
  const random = sessionRandom(hashSeed(seed), 0);
  const below = (n: number): number => Math.floor(random() * n);
  const requests: Request[] = [];
  for (let i = 0; i < clients; i++) {
    // Some clients come back.
    const client = random() < 0.1 ? below(i + 1) : i;
    let start = below(hours * 3_600_000);
    for (let n = 1 + below(longest); n > 0; n--) {
      const took = random() < 0.2 ? Number.NaN : below(900);
      requests.push({ start, client, route: random() < 0.02 ? 30 + below(10) : below(3), took });
      start += (took || 0) + 1000 + below(59_000) + (random() < 0.02 ? GAP + below(GAP) : 0);
    }
  }
  return requests.sort((a, b) => a.start - b.start);
}

/** The rules without tables, blocks and sweeps: a list of requests for each client. */
function plainly(requests: readonly Request[]): object {
  const perClient = new Map<number, Request[]>();
  for (const request of requests) {
    const list = perClient.get(request.client);
    if (list === undefined) perClient.set(request.client, [request]);
    else list.push(request);
  }
  const silences: Record<number, number> = {};
  const shapes: Record<string, number> = {};
  const transitions: Record<string, [number, number]> = {};
  const minutes: Record<number, [number, number]> = {};
  const minute = (start: number): [number, number] => {
    const m = Math.floor(start / 60_000);
    minutes[m] ??= [0, 0];
    return minutes[m];
  };
  let sessions = 0;
  let length = 0;
  for (const list of perClient.values()) {
    const open: Request[] = [];
    let first = 0;
    let end = 0;
    const close = (): void => {
      if (open.length === 0) return;
      sessions++;
      length += end - first;
      const shape = open.length > 15 ? 'cut' : open.map(({ route }) => route).join();
      shapes[shape] = (shapes[shape] ?? 0) + 1;
      open.length = 0;
    };
    for (const request of list) {
      const { start, route } = request;
      minute(start)[0]++;
      const silence = start - end;
      if (open.length > 0 && silence >= 1000) {
        const bin = Math.min(159, Math.floor(8 * Math.log2(silence / 1000)));
        if (bin < KEPT_BINS) silences[bin] = (silences[bin] ?? 0) + 1;
      }
      if (open.length > 0 && silence > GAP) close();
      if (open.length === 0) {
        first = end = start;
        minute(start)[1]++;
      } else {
        const key = `${open.at(-1)?.route}-${route}`;
        const [n, sum] = transitions[key] ?? [0, 0];
        transitions[key] = [n + 1, sum + silence / 1000];
      }
      open.push(request);
      end = Math.max(end, start + (request.took || 0));
    }
    close();
  }
  return {
    requests: requests.length,
    clients: perClient.size,
    sessions,
    length,
    silences,
    shapes,
    transitions,
    minutes,
  };
}

/** The same figures of the tool's result. */
function figures(result: SessionResult): object {
  return {
    requests: result.requests,
    clients: result.clients.count,
    sessions: result.sessions,
    length: result.totalLength,
    silences: Object.fromEntries(
      [...result.silences.slice(0, KEPT_BINS)].map((n, bin) => [bin, n]).filter(([, n]) => n !== 0),
    ),
    shapes: Object.fromEntries(result.sequences.map(({ steps, cut, n }) => [cut ? 'cut' : steps.join(), n])),
    transitions: Object.fromEntries(
      result.transitions.map(({ from, to, gaps }) => [
        `${from}-${to}`,
        [gaps.n, gaps.values.reduce((a, b) => a + b, 0)],
      ]),
    ),
    minutes: Object.fromEntries(result.series.minutes),
  };
}

function blockOf(requests: readonly Request[]): EventBlock {
  const writer = eventWriter();
  for (const { start, client, route, took } of requests) {
    writer.push(start, client, client * 7, route, 200, took, Number.NaN);
  }
  return writer.take();
}

/** Keys in a fixed order; numbers as they are. */
function sorted(value: unknown): unknown {
  return typeof value === 'object' ? Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)) : value;
}

/** Sums of single-precision gaps against sums of double ones. */
function expectSame(got: object, due: object): void {
  const { transitions: gaps, ...rest } = got as { transitions: Record<string, [number, number]> };
  const { transitions: dueGaps, ...dueRest } = due as { transitions: Record<string, [number, number]> };
  for (const [name, value] of Object.entries(dueRest)) {
    expect(JSON.stringify(sorted(rest[name as keyof typeof rest])), name).toBe(JSON.stringify(sorted(value)));
  }
  expect(Object.keys(gaps).sort()).toEqual(Object.keys(dueGaps).sort());
  for (const [key, [n, sum]] of Object.entries(dueGaps)) {
    expect(gaps[key]?.[0], key).toBe(n);
    expect(Math.abs((gaps[key]?.[1] ?? Number.NaN) / sum - 1), key).toBeLessThan(1e-6);
  }
}

describe('sessions', { timeout: 120_000 }, () => {
  it.each([
    ['of few clients and many steps', 200, 2, 40],
    ['of clients that the first table has no room for', 30_000, 2, 5],
    ['of so many clients that idle ones are given up in between', 100_000, 8, 3],
  ])('%s are what the rules written plainly give', (_, clients, hours, longest) => {
    const requests = requestsOf(clients, hours, longest, `sessions ${clients}`);
    const sessions = sessionizer({ gap: GAP, resolution: 1, samples: 1_000_000 });
    // In uneven parts, as logs bring them.
    for (let at = 0, i = 1; at < requests.length; i++) {
      const { rows, n } = blockOf(requests.slice(at, at + 997 * i));
      sessions.add(rows, n);
      at += n;
    }
    expectSame(figures(sessions.result()), plainly(requests));
  });

  it('begin anew in memory that others have used', () => {
    const requests = requestsOf(500, 1, 12, 'again');
    const { rows, n } = blockOf(requests);
    const results = [1, 2].map(() => {
      const sessions = sessionizer({ gap: GAP, resolution: 1 });
      sessions.add(rows, n);
      return JSON.stringify(figures(sessions.result()));
    });
    expect(results[1]).toBe(results[0]);
  });
});
