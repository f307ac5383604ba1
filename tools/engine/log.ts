/** k6's log lines, on stderr: `time=... level=... msg=... key=value`. */

export type Level = 'debug' | 'info' | 'warning' | 'error';
export type Log = (level: Level, message: string, fields?: Readonly<Record<string, string>>) => void;

/** @param write receives whole lines; debug lines are left out as k6 leaves them out without --verbose */
export function logfmt(write: (line: string) => void): Log {
  return (level, message, fields = {}) => {
    if (level === 'debug') return;
    const time = new Date().toISOString().replace(/\.[0-9]+Z$/, 'Z');
    const rest = Object.keys(fields)
      .sort()
      .map((key) => ` ${key}=${quote(fields[key] ?? '')}`)
      .join('');
    write(`time="${time}" level=${level} msg=${quote(message)}${rest}\n`);
  };
}

function quote(text: string): string {
  return /^[\w./@^+:-]+$/.test(text) && !text.includes(':') ? text : JSON.stringify(text);
}
