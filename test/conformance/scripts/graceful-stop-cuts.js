import { sleep } from 'k6';
export const options = {
  scenarios: { s: { executor: 'per-vu-iterations', vus: 1, iterations: 2, maxDuration: '1s', gracefulStop: '0s' } },
};
export default function () {
  sleep(5);
}
