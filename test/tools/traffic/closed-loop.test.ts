import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requestShares, type Workload } from '../../../lib/workload.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { flowRequests, ownFlows } from '../../../tools/traffic/model/flow-shapes.ts';
import { buildModel, type TrafficModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { page } from '../../../tools/traffic/present/page.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { type SyntheticOptions, syntheticLog } from '../../../tools/traffic/synthetic-log.ts';
import { analyse } from './helpers.ts';

const WORKLOAD: Workload = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');

async function loop(options: SyntheticOptions): Promise<TrafficModel> {
  const log = `${syntheticLog(WORKLOAD, options).join('\n')}\n`;
  return buildModel(await analyse({ 'access.log': log }), { replicates: 30 });
}

function checkShares(model: TrafficModel): void {
  const shares = Object.fromEntries(Object.entries(WORKLOAD.flows).map(([name, flow]) => [name, flow.share]));
  const expected = requestShares(shares, flowRequests(ownFlows()));
  for (const { name, share } of model.endpoints)
    expect(Math.abs(share - (expected[name] ?? 0)), name).toBeLessThan(0.01);
  for (const flow of model.flows.flows)
    expect(Math.abs(flow.share - (shares[flow.name] ?? 0)), flow.name).toBeLessThan(0.015);
}

function checkThinkTimes(model: TrafficModel, tolerance: number): void {
  let checked = 0;
  for (const flow of Object.values(WORKLOAD.flows)) {
    for (const [step, law] of Object.entries(flow.thinkTimes)) {
      if (law.law !== 'uniform') continue;
      const found = model.thinkTimes.find((one) => one.step === step)?.fit?.law;
      if (found?.law !== 'uniform') throw new Error(`${step}: ${found?.law ?? 'no law'}`);
      expect(Math.abs(found.min - law.min), `${step} min`).toBeLessThan(tolerance);
      expect(Math.abs(found.max - law.max), `${step} max`).toBeLessThan(tolerance);
      checked++;
    }
  }
  expect(checked).toBe(6);
}

describe('a log made from the workload gives the workload back', { timeout: 120_000 }, () => {
  it('with session ids and stamps to the millisecond', async () => {
    const model = await loop({ seconds: 300, seed: 'ids', format: 'w3c', sessionIds: true });
    checkShares(model);
    checkThinkTimes(model, 0.2);
    const { popularity, arrivals } = model;
    if ('refused' in popularity || 'refused' in arrivals) throw new Error('refused');
    expect(popularity.family).toBe('power');
    const [low, high] = popularity.families[0]?.interval ?? [0, 0];
    expect(low).toBeLessThan(3);
    expect(high).toBeGreaterThan(3);
    expect(high - low).toBeLessThan(0.3);
    // 6,000 Poisson arrivals: 2 % is 1.5 standard deviations; the interval itself must hold the rate.
    expect(arrivals.interval[0]).toBeLessThan(20);
    expect(arrivals.interval[1]).toBeGreaterThan(20);
    expect(arrivals.process).toBe('poisson');
    expect(model.sessions.count).toBe(model.clients.count);
    expect(model.lines.malformed).toBe(0);

    const workload = toWorkload(model, { peak: false });
    expect(parseWorkload(JSON.stringify(workload), 'written')).toEqual(workload);
    // No address, no session id, no ISBN, no path of this machine.
    const written = JSON.stringify(workload) + page(model) + textReport(model);
    expect(written).not.toMatch(/979\d{10}|s-\d+|198\.18/);
  });

  it('with addresses, agents and stamps of whole seconds, within 0.3 s', async () => {
    const model = await loop({ seconds: 300, seed: 'addresses', format: 'combined' });
    checkShares(model);
    checkThinkTimes(model, 0.3);
  });

  it('as JSON whose keys scripts rely on', async () => {
    const model = JSON.parse(JSON.stringify(await loop({ seconds: 20, seed: 'json', format: 'combined' }))) as Record<
      string,
      unknown
    >;
    for (const key of [
      'lines',
      'endpoints',
      'statusClasses',
      'clients',
      'sessions',
      'thinkTimes',
      'popularity',
      'arrivals',
      'files',
    ]) {
      expect(model[key], key).toBeDefined();
    }
    expect(Object.keys(model['lines'] as object)).toEqual([
      'physical',
      'blank',
      'directive',
      'other',
      'records',
      'withoutRequest',
      'malformed',
    ]);
    const [file] = model['files'] as Record<string, unknown>[];
    for (const key of ['lines', 'endpoints', 'statusClasses']) expect(file?.[key], key).toBeDefined();
  });
});

describe('addresses that are used again and again', { timeout: 120_000 }, () => {
  it('still give shares and the session rate, by request counts', async () => {
    // 240 users who never stop: no silence tells where a session ends, and all of them begin at the beginning.
    const log = syntheticLog(WORKLOAD, { seconds: 300, seed: 'reuse', format: 'combined' });
    const sessionOf = new Map<string, number>();
    const lines = log.map((line) => {
      const address = line.slice(0, line.indexOf(' '));
      const n = sessionOf.get(address) ?? sessionOf.size;
      sessionOf.set(address, n);
      return `192.0.2.${n % 240}${line.slice(address.length)}`;
    });
    const model = buildModel(await analyse({ 'a.log': `${lines.join('\n')}\n` }), { replicates: 2 });
    if ('refused' in model.arrivals) throw new Error(model.arrivals.refused);
    expect(model.arrivals.basis).toBe('requests');
    // 6,000 arrivals at 20/s, standard deviation 1.3 %; the last sessions end up to 16 s after the 300 s of arrivals.
    expect(model.arrivals.rate / 20).toBeGreaterThan(300 / 316 - 4 * 0.013);
    expect(model.arrivals.rate / 20).toBeLessThan(1 + 4 * 0.013);
    expect(model.remarks.join()).toMatch(/cannot be told apart/);
    checkShares(model);
  });
});

describe('addresses with many users', { timeout: 120_000 }, () => {
  it('give shares from request counts, and no think times', async () => {
    const log = syntheticLog(WORKLOAD, { seconds: 120, seed: 'nat', format: 'combined' }).map((line) =>
      line.replace(/^\S+/, '192.0.2.1'),
    );
    const model = buildModel(await analyse({ 'a.log': `${log.join('\n')}\n` }), { replicates: 20 });
    expect(model.clients.shared).toBeGreaterThan(0);
    expect(model.remarks.join()).toMatch(/many users/);
    expect(model.thinkTimes.reduce((sum, one) => sum + one.n, 0)).toBeLessThan(0.02 * model.lines.records);
    const browse = model.flows.flows.find((flow) => flow.name === 'browse');
    expect(browse?.share).toBeCloseTo(0.7, 1);
  });
});
