import { expect, it } from 'vitest';
import { Lateness } from '../../../tools/engine/lateness.ts';

/** 100 answers a second for 20 s of 6 ms each; once a second the thread computes for `busy` ms. */
function run(busy: number): string | undefined {
  let now = 0;
  const lateness = new Lateness(() => now);
  const isBusy = (at: number) => at % 1000 < busy;
  const events: { at: number; act: () => void }[] = [];
  for (let at = 2; at < 20_000; at += 2) {
    // A beat that is due while the thread computes comes when it is done, once.
    if (!isBusy(at)) events.push({ at, act: () => lateness.beat() });
  }
  for (let sent = 1.5; sent < 19_900; sent += 10) {
    const came = sent + 6;
    const at = isBusy(came) ? Math.floor(came / 1000) * 1000 + busy + 0.5 : came;
    events.push({ at, act: () => lateness.taken(at - sent) });
  }
  for (const { at, act } of events.sort((a, b) => a.at - b.at)) {
    now = at;
    act();
  }
  return lateness.sentence();
}

it('says nothing of a thread that has time', () => {
  expect(run(0)).toBeUndefined();
});

it('says nothing where fewer answers wait than a p99 sees', () => {
  expect(run(8)).toBeUndefined();
});

it('names both percentiles where the p99 is off by half', () => {
  // 8 of 100 answers come while nobody listens, 7.5, 17.5, ... ms after that began; the first, which is 1 %, waits 73 ms.
  expect(run(80)).toMatch(
    /160 of \d+ answers waited for it, up to 8\d ms, and the p99 of .* is (79|80) ms where it would be about 6 ms/,
  );
});

it('says nothing of a run without answers', () => {
  expect(new Lateness(() => 0).sentence()).toBeUndefined();
});
