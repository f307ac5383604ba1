/** What closed loops withhold while the system is slow, against arithmetic; and what they do not while it is not. */
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { withheldOf } from '../../../tools/verdict/closed-loops.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1_795_982_260_000;
const SLOW = { ratio: 2, ms: 20 };

/** Users who each send one request an iteration and then think; `answer` gives its time by when it begins, both ms. */
async function loop(
  users: number,
  seconds: number,
  answer: (at: number, random: () => number) => number,
  think: (random: () => number) => number,
) {
  const random = sessionRandom(users * 31 + seconds, 0);
  const rows: [number, string][] = [];
  for (let user = 0; user < users; user++) {
    let at = random() * 20;
    while (at < seconds * 1000) {
      const duration = answer(at, random);
      const pause = think(random);
      const ended = START + at + duration;
      const done = ended + pause;
      rows.push([ended, requestRows(Math.round(ended), duration)]);
      rows.push([
        done,
        `iteration_duration,${Math.round(done)},${duration + pause},,,,,,,,,browse,,,,,,,\niterations,${Math.round(done)},1,,,,,,,,,browse,,,,,,,\n`,
      ]);
      at += duration + pause;
    }
  }
  rows.sort((a, b) => a[0] - b[0]);
  const path = made(`loop-${users}-${seconds}.csv`, `${HEADER}\n${rows.map(([, row]) => row).join('')}`);
  const { facts, verdict } = await analyse({ paths: [path], plan: `vus=${users},duration=${seconds}s` });
  const severity = (rule: string) => verdict.reasons.filter((one) => one.rule === rule).map((one) => one.severity);
  return { withheld: facts.withheld?.[0], dispersion: facts.dispersion?.['browse'], severity };
}

const exponential = (mean: number) => (random: () => number) => -mean * Math.log(1 - random());
const usualAnswer = exponential(20);

describe('a closed loop that was never held back', () => {
  it.each([
    ['exponential answers, no think time', 8, 20, (_: number, r: () => number) => usualAnswer(r) + 1, () => 0],
    [
      'one answer in twenty takes a second',
      10,
      30,
      (_: number, r: () => number) => (r() < 0.05 ? 1000 : 10),
      () => 100,
    ],
    [
      'lognormal answers, users think',
      20,
      30,
      (_: number, r: () => number) => 15 * Math.exp(Math.sqrt(-2 * Math.log(1 - r())) * Math.cos(6.283 * r())),
      exponential(500),
    ],
  ] as const)('%s', async (_, users, seconds, answer, think) => {
    const { severity, withheld } = await loop(users, seconds, answer, think);
    expect(severity('closed-model')).toEqual(['note']);
    expect(withheld?.withheld ?? 0).toBeLessThan(0.004 * (withheld?.sent ?? 1));
  });
});

type Answer = (at: number) => number;
const stalled: Answer = (at) => (at > 10_000 && at < 13_000 ? 13_020 - at : 20);
const slowed: Answer = (at) => (at > 10_000 && at < 15_000 ? 160 : 20);

describe('a closed loop through a slow time', () => {
  it.each([
    ['nothing is answered for 3 s', stalled, 3, 0],
    ['answers take eight times as long for 5 s', slowed, 5, 20],
  ])('%s', async (_, answer, slow, pause) => {
    const { severity, withheld } = await loop(10, 30, answer, () => pause);
    expect(severity('closed-model')).toEqual(['suspect']);
    expect(Math.abs((withheld?.slowSeconds ?? 0) - slow)).toBeLessThan(1);
  });

  it('lacks what the same users would have sent: ten a second of 50 ms each, for 2 s four times as slow, half of the time spent thinking', () => {
    const usual = { n: 100, relative: 1, until: 0 };
    const slow = { n: 40, relative: 4, until: 0 };
    const pace = { requestMs: 50, requestsPerIteration: 1, otherMs: 50 };
    const found = withheldOf([usual, usual, slow, slow, usual], 1, pace, SLOW);
    // An iteration of 100 ms takes 250: 40 were begun where 100 would have been.
    expect(found).toMatchObject({ seconds: 5, slowSeconds: 2, times: 4, sent: 380, withheld: 120 });
  });
});

describe('users who all think the same time', () => {
  it('are a crowd when they are many and began together, and none when they are few', async () => {
    const answer = () => 5;
    const many = await loop(60, 60, answer, () => 1000);
    expect(many.dispersion).toBeGreaterThan(40);
    expect(many.severity('think-time')).toEqual(['suspect']);
    const few = await loop(5, 60, answer, () => 1000);
    expect(few.severity('think-time')).toEqual(['note']);
  });
});
