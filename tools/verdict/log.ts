/** What k6's own log tells that no metric does: exceptions, ignored options, the VU ceiling, a crashed setup. */
import { optional } from '../base/optional.ts';
import { type ConsoleFacts, readConsole } from './console/text.ts';

export interface LogFacts {
  readonly path: string;
  readonly lines: number;
  /** Lines with a script exception (one an iteration that threw). */
  readonly exceptions: number;
  /** The first exception's message, one line. */
  readonly firstException?: string;
  /** The script threw outside its iterations (init, setup()), or setup() timed out: nothing was measured. */
  readonly setupFailed: boolean;
  /** Top-level options that k6 does not know and ignored. */
  readonly ignoredOptions: readonly string[];
  /** k6 said that it has no VUs left. */
  readonly vuCeiling: boolean;
  /** Scenarios, stages or the like of the script were replaced from the command line. */
  readonly overridden: boolean;
  /** k6 said that a threshold was crossed and ended the run before its time. */
  readonly abortedByThreshold: boolean;
  /** Message by which k6 gave up: refused, aborted by script or signal, marked as failed. */
  readonly endedBy?: string;
  /** Iterations that the end of the run cut off; they leave no other trace. */
  readonly interrupted?: number;
  /** What k6 printed on standard output, where the file holds that too. */
  readonly console?: ConsoleFacts;
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
  let endedBy: string | undefined;
  const ignored = new Set<string>();
  const lines = content.split('\n');
  for (const line of lines) {
    const message = messageOf(line);
    if (isException(line)) {
      // Iterations carry their scenario; what throws without one threw in init, setup() or teardown().
      if (/\bscenario["']?[:=]/.test(line)) {
        exceptions += 1;
        firstException ??= firstLineOf(message);
      } else if (!/\bat teardown\b/.test(message)) {
        setupFailed = true;
        firstException ??= firstLineOf(message);
      }
    }
    if (/setup\(\) (execution )?timed out/i.test(message)) setupFailed = true;
    const option = /unknown field \\*"([\w.]+)/.exec(line)?.[1];
    if (option !== undefined && /unknown fields in the options/.test(message)) ignored.add(option);
    if (ENDINGS.test(message)) endedBy ??= firstLineOf(message);
    if (/insufficient VUs/i.test(message)) vuCeiling = true;
    if (
      /overwrites? (the )?scenario|CLI (options|flags).*(override|overwrit|replace)|scenarios.*(ignored|overridden)/i.test(
        message,
      )
    ) {
      overridden = true;
    }
    if (/stopping test prematurely|aborted by .*threshold/i.test(message)) {
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
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(interrupted === undefined ? {} : { interrupted }),
    ...optional('console', readConsole(path, content)),
  };
}

const ENDINGS =
  /^(test aborted|test run was (aborted|marked as failed)|could not |invalid threshold|the moduleSpecifier|panic:)/i;

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
