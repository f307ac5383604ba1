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
  /** k6's own words on that. */
  readonly overriddenBy?: string;
  /** k6 said that a threshold was crossed and ended the run before its time. */
  readonly abortedByThreshold: boolean;
  /** Message by which k6 gave up: refused, aborted by script or signal, marked as failed. */
  readonly endedBy?: string;
  /** Iterations that the end of the run cut off; they leave no other trace. */
  readonly interrupted?: number;
  /** What k6 printed on standard output, where the file holds that too. */
  readonly console?: ConsoleFacts;
}

/**
 * Reads a k6 log: logfmt, JSON or the console's own layout, in any mixture; other lines are passed over.
 * @param content whole, or its lines
 */
export function readLog(path: string, content: string | Iterable<string>): LogFacts {
  let exceptions = 0;
  let firstException: string | undefined;
  let setupFailed = false;
  let vuCeiling = false;
  let overriddenBy: string | undefined;
  let abortedByThreshold = false;
  let interrupted: number | undefined;
  let endedBy: string | undefined;
  const ignored = new Set<string>();
  let count = 0;
  const printed = printedLines();
  for (const line of typeof content === 'string' ? content.split('\n') : content) {
    count += 1;
    printed.add(line);
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
    if (OVERRIDING.test(message)) overriddenBy ??= firstLineOf(message);
    if (/stopping test prematurely|aborted by .*threshold/i.test(message)) {
      abortedByThreshold = true;
    }
    const cut = /(\d+) complete and (\d+) interrupted iterations/.exec(line)?.[2];
    if (cut !== undefined) interrupted = Number(cut);
  }
  return {
    path,
    lines: count,
    exceptions,
    ...(firstException === undefined ? {} : { firstException }),
    setupFailed,
    ignoredOptions: [...ignored],
    vuCeiling,
    overridden: overriddenBy !== undefined,
    ...(overriddenBy === undefined ? {} : { overriddenBy }),
    abortedByThreshold,
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(interrupted === undefined ? {} : { interrupted }),
    ...optional('console', readConsole(path, printed.text())),
  };
}

/** Characters of a log that are kept to be read as k6's own text; of what follows only lines that it is made of. */
const MOST_PRINTED = 32 * 1024 * 1024;
const PRINTED = /complete and \d+ interrupted|[█✓✗]|iterations\.{2,}:|crossed|^\s*$/;

/** The lines of a log as one text, however long it is. */
function printedLines(): { readonly add: (line: string) => void; readonly text: () => string } {
  const kept: string[] = [];
  let size = 0;
  return {
    add: (line) => {
      if (size > MOST_PRINTED && !PRINTED.test(line)) return;
      size += line.length;
      if (size < 2 * MOST_PRINTED) kept.push(line);
    },
    text: () => kept.join('\n'),
  };
}

/**
 * k6's warnings that other scenarios run than those written down: an option of a higher level replaced them, `vus` alone
 * did, or they were set to nothing.
 */
const OVERRIDING =
  /level configuration overrode scenarios|`vus=\d+` overrides scenarios|`(scenarios|stages)` was explicitly set to an empty value|overwrites? (the )?scenario|CLI (options|flags).*(override|overwrit|replace)|scenarios.*(ignored|overridden)/i;

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
