/** A suite's own model of its server becomes a module that a rehearsal loads. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { SERVER_FILE } from '../results/files.ts';

/** The model beside the file that defines the suite, if there is one. */
export function serverModelFile(definition: string): string | undefined {
  const file = join(dirname(definition), 'server-model.ts');
  return existsSync(file) ? file : undefined;
}

/** The module, not yet in its place; undefined for a suite without one. */
export async function buildServerModel(definition: string, outdir: string): Promise<OutputFile | undefined> {
  const file = serverModelFile(definition);
  if (file === undefined) return undefined;
  const { outputFiles } = await build({
    entryPoints: [file],
    outfile: join(outdir, SERVER_FILE),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
    logLevel: 'warning',
    define: { BUNDLED: 'true' },
  });
  return outputFiles[0];
}

/** Takes away what an earlier build left of a model that is no more. */
export function removeStaleModel(definition: string, outdir: string): void {
  if (serverModelFile(definition) === undefined) rmSync(join(outdir, SERVER_FILE), { force: true });
}
