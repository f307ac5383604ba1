/** Files that were asked for are whole or as they were. */
import { execFileSync } from 'node:child_process';
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
import { makeFolder, refuseOddPath, systemReason, writeBeside, writeOutput } from '../../../tools/base/output-file.ts';
import { createRunFolder } from '../../../tools/results/run-folder.ts';

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

  it('that nobody named gives a link no way to elsewhere, and waits for no pipe', () => {
    const elsewhere = join(folder, 'elsewhere.txt');
    const link = join(folder, 'report.html');
    const pipe = join(folder, 'verdict.json');
    writeFileSync(elsewhere, 'kept');
    symlinkSync(elsewhere, link);
    execFileSync('mkfifo', [pipe]);
    writeOutput(link, 'new', false);
    expect([readFileSync(elsewhere, 'utf8'), readFileSync(link, 'utf8')]).toEqual(['kept', 'new']);
    expect(lstatSync(link).isSymbolicLink()).toBe(false);
    expect(() => writeOutput(pipe, 'new', false)).toThrow(/it is no file/);
  });

  it.each(['s3://bucket/x', 'http://u:hush@h/x', '~/x', '~somebody/x', '~'])('is not made of %s', (path) => {
    const refused = /^(?!.*hush).*(this is a URL|the shell has not replaced ~)/;
    expect(() => writeOutput(path, 'x')).toThrow(refused);
    expect(() => makeFolder(path)).toThrow(refused);
    expect(() => createRunFolder(path, 'a', new Date())).toThrow(refused);
    expect(() => refuseOddPath('~backup.html')).not.toThrow();
  });

  it('written by another program is whole or as it was, and leaves nothing beside it', async () => {
    const place = mkdtempSync(join(folder, 'beside-'));
    const file = join(place, 'a.parquet');
    await writeBeside(file, async (beside) => writeFileSync(beside, 'whole'), String);
    const fails = async (beside: string) => {
      writeFileSync(beside, 'half');
      throw new Error('no space left');
    };
    await expect(writeBeside(file, fails, (error) => (error as Error).message)).rejects.toThrow(
      /cannot be written \(no space left\)/,
    );
    expect(readFileSync(file, 'utf8')).toBe('whole');
    expect(readdirSync(place)).toEqual(['a.parquet']);
    await expect(writeBeside('/dev/full', fails, String)).rejects.toThrow(/it is no file/);
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
