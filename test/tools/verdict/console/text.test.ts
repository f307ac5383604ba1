/** What k6 prints, read: recordings of k6 2.2, and the layout of earlier releases. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadOfDescription } from '../../../../tools/verdict/console/executors.ts';
import { readConsole } from '../../../../tools/verdict/console/text.ts';
import { consoleFixture } from '../support.ts';

const read = (name: string) => readConsole(name, readFileSync(consoleFixture(`${name}.txt`), 'utf8'));

describe('the plan', () => {
  it('of all executors at once', () => {
    const plan = read('executors')?.plan;
    expect(plan).toMatchObject({ segment: 1, maxVUs: 35 });
    // The options of the recorded script; 90 a minute are 1.5/s, a rate whose rounding may be 0.3 % of it.
    const open = { open: true, seconds: 4 };
    expect(plan?.scenarios).toEqual([
      expect.objectContaining({ name: 'car', executor: 'constant-arrival-rate', rate: 20, iterations: 80, ...open }),
      { name: 'cv', executor: 'constant-vus', startSeconds: 0, open: false, steady: true, seconds: 3, maxVUs: 2 },
      {
        name: 'pvi',
        executor: 'per-vu-iterations',
        startSeconds: 0,
        open: false,
        steady: true,
        iterations: 10,
        maxVUs: 2,
      },
      expect.objectContaining({ name: 'rar', executor: 'ramping-arrival-rate', rate: 20, steady: false, ...open }),
      { name: 'rv', executor: 'ramping-vus', startSeconds: 0, open: false, steady: false, seconds: 4, maxVUs: 3 },
      {
        name: 'si',
        executor: 'shared-iterations',
        startSeconds: 0.5,
        open: false,
        steady: true,
        iterations: 12,
        maxVUs: 3,
      },
      expect.objectContaining({ name: 'carpm', rate: 1.5, startSeconds: 1, preAllocatedVUs: 5, maxVUs: 5, ...open }),
    ]);
    expect(plan?.scenarios.at(-1)).not.toHaveProperty('iterations');
    // A shared-iterations scenario has no length of its own, so the run has none.
    expect(plan).not.toHaveProperty('seconds');
  });

  it('of an executor that k6 2.0 dropped, and of words that none has', () => {
    expect(loadOfDescription('x', 'Externally controlled execution with 2 VUs, 9 max VUs, infinite duration')).toEqual({
      name: 'x',
      executor: 'externally-controlled',
      startSeconds: 0,
      open: false,
      steady: true,
      maxVUs: 9,
    });
    expect(loadOfDescription('x', '12 somersaults (gracefulStop: 30s)')).toBeUndefined();
  });
});

describe('the end', () => {
  it('with counts, crossed and kept thresholds', () => {
    expect(read('executors')).toMatchObject({ finished: 197, interrupted: 1, ended: true, stopped: [] });
    expect(read('broken-thr')?.thresholds).toEqual([
      { key: 'http_req_duration', expression: 'p(95)<1', crossed: true },
      { key: 'http_req_duration', expression: 'max<9000', crossed: false },
      { key: 'http_req_duration{name:x}', expression: 'p(95)<1', crossed: true },
    ]);
  });

  it('of standard output alone: what goes to standard error is missed, and seen to be', () => {
    // Its crossed threshold is told on standard error too, and that line is not there.
    expect(read('executors')?.withoutErrors).toBe(true);
    expect(read('broken-thr')?.withoutErrors).toBe(false);
  });

  it('of a terminal, with colours and a bar', () => {
    expect(read('terminal')).toMatchObject({
      outputs: ['csv (tty.csv)'],
      finished: 51,
      ended: true,
      plan: { seconds: 5, scenarios: [{ name: 'a', iterations: 50 }] },
    });
  });

  it('of k6 0.4x and 0.5x', () => {
    expect(read('before-1')).toMatchObject({
      outputs: ['csv (samples.csv)'],
      finished: 1700,
      interrupted: 2,
      ended: true,
      withoutErrors: false,
      plan: {
        maxVUs: 30,
        seconds: 30,
        scenarios: [
          { name: 'load', rate: 50, seconds: 30, iterations: 1500, preAllocatedVUs: 10, maxVUs: 20 },
          { name: 'users', executor: 'ramping-vus', seconds: 20, startSeconds: 5, maxVUs: 10 },
        ],
      },
    });
  });

  it.each([
    // As k6 2.2 prints it: 294 of 293 planned iterations were started.
    ['load ✗ [  97% ] 00/80 VUs  12.6s/13s  05.40 iters/s', []],
    ['load ✗ [  98% ] 00/80 VUs  1m58.6s/2m0s  02.10 iters/s', [{ scenario: 'load', percent: 98 }]],
    ['load ✗ [  50% ] 00/80 VUs  6.5s/13s  30.00 iters/s', [{ scenario: 'load', percent: 50 }]],
  ])(
    'of a rate that falls to nothing comes before its time, when less than an iteration is left: %s',
    (line, stopped) => {
      const counts = 'running (12.6s), 00/80 VUs, 294 complete and 0 interrupted iterations';
      expect(readConsole('k6.log', `${counts}\n${line}\n`)?.stopped).toEqual(stopped);
    },
  );

  it('not reached: killed, stopped by a signal, aborted', () => {
    expect(read('broken-killed')).toMatchObject({ ended: false });
    expect(read('broken-killed')).not.toHaveProperty('finished');
    expect(read('broken-int')).toMatchObject({ ended: true, stopped: [{ scenario: 'load' }] });
    expect(read('broken-abort')).toMatchObject({ stopped: [{ scenario: 'a', percent: 20 }] });
  });

  it('is none in a log of standard error', () => {
    expect(
      readConsole('k6.log', 'time="x" level=warning msg="Insufficient VUs, reached 3 active VUs"\n'),
    ).toBeUndefined();
  });
});
