/** The command `run` against a stub of k6, each in a folder of its own. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { command } from '../../tools/commands/run.ts';
import { type Manifest, readManifest } from '../../tools/results/manifest.ts';
import { type StubBehaviour, type StubK6, stubK6 } from './stub-k6.ts';

export interface Ran {
  readonly code: unknown;
  readonly stderr: string;
  readonly stub: StubK6;
  readonly folder: string;
  readonly manifest: Manifest;
}

export function workplace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  writeFileSync(join(folder, 'my-test.js'), 'export default function () {}\n');
  return folder;
}

/**
 * The command in this process, which spares each test the start of another Node.
 * @param script that is run; one of its own by default
 */
export async function run(
  behaviour: StubBehaviour,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  script = '',
): Promise<Ran> {
  const stub = stubK6(behaviour);
  const cwd = workplace();
  for (const [name, value] of Object.entries({ K6_BIN: stub.path, ...env })) vi.stubEnv(name, value);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const words = [script || join(cwd, 'my-test.js'), '--results', join(cwd, 'results'), ...args];
    await command().exitOverride().parseAsync(words, { from: 'user' });
    const stderr = written.mock.calls.map(([text]) => String(text)).join('');
    const folder = onlyRun(cwd);
    return { code: process.exitCode, stderr, stub, folder, manifest: readManifest(folder) };
  } finally {
    process.exitCode = undefined;
    written.mockRestore();
    vi.unstubAllEnvs();
  }
}

export function onlyRun(cwd: string): string {
  const runs = readdirSync(join(cwd, 'results'));
  expect(runs).toHaveLength(1);
  return join(cwd, 'results', runs[0] as string);
}

export function callOf(stub: StubK6, command: string): readonly string[] {
  const call = stub.calls().find((argv) => argv[0] === command);
  if (call === undefined) throw new Error(`k6 ${command} was never called`);
  return call;
}
