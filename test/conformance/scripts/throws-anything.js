export const options = { vus: 1, iterations: 5 };
export default function () {
  const things = ['text', { a: 1 }, null, undefined, 5];
  throw things[__ITER];
}
