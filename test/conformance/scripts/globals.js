// Globals of k6 beyond the language's.
export default function () {
  const names = ['crypto', 'TextEncoder', 'TextDecoder', 'GoError', 'open', 'console'];
  console.log(names.map((name) => `${name} ${typeof globalThis[name]}`).join());
  console.log(new TextDecoder().decode(new TextEncoder().encode('aß€😀')), new TextEncoder().encode('ß€😀').join());
  console.log(crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(4)).length);
}
