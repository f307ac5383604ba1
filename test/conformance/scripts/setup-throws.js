export function setup() {
  throw new Error('no token');
}
export default function () {}
