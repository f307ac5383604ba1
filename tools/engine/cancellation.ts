/** Cancellation of one iteration. As an AbortSignal, of which an hour of sessions needs too many: each costs as much as a request. */
export class Cancellation {
  /** The only listener; there are hardly ever more, and then all are in `listeners`, in order. */
  private only: (() => void) | undefined;
  private listeners: Set<() => void> | undefined;
  private done = false;

  get aborted(): boolean {
    return this.done;
  }

  abort(): void {
    if (this.done) return;
    this.done = true;
    this.only?.();
    for (const listener of this.listeners ?? []) listener();
    this.only = undefined;
    this.listeners = undefined;
  }

  /** Calls `listener` when it is aborted, later than now. */
  onAbort(listener: () => void): void {
    if (this.listeners !== undefined) this.listeners.add(listener);
    else if (this.only === undefined) this.only = listener;
    else {
      this.listeners = new Set([this.only, listener]);
      this.only = undefined;
    }
  }

  /** `listener` need not be called any more. */
  offAbort(listener: () => void): void {
    if (this.only === listener) this.only = undefined;
    else this.listeners?.delete(listener);
  }
}
