import { describe, expect, it } from 'vitest';
import { Cancellation } from '../../../tools/engine/cancellation.ts';
import { sleep, wake } from '../../../tools/engine/clock.ts';
import { virtualClock } from '../../../tools/engine/virtual-clock.ts';

describe('Cancellation', () => {
  it('calls those that still listen, once, in the order in which they began', () => {
    const cancellation = new Cancellation();
    const heard: string[] = [];
    const a = () => heard.push('a');
    const b = () => heard.push('b');
    const c = () => heard.push('c');
    for (const listener of [a, b, c]) cancellation.onAbort(listener);
    cancellation.offAbort(a);
    cancellation.onAbort(a);
    cancellation.offAbort(b);
    expect(cancellation.aborted).toBe(false);
    cancellation.abort();
    cancellation.abort();
    expect(cancellation.aborted).toBe(true);
    expect(heard).toEqual(['c', 'a']);
  });

  it('is silent for the only one that has left', () => {
    const cancellation = new Cancellation();
    let heard = 0;
    const listener = () => heard++;
    cancellation.onAbort(listener);
    cancellation.offAbort(listener);
    cancellation.abort();
    expect(heard).toBe(0);
  });
});

describe('a wait on the virtual clock', () => {
  it('ends at its time, or early and only once when it is cancelled', async () => {
    const clock = virtualClock(1000);
    const cancelled = new Cancellation();
    const heard: string[] = [];
    const hear = (name: string) => (whole: boolean) => {
      heard.push(`${name} ${whole} ${clock.now()}`);
      return true;
    };
    wake(clock, 30, new Cancellation(), hear('late'));
    wake(clock, 20, cancelled, hear('cut'));
    wake(clock, 10, new Cancellation(), hear('early'));
    clock.at(1015, () => {
      cancelled.abort();
      wake(clock, 5, cancelled, hear('at once'));
      return true;
    });
    await clock.drive(sleep(clock, 40, new Cancellation()));
    expect(heard).toEqual(['early true 1010', 'cut false 1015', 'at once false 1015', 'late true 1030']);
    expect(clock.now()).toBe(1040);
  });

  it('lets promises settle before the next event, unless an action says that none waits', async () => {
    const clock = virtualClock(0);
    const heard: string[] = [];
    const promised = (name: string) => {
      // Three turns of the queue of promises.
      void Promise.resolve()
        .then(() => undefined)
        .then(() => heard.push(`${name} ${clock.now()}`));
    };
    clock.at(1, () => promised('first'));
    clock.at(2, () => promised('second'));
    await clock.drive(sleep(clock, 3, new Cancellation()));
    expect(heard).toEqual(['first 1', 'second 2']);
  });
});
