/** k6's exit codes (v2.2) and what they mean, each as one sentence; the README's table is made from this. */

export const K6_EXIT = {
  ok: 0,
  crashed: 2,
  cloudFailed: 97,
  cloudUnknown: 98,
  thresholdsCrossed: 99,
  setupTimeout: 100,
  teardownTimeout: 101,
  timeout: 102,
  stoppedByApi: 103,
  invalidConfig: 104,
  externalAbort: 105,
  noApi: 106,
  scriptException: 107,
  scriptAborted: 108,
  panicked: 109,
  markedFailed: 110,
  generic: 255,
} as const;

export const K6_EXIT_CODES: Readonly<Record<number, string>> = {
  [K6_EXIT.ok]: 'k6 finished and no threshold was crossed',
  [K6_EXIT.crashed]: 'k6 itself crashed: Go ends a program so after a fatal error; its trace stands above',
  [K6_EXIT.cloudFailed]: 'the cloud run failed',
  [K6_EXIT.cloudUnknown]: 'the progress of the cloud run could not be followed',
  [K6_EXIT.thresholdsCrossed]:
    'a threshold was crossed: an objective of the system or a limit of the test, the closing line says which',
  [K6_EXIT.setupTimeout]:
    'setup() timed out: nothing was measured; raise setupTimeout or mend what the pre-flight waits for',
  [K6_EXIT.teardownTimeout]: 'teardown() timed out; the measured part is complete',
  [K6_EXIT.timeout]: 'k6 timed out',
  [K6_EXIT.stoppedByApi]: 'the test was stopped through the REST API',
  [K6_EXIT.invalidConfig]: 'k6 refused the configuration: nothing was measured; its message above names the option',
  [K6_EXIT.externalAbort]: 'the run was stopped by a signal before its end; what was measured until then is kept',
  [K6_EXIT.noApi]: 'the REST API could not start (--address): nothing was measured',
  [K6_EXIT.scriptException]: 'the script threw an exception in init, setup() or teardown(); its message stands above',
  [K6_EXIT.scriptAborted]: 'the script aborted the test; its reason stands above',
  [K6_EXIT.panicked]: 'k6 itself crashed (a Go panic)',
  [K6_EXIT.markedFailed]: 'the script marked the test as failed; its reason stands above',
  [K6_EXIT.generic]:
    'k6 could not start: its message above says why (script not found, unknown output, bad option value)',
};

/** Codes of a run that k6 refused before any load was sent. */
export const NOT_STARTED: readonly number[] = [K6_EXIT.invalidConfig, K6_EXIT.noApi, K6_EXIT.generic];
/** Codes of runs whose measured part was done as planned: all well, crossed thresholds, a slow teardown(). */
export const TO_THE_END: readonly number[] = [K6_EXIT.ok, K6_EXIT.thresholdsCrossed, K6_EXIT.teardownTimeout];

/** Signals whose number is the same on Linux and macOS: a shell reports a process that signal n killed as 128 + n. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};

/**
 * One sentence for the end of a run.
 * @param signal that killed k6; a shell or a container between us and k6 reports it in the code
 */
export function exitMeaning(code: number, signal: string | null = null): string {
  if (signal !== null) return killedBy(signal);
  const known = K6_EXIT_CODES[code];
  if (known !== undefined) return known;
  if (code > 128 && code <= 128 + 64) return killedBy(SIGNALS[code - 128] ?? `signal ${code - 128}`);
  return `k6 ended with exit code ${code}, which k6 does not document`;
}

function killedBy(signal: string): string {
  const memory = signal === 'SIGKILL' ? ' (out of memory? the kernel log says)' : '';
  return `k6 was killed by ${signal}${memory}; it wrote no summary, the samples up to the last second are kept`;
}

/** The part of a meaning that points at what k6 has just printed. */
const ABOVE = /[;:] its (trace|message|reason) (stands above|above [^;]*)$/;

/** The sentence with `reason` in the place of a pointer to what k6 printed, where it has one. */
export function withPrinted(meaning: string, reason: () => string | undefined): string {
  const found = ABOVE.test(meaning) ? reason() : undefined;
  return found === undefined ? meaning : meaning.replace(ABOVE, () => found);
}

/**
 * One sentence for somebody who reads later, where nothing of k6 stands above.
 * @param said what k6's log says of it
 * @param log where that log is
 */
export function exitMeaningLater(code: number, said: string | undefined, log: string | undefined): string {
  const lateReason = (): string => {
    if (said !== undefined) return `; k6's log says: ${said.replace(/\.$/, '')}`;
    return `; ${log ?? "k6's log, which is not here,"} says why`;
  };
  return withPrinted(exitMeaning(code), lateReason);
}
