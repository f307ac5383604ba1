import { SharedArray } from 'k6/data';

const a = new SharedArray('a', () => [{ n: 1, d: new Date(0), f: NaN, u: undefined }, 'text', [1, 2]]);
const same = new SharedArray('a', () => ['other']);
export const options = { vus: 1, iterations: 1 };
const attempt = (what, f) => {
  try {
    console.log(`${what}: ${JSON.stringify(f())}`);
  } catch (error) {
    console.log(`${what}: ${error.name}`);
  }
};
export default function () {
  attempt('length', () => a.length);
  attempt('first', () => a[0]);
  // biome-ignore lint/suspicious/noSelfCompare: every access gives a new copy, which is the behaviour to show.
  attempt('identity', () => a[0] === a[0]);
  attempt('past the end', () => typeof a[99]);
  attempt('same name', () => same.length);
  attempt('write', () => {
    a[0] = 1;
  });
  attempt('push', () => a.push(1));
  attempt('frozen', () => {
    a[0].n = 2;
    return a[0].n;
  });
  attempt('map', () => a.map((x) => typeof x));
  attempt('iterate', () => [...a].length);
  attempt('late', () => new SharedArray('b', () => []));
}
