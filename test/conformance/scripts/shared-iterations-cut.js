import { sleep } from 'k6';
export const options = {
  scenarios: { s: { executor: 'shared-iterations', vus: 2, iterations: 9, maxDuration: '1s', gracefulStop: '3s' } },
};
export default function () {
  sleep(1.2);
}
