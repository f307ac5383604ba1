import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCutOff, type Manifest, readManifest, writeManifest } from '../../../tools/results/manifest.ts';
import { createRunFolder, runId } from '../../../tools/results/run-folder.ts';

const temporary = (): string => mkdtempSync(join(tmpdir(), 'results-'));
const NOW = new Date('2026-03-04T05:06:07.890Z');

const MANIFEST: Manifest = {
  schemaVersion: 1,
  runId: 'x',
  status: 'running',
  tool: { name: 'bookstore-load', version: '0', pid: 1 },
  engine: { name: 'k6', version: '2', path: null, argv: ['run'], pid: null },
  scenario: 'browse',
  script: { file: '/x.js', bytes: 1, sha256: 'a' },
  inputs: {},
  options: { scenarios: {} },
  requirements: null,
  seed: null,
  env: { 'quote"': 'line\nbreak' },
  tags: {},
  host: {
    hostname: 'h',
    cpuModel: 'c',
    cores: 1,
    memoryBytes: 1,
    os: 'o',
    architecture: 'a',
    node: 'n',
    cpuLimitCores: null,
    memoryLimitBytes: null,
  },
  target: null,
  startedAt: NOW.toISOString(),
  updatedAt: NOW.toISOString(),
  endedAt: null,
  generator: { intervalMs: 1000, source: null, timeMs: [], cpuCores: [], rssBytes: [], machineCores: [] },
  outcome: null,
};

describe('run id and folder', () => {
  it('time to the second, scenario, suffix; nothing that a file system minds', () => {
    expect(runId('browse', NOW, 'ab12')).toBe('20260304T050607Z-browse-ab12');
    expect(runId('my test/..\\é:*', NOW, 'x')).toBe('20260304T050607Z-my-test-..--x');
    expect(runId('y'.repeat(500), NOW).length).toBeLessThan(100);
  });

  it('a thousand runs of the same second get a thousand folders', () => {
    const root = join(temporary(), 'a', 'b');
    const ids = new Set(Array.from({ length: 1000 }, () => createRunFolder(root, 'browse', NOW).id));
    expect(ids.size).toBe(1000);
    expect(readdirSync(root)).toHaveLength(1000);
  });

  it('leaves nothing but the folder', () => {
    expect(readdirSync(createRunFolder(temporary(), 'browse', NOW).folder)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('says why it cannot be made', () => {
    const file = join(temporary(), 'file');
    writeFileSync(file, '');
    expect(() => createRunFolder(file, 'x', NOW)).toThrow(/a part of the path is a file.*--results/);
    expect(() => createRunFolder(join(file, 'below'), 'x', NOW)).toThrow(/a part of the path is a file.*--results/);
    expect(() => createRunFolder('/proc/results', 'x', NOW)).toThrow(/cannot be made there.*--results/);
    // procfs has no free block, like a disk that is full.
    expect(() => createRunFolder('/proc', 'x', NOW)).toThrow(/only 0 MB free.*--results/);
  });
});

describe('manifest', () => {
  it('comes back as it was, one line a field, without a temporary file', () => {
    const folder = temporary();
    writeManifest(folder, MANIFEST);
    expect(readManifest(folder)).toEqual(MANIFEST);
    expect(readdirSync(folder)).toEqual(['manifest.json']);
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8').trim().split('\n')).toHaveLength(
      Object.keys(MANIFEST).length + 2,
    );
  });

  it.each([
    [undefined, /there is none; name the folder of a run|there is none/],
    ['{', /cannot read the manifest/],
    ['null', /schema version undefined/],
    ['{"schemaVersion":2}', /schema version 2, not 1; use the version/],
    [JSON.stringify({ ...MANIFEST, runId: 7 }), /manifest\.json: runId:/],
  ])('%s is refused in one sentence', (text, message) => {
    const folder = temporary();
    if (text !== undefined) writeFileSync(join(folder, 'manifest.json'), text);
    expect(() => readManifest(folder)).toThrow(message);
  });

  it('a run whose watcher is gone was cut off', () => {
    expect(isCutOff({ status: 'running', pid: 1 }, () => true)).toBe(false);
    expect(isCutOff({ status: 'running', pid: 1 }, () => false)).toBe(true);
    expect(isCutOff({ status: 'running', pid: undefined }, () => true)).toBe(true);
    expect(isCutOff({ status: 'complete', pid: 1 }, () => false)).toBe(false);
  });
});
