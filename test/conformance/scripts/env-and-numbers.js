export const options = { vus: 1, iterations: 2, noCookiesReset: true };
console.log(`init ${__VU === 0} ${typeof __ITER}`);
export default function () {
  console.log(`${__ENV.COLOUR} ${__VU} ${__ITER}`);
}
