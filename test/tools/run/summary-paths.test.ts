/** Files that a run is to end with: what cannot be written is refused before any load. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createLifecycle, type LifecycleInput } from '../../../lib/lifecycle.ts';
import { checkSummaryPaths } from '../../../tools/run/summary-paths.ts';
import { run } from '../../support/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'summaries-'));
mkdirSync(join(folder, 'sub'));
writeFileSync(join(folder, 'file'), '');
symlinkSync(folder, join(folder, 'itself'));

describe('a path', () => {
  it.each([
    ['no/such/x.json', /SUMMARY_JSON=.*: there is no folder/],
    ['file/x.json', /is no folder|there is no folder/],
    ['sub', /this is a folder/],
  ])('%s is refused', (path, sentence) => {
    expect(() => checkSummaryPaths({ SUMMARY_JSON: join(folder, path) })).toThrow(sentence);
  });

  it.each(['new.json', 'file', 'sub/new.json'])('%s is fine', (path) => {
    expect(() => checkSummaryPaths({ SUMMARY_JSON: join(folder, path) })).not.toThrow();
  });

  it('the console is no file, and nothing asked for is nothing to check', () => {
    expect(() =>
      checkSummaryPaths({ SUMMARY_JSON: 'stdout', JUNIT_XML: '', '--summary-export': undefined }),
    ).not.toThrow();
  });

  it('two names of one file are refused, also through a link', () => {
    const paths = { SUMMARY_JSON: join(folder, 'x'), JUNIT_XML: join(folder, 'itself', '.', 'x') };
    expect(() => checkSummaryPaths(paths)).toThrow(/SUMMARY_JSON and JUNIT_XML are both .*: one would overwrite/);
  });
});

describe('a run', () => {
  it.each([
    [['-e', `SUMMARY_JSON=${join(folder, 'no/x.json')}`]],
    [['-e', `JUNIT_XML=${join(folder, 'sub')}`]],
    [['-e', `SUMMARY_JSON=${join(folder, 'x')}`, '-e', `JUNIT_XML=${join(folder, 'x')}`]],
    [['--', '--summary-export', join(folder, 'no/x.json')]],
  ])('%j ends before k6 is started', async (words) => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await expect(run({}, words)).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
    written.mockRestore();
  });

  it('one that is not there after a run which passed makes it no pass', async () => {
    const { code, stderr } = await run({ removeSamples: true });
    expect(code).toBe(3);
    expect(stderr).toContain('samples.csv is empty or missing');
  });
});

describe('inside k6', () => {
  it('one file for two summaries is refused too', () => {
    const env = { SUMMARY_JSON: 'a', JUNIT_XML: 'a' };
    const input = { test: { name: 'x', flows: {} }, suite: { endpoints: {} }, env, readData: () => ({}) };
    let thrown: unknown;
    try {
      createLifecycle(input as unknown as LifecycleInput);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBe('SUMMARY_JSON and JUNIT_XML are both a: give each a file of its own');
  });
});
