// What setup() cannot hand on.
export function setup() {
  return (() => {
    const a = {};
    a.a = a;
    return a;
  })();
}

export default function () {
  console.log('ran');
}

export function teardown() {
  console.log('torn down');
}
