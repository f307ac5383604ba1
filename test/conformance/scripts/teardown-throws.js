export function teardown() {
  throw new Error('late');
}
export default function () {}
