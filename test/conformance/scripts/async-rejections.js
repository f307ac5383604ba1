// What nobody catches: said once, and the iteration counts.
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 1, iterations: 4 } } };

export default async function () {
  if (__ITER === 0) {
    Promise.reject(new Error('lost'));
    await null;
    console.log('goes on');
  } else if (__ITER === 1) {
    setTimeout(() => console.log('stopped'), 5000);
    throw new Error('at the end');
  } else if (__ITER === 2) {
    await new Promise(() => {});
    console.log('never');
  } else console.log('last');
}
