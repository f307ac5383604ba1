// A k6 script of one's own that borrows single pieces: random arrivals, think times, popularity, latency by status class,
// guarded thresholds and the summary. Bundle it with any bundler: esbuild script.js --bundle --format=esm --external:k6 --external:k6/*

import * as pieces from 'bookstore-load/pieces';
import { sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';

const load = pieces.poissonArrivals({ rate: 20, seconds: Number(__ENV.SECONDS ?? 30), seed: 'a', vus: 100 });
const pick = pieces.popularitySampler({ law: 'zipf', s: 1 }, 40_000);
const think = pieces.thinkTimeSampler({ law: 'uniform', min: 0.5, max: 1.5 });
const tags = { name: 'GET /books/{id}' };
export const options = {
  scenarios: { users: load.scenario },
  summaryTrendStats: ['count', 'med', 'p(90)', 'p(95)', 'p(99)', 'max'],
  thresholds: pieces.guarded({ 'duration_2xx{name:GET /books/{id}}': ['p(95)<300'], http_req_failed: ['rate<0.01'] }),
};
export default () => {
  const random = pieces.sessionRandom(pieces.hashSeed('a'), exec.scenario.iterationInTest);
  sleep(random() * load.shiftSeconds);
  for (let i = 0; i < 2; i++) {
    pieces.addLatency(http.get(`${__ENV.BASE_URL}/books/${pick(random)}`, { tags }), tags);
    sleep(think(random));
  }
};
export const handleSummary = (data) => ({ stdout: pieces.latencySummary(data) });
