import { describe, expect, it } from 'vitest';
import { type SyntheticOptions, syntheticLog } from '../../../tools/lab/traffic/synthetic-log.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { buildModel, type TrafficModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { page } from '../../../tools/traffic/present/page.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { expectPopularity, expectShares, expectThinkTimes, WORKLOAD } from '../../support/workload-back.ts';
import { analyse } from './helpers.ts';

async function loop(options: SyntheticOptions): Promise<TrafficModel> {
  const log = `${syntheticLog(WORKLOAD, options).join('\n')}\n`;
  return buildModel(await analyse({ 'access.log': log }), { replicates: 30 });
}

describe('a log made from the workload gives the workload back', { timeout: 120_000 }, () => {
  it('with session ids and stamps to the millisecond', async () => {
    const model = await loop({ seconds: 300, seed: 'ids', format: 'w3c', sessionIds: true });
    expectShares(model);
    expectThinkTimes(model, 0.2);
    const { arrivals } = model;
    expectPopularity(model);
    if ('refused' in arrivals) throw new Error(arrivals.refused);
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
    expectShares(model);
    expectThinkTimes(model, 0.3);
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
    expectShares(model);
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
