import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { exitMeaning, K6_EXIT, K6_EXIT_CODES, NOT_STARTED, TO_THE_END } from '../../../lib/k6/exit-codes.ts';

describe('exit codes of k6', () => {
  it('knows every code that k6 v2.2 can end with', () => {
    const all = [0, 2, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 255];
    expect(Object.keys(K6_EXIT_CODES).map(Number)).toEqual(all);
  });

  it('has a name for every code, and the same numbers in both', () => {
    expect(Object.values(K6_EXIT).sort((a, b) => a - b)).toEqual(Object.keys(K6_EXIT_CODES).map(Number));
    for (const code of [...NOT_STARTED, ...TO_THE_END]) expect(Object.keys(K6_EXIT_CODES)).toContain(String(code));
  });

  it('tells which signal, where that is the same everywhere', () => {
    for (const name of [
      'SIGHUP',
      'SIGINT',
      'SIGQUIT',
      'SIGILL',
      'SIGABRT',
      'SIGFPE',
      'SIGKILL',
      'SIGSEGV',
      'SIGPIPE',
      'SIGTERM',
    ] as const)
      expect(exitMeaning(128 + constants.signals[name])).toContain(`killed by ${name}`);
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
    // SIGBUS has another number on other systems.
    expect(exitMeaning(135, null)).toMatch(/killed by signal 7;/);
    expect(exitMeaning(77, null)).toMatch(/exit code 77, which k6 does not document/);
  });
});
