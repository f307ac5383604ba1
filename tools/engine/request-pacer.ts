/** The option `rps`: requests of all virtual users one after the other, no closer than it says. */
import type { Cancellation } from './cancellation.ts';
import { type Clock, wake } from './clock.ts';

export class RequestPacer {
  private readonly clock: Clock;
  private next = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** @param rps undefined or 0 for no limit */
  pass(rps: unknown, cancellation: Cancellation, send: () => void): void {
    if (typeof rps !== 'number' || rps <= 0) {
      send();
      return;
    }
    const now = this.clock.now();
    const at = Math.max(now, this.next);
    this.next = at + 1000 / rps;
    if (at <= now) send();
    else
      wake(this.clock, at - now, cancellation, () => {
        send();
        return true;
      });
  }
}
