import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitMeaning, K6_EXIT_CODES } from '../../../lib/k6/exit-codes.ts';
import { shellExitCode, withReason } from '../../../tools/run/k6-exit.ts';

describe('exit codes of k6', () => {
  it('knows every code that k6 v2.2 can end with', () => {
    const all = [0, 2, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 255];
    expect(Object.keys(K6_EXIT_CODES).map(Number)).toEqual(all);
  });

  it('says the part that the code is about, never "threshold" for anything but 99', () => {
    expect(exitMeaning(100, null)).toMatch(/setup\(\) timed out/);
    expect(exitMeaning(101, null)).toMatch(/teardown\(\) timed out/);
    expect(exitMeaning(104, null)).toMatch(/configuration/);
    for (const code of Object.keys(K6_EXIT_CODES).map(Number)) {
      expect(exitMeaning(code, null).includes('threshold was crossed')).toBe(code === 99 || code === 0);
    }
  });

  it('reads a kill from the signal, and from a code that a shell or container made of it', () => {
    expect(exitMeaning(137, 'SIGKILL')).toMatch(/killed by SIGKILL \(out of memory\?/);
    expect(exitMeaning(137, null)).toMatch(/killed by SIGKILL/);
    expect(exitMeaning(139, null)).toMatch(/killed by SIGSEGV/);
    expect(exitMeaning(77, null)).toMatch(/exit code 77, which k6 does not document/);
  });

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
