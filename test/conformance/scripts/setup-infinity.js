// What setup() cannot hand on.
export function setup() {
  return { a: [Number.POSITIVE_INFINITY] };
}

export default function () {
  console.log('ran');
}

export function teardown() {
  console.log('torn down');
}
