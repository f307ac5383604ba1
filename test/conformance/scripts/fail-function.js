import { fail } from 'k6';
export const options = { vus: 1, iterations: 2 };
export default function () {
  if (__ITER === 0) fail('not today');
  console.log('second');
}
