import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolders } from '../../../tools/base/folders.ts';
import { writeOutput } from '../../../tools/base/output-file.ts';

const scratch = mkdtempSync(join(tmpdir(), 'folders-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('folders of a path that a user gave', () => {
  it('are made, however many are missing, with their rights', () => {
    makeFolders(join(scratch, 'a', 'b', 'c'), 0o700);
    expect(statSync(join(scratch, 'a', 'b', 'c')).mode & 0o777).toBe(0o700);
    expect(() => makeFolders(join(scratch, 'a', 'b'))).not.toThrow();
    writeOutput(join(scratch, 'd', 'e.txt'), 'x');
    expect(readFileSync(join(scratch, 'd', 'e.txt'), 'utf8')).toBe('x');
  });

  it('are refused where something else stands', () => {
    symlinkSync(join(scratch, 'nowhere'), join(scratch, 'dangling'));
    expect(() => makeFolders(join(scratch, 'dangling'))).toThrow('EEXIST');
    writeFileSync(join(scratch, 'file'), '');
    expect(() => makeFolders(join(scratch, 'file', 'x'))).toThrow('ENOTDIR');
  });

  // Node's recursive way would hang here.
  it.runIf(process.platform === 'linux')('are refused at once where none can be made', () => {
    expect(() => writeOutput('/proc/nowhere/y/z', '')).toThrow(/cannot be written.*choose another path/);
  });
});
