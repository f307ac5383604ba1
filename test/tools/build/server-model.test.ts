/** A suite's own model of its server as the build leaves it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildServerModel, removeStaleModel } from '../../../tools/build/server-model.ts';

describe('server-model.ts beside suite.ts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-model-'));
  const definition = join(folder, 'suite.ts');
  const source = join(folder, 'server-model.ts');
  const out = join(folder, 'dist');

  it('becomes one module with all that it imports, which is not yet written', async () => {
    writeFileSync(join(folder, 'name.ts'), "export const NAME: string = 'model';\n");
    writeFileSync(source, "import { NAME } from './name.ts';\nexport default (): string => NAME;\n");
    const built = await buildServerModel(definition, out);
    expect(built?.path).toBe(join(out, 'lib', 'server-model.mjs'));
    expect(built?.text).not.toMatch(/\bimport\b/);
    expect(existsSync(out)).toBe(false);
    const file = join(folder, 'built.mjs');
    writeFileSync(file, built?.text ?? '');
    const { default: model } = (await import(file)) as { default: () => string };
    expect(model()).toBe('model');
  });

  it('that is no more takes its module with it', async () => {
    mkdirSync(join(out, 'lib'), { recursive: true });
    const module = join(out, 'lib', 'server-model.mjs');
    writeFileSync(module, '');
    removeStaleModel(definition, out);
    expect(existsSync(module)).toBe(true);
    rmSync(source);
    expect(await buildServerModel(definition, out)).toBeUndefined();
    removeStaleModel(definition, out);
    expect(existsSync(module)).toBe(false);
  });
});
