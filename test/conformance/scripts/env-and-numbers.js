export const options = { vus: 1, iterations: 2, noCookiesReset: true };
if (__VU !== 0) console.log(`init ${typeof __ITER}`);
export default function () {
  console.log(`${__ENV.COLOUR} ${__VU} ${__ITER}`);
}
