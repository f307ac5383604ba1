import { describe, expect, it } from 'vitest';
import { type DrawnFlow, drawnRows } from '../../../lib/model/drawn-rows.ts';
import { drawSteps } from '../../../lib/model/drawn-sessions.ts';
import { hashSeed, type Random, sessionRandom } from '../../../lib/model/random.ts';
import type { Workload } from '../../../lib/model/workload.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import {
  addPair,
  addSteps,
  noCounts,
  requestsOf,
  sumOf,
  unseenCounts,
} from '../../../tools/traffic/model/flow-forms.ts';
import { buildModel, type TrafficModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { analyse } from './helpers.ts';

async function modelOf(sessions: number, steps: (random: Random) => string[]): Promise<TrafficModel> {
  const random = sessionRandom(hashSeed('discovered'), 0);
  const rows: { at: number; line: string }[] = [];
  for (let session = 0; session < sessions; session++) {
    let at = 3_600_000 * random();
    for (const step of steps(random)) {
      const [method = '', path = ''] = step.split(' ');
      const time = new Date(Date.UTC(2024, 2, 4, 10) + at).toISOString();
      rows.push({ at, line: JSON.stringify({ time, method, path, status: 200, session_id: `u${session}` }) });
      at += 1000 + 1000 * random();
    }
  }
  const log = rows.sort((a, b) => a.at - b.at).map(({ line }) => line);
  return buildModel(await analyse({ 'a.log': `${log.join('\n')}\n` }), { replicates: 2 });
}

/** A flow of its own for each of 30 kinds, at endpoints whose names nobody takes for values. */
function twoSteps(kind: number): string[] {
  const thing = ['books', 'carts', 'orders', 'users', 'shops', 'tags'][kind % 6];
  const action = ['list', 'search', 'edit', 'stats', 'export'][kind % 5];
  return [`GET /${thing}/${action}`, `POST /${thing}/${action}`];
}

/** Requests per session and share of each endpoint that a run of the workload sends. */
function mixOf(workload: Workload, n: number): { perSession: number; shares: Map<string, number> } {
  const counts = new Map<string, number>();
  let requests = 0;
  let sessions = 0;
  for (const [name, flow] of Object.entries(workload.flows)) {
    const rows = drawnRows(flow as DrawnFlow);
    const own = Math.round(n * flow.share);
    const base = hashSeed(name);
    sessions += own;
    for (let i = 0; i < own; i++) {
      for (const step of drawSteps({ row: (place) => rows[place], n: own, base }, i, sessionRandom(base, i)).steps) {
        const endpoint = workload.endpoints?.[step] ?? step;
        counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
        requests++;
      }
    }
  }
  return {
    perSession: requests / sessions,
    shares: new Map([...counts].map(([name, count]) => [name, count / requests])),
  };
}

function expectMixBack(model: TrafficModel): void {
  const workload = parseWorkload(JSON.stringify(toWorkload(model, { peak: false })), 'workload.json');
  const back = mixOf(workload, 20_000);
  expect(Math.abs(back.perSession / model.sessions.requestsPerSession - 1)).toBeLessThan(0.02);
  for (const { name, share } of model.endpoints) {
    expect(Math.abs((back.shares.get(name) ?? 0) - share), name).toBeLessThan(0.01);
  }
}

/** The next step with its chance, until none is chosen. */
const WAYS: Readonly<Record<string, readonly (readonly [to: string, chance: number])[]>> = {
  'GET /home': [
    ['GET /list', 0.7],
    ['GET /find', 0.3],
  ],
  'GET /list': [
    ['GET /thing', 0.7],
    ['GET /list', 0.1],
  ],
  'GET /find': [
    ['GET /thing', 0.5],
    ['GET /find', 0.25],
    ['GET /list', 0.1],
  ],
  'GET /thing': [
    ['GET /thing', 0.3],
    ['GET /list', 0.3],
    ['POST /basket', 0.2],
  ],
  'POST /basket': [['GET /thing', 0.3]],
};

function markov(random: Random): string[] {
  const steps: string[] = [];
  let at: string | undefined = 'GET /home';
  while (at !== undefined) {
    steps.push(at);
    let u = random();
    const next: string = at;
    at = undefined;
    for (const [to, chance] of WAYS[next] ?? []) {
      if (u >= 0 && u < chance) at = to;
      u -= chance;
    }
  }
  return steps;
}

describe('the mix of discovered flows comes back', { timeout: 120_000 }, () => {
  it('for fixed sequences that repeat an endpoint', async () => {
    const model = await modelOf(600, (random) =>
      random() < 0.6 ? ['GET /a', 'GET /b', 'GET /a', 'GET /c'] : ['POST /in', 'GET /me', 'GET /me', 'POST /out'],
    );
    expect(model.flows.flows.map(({ exact, sessions }) => exact === sessions)).toEqual([true, true]);
    expectMixBack(model);
  });

  it('for a geometric number of repeats, longer than sessions are kept in order', async () => {
    const model = await modelOf(1200, (random) => {
      const steps = ['GET /list'];
      do steps.push(`GET /posts/post-number-${Math.floor(300 * random())}`);
      while (random() < 0.88);
      return steps;
    });
    const others = model.flows.flows.find(({ name }) => name === 'others');
    // More than 14 posts: 0.88^14 of the sessions.
    expect(Math.abs((others?.share ?? 0) - 0.88 ** 14)).toBeLessThan(0.03);
    expect(model.flows.unexplained).toBeCloseTo(others?.share ?? 0, 10);
    expect(model.remarks.join('\n')).toMatch(/% of the sessions fit none of the 1 flows .* they are the flow "others"/);
    expectMixBack(model);
  });

  it('for Markov sessions with loops', async () => {
    expectMixBack(await modelOf(2000, markov));
  });

  it('for more flows than six, with shares among all sessions', async () => {
    const model = await modelOf(2100, (random) => {
      return twoSteps(Math.floor(7 * random()));
    });
    expect(model.flows.flows).toHaveLength(7);
    for (const { interval } of model.flows.flows) {
      // 95 % intervals widened: seven at once.
      expect(interval[0] - 0.01).toBeLessThan(1 / 7);
      expect(interval[1] + 0.01).toBeGreaterThan(1 / 7);
    }
    expect(model.flows.unexplained).toBe(0);
    expectMixBack(model);
  });

  it('for more flows than are kept, without scaling shares up', async () => {
    const model = await modelOf(3000, (random) => {
      return twoSteps(Math.floor(30 * random()));
    });
    expect(model.flows.flows).toHaveLength(21);
    expect(Math.abs((model.flows.flows[20]?.share ?? 0) - 1 / 3)).toBeLessThan(0.08);
    expectMixBack(model);
  });
});

describe('counts of sessions that nobody kept', () => {
  it('are what is left of all, starts by balance', () => {
    const [all, known, hidden] = [noCounts(), noCounts(), noCounts()];
    addSteps(known, [1, 2, 2, 3], 10);
    addSteps(hidden, [4, 2, 2, 2, 3], 3);
    addSteps(hidden, [1, 3, 1, 3], 2);
    for (const part of [known, hidden]) {
      for (const [step, n] of part.ends) all.ends.set(step, (all.ends.get(step) ?? 0) + n);
      for (const [from, row] of part.pairs) for (const [to, n] of row) addPair(all, from, to, n);
    }
    const found = unseenCounts({ all, known, sessions: 5, requests: requestsOf(hidden) });
    expect(new Map(found.starts)).toEqual(hidden.starts);
    expect(new Map(found.ends)).toEqual(hidden.ends);
    expect(sumOf(found.starts)).toBe(5);
    expect(requestsOf(found)).toBe(23);
  });
});
