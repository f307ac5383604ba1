import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { definitionFile, loadTestFiles, readDefinition } from '../../../tools/build/suite-folder.ts';
import { definition, writeSuite } from '../../support/suite-folder.ts';

const scratch = mkdtempSync(join(tmpdir(), 'suite-folder-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const suite = (name: string, files: Readonly<Record<string, string>>) => writeSuite(join(scratch, name), files);

describe('the folder of a suite', () => {
  it('has its load tests in scenarios/, sorted, without declarations and folders', () => {
    const folder = suite('tests', {
      'scenarios/b.ts': '',
      'scenarios/a.ts': '',
      'scenarios/types.d.ts': '',
      'scenarios/shop/flows.ts': '',
      'scenarios/notes.md': '',
    });
    expect(loadTestFiles(folder)).toEqual(['a.ts', 'b.ts'].map((name) => join(folder, 'scenarios', name)));
  });

  it('without load tests is none', () => {
    const empty = join(scratch, 'empty');
    mkdirSync(empty);
    expect(() => loadTestFiles(empty)).toThrow(`${empty} is no suite: it has no scenarios/*.ts`);
    expect(() => loadTestFiles(join(scratch, 'nowhere'))).toThrow('is no suite');
  });

  it('is defined beside scenarios/ or in a folder of it', () => {
    const beside = suite('beside', { 'scenarios/a.ts': '', 'suite.ts': '' });
    expect(definitionFile(beside)).toBe(join(beside, 'suite.ts'));
    const within = suite('within', { 'scenarios/a.ts': '', 'scenarios/shop/suite.ts': '' });
    expect(definitionFile(within)).toBe(join(within, 'scenarios', 'shop', 'suite.ts'));
  });

  it('without a definition, or with two, is refused', () => {
    const none = suite('none', { 'scenarios/a.ts': '', 'scenarios/deeper/still/suite.ts': '' });
    expect(() => definitionFile(none)).toThrow(`${none} has no suite.ts, neither beside scenarios/ nor in a folder`);
    const two = suite('two', { 'scenarios/a.ts': '', 'scenarios/shop/suite.ts': '', 'suite.ts': '' });
    expect(() => definitionFile(two)).toThrow(`${two} has two definitions: `);
  });
});

describe('a definition', () => {
  it('is what its file exports by default', async () => {
    const folder = suite('good', { 'suite.ts': definition("headers: { 'X-Tenant': 'acme' },") });
    expect(await readDefinition(join(folder, 'suite.ts'))).toEqual({
      endpoints: { item: 'GET /items/{sku}' },
      headers: { 'X-Tenant': 'acme' },
    });
  });

  it.each(['export default null;', 'export default {};', 'export const suite = { endpoints: {} };'])(
    'is not there in %s',
    async (text) => {
      const folder = suite('bad', { 'suite.ts': text });
      await expect(readDefinition(join(folder, 'suite.ts'))).rejects.toThrow(
        /suite\.ts exports no suite: write `export default defineSuite/,
      );
    },
  );
});
