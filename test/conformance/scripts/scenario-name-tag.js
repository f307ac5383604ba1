// Tags of a scenario that have the names of k6's own.
import exec from 'k6/execution';
import http from 'k6/http';
import { Trend } from 'k6/metrics';

const trend = new Trend('trend');
const tags = { name: 'ours', scenario: 'mine', group: 'g', url: 'u', method: 'm', status: '9' };
export const options = { scenarios: { a: { executor: 'per-vu-iterations', tags } } };

export default function () {
  http.get(`${__ENV.BASE}/ok`);
  http.get(`${__ENV.BASE}/ok`, { tags: { name: 'its own' } });
  http.get(http.url`${__ENV.BASE}/ok`);
  trend.add(1, { name: 'own' });
  trend.add(1);
  const all = exec.vu.metrics.tags;
  console.log(
    Object.keys(all)
      .sort()
      .map((key) => `${key}=${all[key]}`)
      .join(),
  );
}
