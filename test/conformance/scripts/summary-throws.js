export function handleSummary() {
  throw new Error('no');
}
export default function () {}
