import exec from 'k6/execution';
export const options = { vus: 1, iterations: 5 };
export default function () {
  if (__ITER === 2) exec.test.abort('data exhausted');
}
export function teardown() {
  console.log('teardown');
}
