import { Counter, Rate, Trend } from 'k6/metrics';

const t = new Trend('t1', true);
const c = new Counter('c1');
const r = new Rate('r1');
export const options = { vus: 1, iterations: 1, tags: { run: 'r 1' } };
export default function () {
  for (const v of [undefined, null, 'x', '5', NaN, true, {}, -1.5]) console.log(`${String(v)} ${t.add(v)}`);
  c.add(2, { flow: 'buy' });
  c.add(0.5);
  r.add(true);
  r.add(0);
  r.add(7, { flow: 'a,b' });
}
