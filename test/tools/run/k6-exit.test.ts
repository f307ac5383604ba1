import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitMeaning } from '../../../lib/k6/exit-codes.ts';
import { shellExitCode, withReason } from '../../../tools/run/k6-exit.ts';

describe('exit codes of a process', () => {
  it.each([
    [0, null, 0],
    [99, null, 99],
    [null, 'SIGKILL', 137],
    [null, 'SIGINT', 130],
    [null, 'SIGTERM', 143],
    [null, null, 255],
  ] as const)('code %s and signal %s are %i to a shell', (code, signal, expected) => {
    expect(shellExitCode(code, signal)).toBe(expected);
  });
});

describe('withReason', () => {
  const log = (text: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'k6-exit-')), 'k6.log');
    writeFileSync(file, text);
    return file;
  };
  const line = (msg: string) =>
    `time="2026-11-30T08:56:57Z" level=error msg=${msg} hint="script exception" source=stacktrace\n`;

  it('says what the script said in the place of where it stands', () => {
    const file = log(
      `${line('"first"')}time="x" level=info msg="noise"\n${line('"THRESHOLDS=x is not valid: give \\"ci\\"\\n"')}`,
    );
    expect(withReason(exitMeaning(107, null), file)).toBe(
      'the script threw an exception in init, setup() or teardown(): THRESHOLDS=x is not valid: give "ci"',
    );
    expect(withReason(exitMeaning(108, null), log(line('"test aborted: pre-flight: no $& answer"')))).toBe(
      'the script aborted the test: pre-flight: no $& answer',
    );
    expect(withReason(exitMeaning(107, null), log(line('"TypeError: x\\n\\tat y (z)\\n"')))).toMatch(/: TypeError: x$/);
  });

  it('keeps the sentence where the log says nothing, and for other ends', () => {
    for (const file of [log(''), log(line('"\\x00"')), '/nowhere/k6.log'])
      expect(withReason(exitMeaning(107, null), file)).toBe(exitMeaning(107, null));
    expect(withReason(exitMeaning(99, null), log(line('"x"')))).toBe(exitMeaning(99, null));
  });
});
