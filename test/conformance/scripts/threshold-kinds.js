import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const c = new Counter('c1');
const g = new Gauge('g1');
const r = new Rate('r1');
const t = new Trend('t1');
export const options = {
  vus: 1,
  iterations: 10,
  thresholds: {
    c1: ['count==10', 'count>10'],
    g1: ['value>=9', 'value<9'],
    r1: ['rate==0.5', 'rate!=0.5'],
    t1: ['avg==5.5', 'min===1', 'max<=10', 'med==5.5', 'p(90)>9.09', 'p(95)<9.56', 'p(99)==9.91', 'p(50)>5.5'],
  },
};
export default function () {
  c.add(1);
  g.add(__ITER);
  r.add(__ITER % 2);
  t.add(__ITER + 1);
}
