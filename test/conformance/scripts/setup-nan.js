// What setup() cannot hand on.
export function setup() {
  return Number.NaN;
}

export default function () {
  console.log('ran');
}

export function teardown() {
  console.log('torn down');
}
