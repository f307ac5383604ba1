/** What k6's own log tells that no metric does: exceptions, ignored options, the VU ceiling, a crashed setup. */

export interface LogFacts {
  readonly path: string;
  readonly lines: number;
  /** Lines with a script exception (one an iteration that threw). */
  readonly exceptions: number;
  /** The first exception's message, one line. */
  readonly firstException?: string;
  /** setup() or teardown() threw or timed out. */
  readonly setupFailed: boolean;
  /** Top-level options that k6 does not know and ignored. */
  readonly ignoredOptions: readonly string[];
  /** k6 said that it has no VUs left. */
  readonly vuCeiling: boolean;
  /** Scenarios, stages or the like of the script were replaced from the command line. */
  readonly overridden: boolean;
  /** k6 said that a threshold was crossed and ended the run before its time. */
  readonly abortedByThreshold: boolean;
  /** Iterations that the end of the run cut off; they leave no other trace. */
  readonly interrupted?: number;
}

/** Reads a k6 log: logfmt, JSON or the console's own layout, in any mixture; other lines are passed over. */
export function readLog(path: string, content: string): LogFacts {
  let exceptions = 0;
  let firstException: string | undefined;
  let setupFailed = false;
  let vuCeiling = false;
  let overridden = false;
  let abortedByThreshold = false;
  let interrupted: number | undefined;
  const ignored = new Set<string>();
  const lines = content.split('\n');
  for (const line of lines) {
    const message = messageOf(line);
    if (isException(line)) {
      if (/\b(setup|teardown)\b.*(file:|native)|at (setup|teardown) /.test(message)) setupFailed = true;
      else {
        exceptions += 1;
        firstException ??= firstLineOf(message);
      }
    }
    if (/(setup|teardown)\(\) (execution )?timed out|error in (setup|teardown)/i.test(message)) setupFailed = true;
    const option = /unknown (?:field|option)s?\b[^"']*["']?([\w.]+)/i.exec(message)?.[1];
    if (option !== undefined) ignored.add(option);
    if (/insufficient VUs/i.test(message)) vuCeiling = true;
    if (
      /overwrites? (the )?scenario|CLI (options|flags).*(override|overwrit|replace)|scenarios.*(ignored|overridden)/i.test(
        message,
      )
    ) {
      overridden = true;
    }
    if (/thresholds on metrics? .*(abortOnFail|aborted|prematurely)|test run was aborted by threshold/i.test(message)) {
      abortedByThreshold = true;
    }
    const cut = /(\d+) complete and (\d+) interrupted iterations/.exec(line)?.[2];
    if (cut !== undefined) interrupted = Number(cut);
  }
  return {
    path,
    lines: lines.length,
    exceptions,
    ...(firstException === undefined ? {} : { firstException }),
    setupFailed,
    ignoredOptions: [...ignored],
    vuCeiling,
    overridden,
    abortedByThreshold,
    ...(interrupted === undefined ? {} : { interrupted }),
  };
}

function isException(line: string): boolean {
  return /hint="?script exception|"hint":"script exception"|source"?[:=]"?stacktrace/.test(line);
}

function messageOf(line: string): string {
  if (line.startsWith('{')) {
    try {
      const { msg } = JSON.parse(line) as { msg?: unknown };
      if (typeof msg === 'string') return msg;
    } catch {
      return line;
    }
  }
  const quoted = /\bmsg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  return quoted === undefined ? line : quoted.replace(/\\n/g, '\n').replace(/\\t/g, ' ').replace(/\\(.)/g, '$1');
}

function firstLineOf(message: string): string {
  return (message.split('\n')[0] ?? '').trim();
}
