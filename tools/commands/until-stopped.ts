/** Resolves on SIGINT or SIGTERM, or after `seconds` when given; a second signal ends the process at once. */
export function untilStopped(seconds: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = seconds === undefined ? undefined : setTimeout(stop, seconds * 1_000);
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    function stop(): void {
      clearTimeout(timer);
      resolve();
    }
  });
}
