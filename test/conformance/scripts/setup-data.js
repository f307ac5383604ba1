export const options = { vus: 1, iterations: 2 };
export function setup() {
  return { list: [1, 2], text: 'a', none: undefined };
}
export default function (data) {
  console.log(`iteration ${JSON.stringify([data.list, data.text, data.none])}`);
  data.list.push(3);
}
export function teardown(data) {
  console.log(`teardown ${JSON.stringify([data.list, data.text, data.none])}`);
}
