// Callbacks of promises: V8 runs them when the script waits, before time goes on.
import { sleep } from 'k6';

export const options = {
  scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 2, maxDuration: '10m' } },
};

let told = 0;

export default function () {
  Promise.resolve(1)
    .then((n) => n + 1)
    .then((n) => {
      told += n;
    });
  const before = told;
  sleep(1);
  console.log(`${__VU} ${__ITER} told ${before} then ${told}`);
}
