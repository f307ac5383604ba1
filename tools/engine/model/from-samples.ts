/** A server model out of an earlier run: latencies by endpoint, and the statuses it answered with. */
import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { UserError } from '../../base/user-error.ts';
import type { ServerModel } from './server-model.ts';

/** Steps of the empirical law; 0.5 % of the probability each. */
const STEPS = 200;

/**
 * @param file k6's CSV of the run
 * @param base what the samples do not say: cache, stock, limits
 * @throws UserError when the file has no requests
 */
export async function modelFromSamples(file: string, base: ServerModel): Promise<ServerModel> {
  const byName = new Map<string, { values: number[]; statuses: Map<string, number>; n: number }>();
  await new Promise<void>((resolve, reject) => {
    Papa.parse<Record<string, string>>(createReadStream(file), {
      header: true,
      step: ({ data }) => {
        if (data['metric_name'] !== 'http_req_duration') return;
        const name = data['name'] ?? '';
        if (!/^[0-9]+$/.test(data['status'] ?? '')) return;
        const entry = byName.get(name) ?? { values: [], statuses: new Map<string, number>(), n: 0 };
        byName.set(name, entry);
        entry.n++;
        const status = data['status'] ?? '0';
        if (/^2/.test(status)) entry.values.push(Number(data['metric_value']));
        else entry.statuses.set(status, (entry.statuses.get(status) ?? 0) + 1);
      },
      complete: () => resolve(),
      error: reject,
    });
  });
  if (byName.size === 0) throw new UserError(`${file} holds no http_req_duration samples to make a model of`);
  const endpoints = Object.fromEntries(
    [...byName].map(([name, { values, statuses, n }]) => [
      name,
      {
        latency: { law: 'empirical' as const, quantiles: quantilesOf(values) },
        statuses: Object.fromEntries([...statuses].map(([status, count]) => [status, count / n])),
      },
    ]),
  );
  return { ...base, endpoints: { ...base.endpoints, ...endpoints } };
}

function quantilesOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return [0, 0];
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const at = (i / STEPS) * (sorted.length - 1);
    const low = sorted[Math.floor(at)] ?? 0;
    const high = sorted[Math.ceil(at)] ?? low;
    return low + (high - low) * (at - Math.floor(at));
  });
}
