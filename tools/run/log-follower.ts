/** Shows a log that another process writes, and how k6's lines look on a terminal. */
import { closeSync, openSync, readSync } from 'node:fs';
import pc from 'picocolors';
import { visible } from '../base/terminal-text.ts';

export interface LogFollower {
  /** Reads what is left and stops. */
  readonly end: () => void;
}

/** A line is on the terminal after this long at most, ms. */
const EVERY_MS = 150;
const CHUNK_BYTES = 65_536;
const NEWLINE = 10;

/**
 * Gives whole lines of a growing file as they come; what the file ends with without a newline comes at the end.
 * @param show gets one or more whole lines at a time
 */
export function followLog(file: string, show: (text: string) => void): LogFollower {
  let descriptor: number | undefined;
  let rest: Buffer = Buffer.alloc(0);
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const read = (): void => {
    try {
      descriptor ??= openSync(file, 'r');
      for (let n = readSync(descriptor, buffer); n > 0; n = readSync(descriptor, buffer)) {
        rest = Buffer.concat([rest, buffer.subarray(0, n)]);
      }
    } catch {
      // The file went away with its folder; what it held is shown.
    }
    const end = rest.lastIndexOf(NEWLINE) + 1;
    if (end === 0) return;
    show(rest.toString('utf8', 0, end));
    rest = rest.subarray(end);
  };
  const timer = setInterval(read, EVERY_MS).unref();
  return {
    end: () => {
      clearInterval(timer);
      read();
      if (rest.length > 0) show(`${rest.toString('utf8')}\n`);
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

const LEVELS: Readonly<Record<string, (text: string) => string>> = {
  error: pc.red,
  fatal: pc.red,
  warning: pc.yellow,
  info: pc.cyan,
  debug: pc.dim,
};

/**
 * A line of k6's log for people: k6 writes `time=… level=… msg="…"` where it does not write to a terminal itself. Other
 * lines stay as they are.
 */
export function readableLine(line: string): string {
  const match = /^time="([^"]*)" level=(\w+) msg=("(?:[^"\\]|\\.)*"|\S*)(.*)$/.exec(line);
  if (match === null) return visible(line);
  const [, , level = '', quoted = '', fields = ''] = match;
  const colour = LEVELS[level] ?? ((text: string) => text);
  return `${colour(level.slice(0, 4).toUpperCase())} ${visibleText(unquoted(quoted))}${pc.dim(visible(fields))}`;
}

/** A message may go over several lines, indented with tabs; whatever else moves the cursor is shown. */
function visibleText(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n');
}

/** A value of k6's log without its quotes. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    // Go quotes much as JSON does; what JSON does not know is left as it is.
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/** Clears the terminal below the cursor: k6 leaves the cursor above its progress bars and draws them anew. */
const CLEAR_BELOW = '\x1b[0J';

/**
 * Where a run's log is shown: on standard error, in plain words when that is a terminal.
 * @param prefix before each line, to tell workers apart
 */
export function logToStderr(prefix = ''): (text: string) => void {
  return (text) => {
    const terminal = process.stderr.isTTY === true;
    if (!terminal && prefix === '') {
      process.stderr.write(text);
      return;
    }
    const lines = text.replace(/\n$/, '').split('\n');
    const shown = lines.map((line) => `${prefix}${terminal ? readableLine(line) : line}\n`).join('');
    process.stderr.write(terminal && process.stdout.isTTY === true ? `${CLEAR_BELOW}${shown}` : shown);
  };
}
