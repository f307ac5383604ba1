/** Files that were asked for are whole or as they were. */
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemReason, writeOutput } from '../../../tools/base/output-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'replace-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a file that was asked for', { timeout: 120_000 }, () => {
  it('keeps what was in it when the writing fails, and leaves nothing beside it', () => {
    const file = join(folder, 'old.txt');
    writeFileSync(file, 'old');
    // Stands for a disk that is full: what cannot be written fails after the file has been opened.
    expect(() => writeOutput(file, 7 as never)).toThrow(/cannot be written/);
    expect(readFileSync(file, 'utf8')).toBe('old');
    writeOutput(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['old.txt']);
  });

  it('keeps its rights, and a link stays a link', () => {
    const file = join(folder, 'rights.txt');
    const link = join(folder, 'link.txt');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    symlinkSync(file, link);
    writeOutput(link, 'new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('may be a device', () => {
    expect(() => writeOutput('/dev/null', 'x')).not.toThrow();
    expect(() => writeOutput('/dev/full', 'x')).toThrow(/the disk is full/);
  });

  it('that cannot be read is not said to be one that cannot be made', () => {
    try {
      readFileSync(join(folder, 'nothere'));
    } catch (error) {
      expect(systemReason(error)).toBe('it is not there');
    }
    expect(() => writeOutput('/proc/nowhere/a', 'x')).toThrow(/it is not there and cannot be made there/);
  });
});
