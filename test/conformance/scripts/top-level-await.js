// The top level waits for what settles at once.
const iterations = await Promise.resolve(5);

export const options = { iterations };

export default function () {
  console.log(iterations);
}
