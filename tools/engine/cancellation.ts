/** Cancellation of one iteration. As an AbortSignal, of which an hour of sessions needs too many: each costs as much as a request. */
export class Cancellation {
  private listeners: Set<() => void> | undefined;
  private done = false;

  get aborted(): boolean {
    return this.done;
  }

  abort(): void {
    if (this.done) return;
    this.done = true;
    for (const listener of this.listeners ?? []) listener();
    this.listeners = undefined;
  }

  /** Calls `listener` when it is aborted, later than now. Returns the way to stop listening. */
  onAbort(listener: () => void): () => void {
    this.listeners ??= new Set();
    this.listeners.add(listener);
    return () => this.listeners?.delete(listener);
  }
}
