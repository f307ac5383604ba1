import exec from 'k6/execution';
export const options = { vus: 1, iterations: 2 };
export default function () {
  exec.test.fail('wrong');
}
