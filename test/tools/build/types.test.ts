/** Types of a suite that has installed nothing: those of this program, and its TypeScript, catch what its own would. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cli, ROOT } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'suite-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
cpSync(join(ROOT, 'examples/ticket-tracker'), folder, {
  recursive: true,
  filter: (path) => !/\/(dist|results)$/.test(path),
});
const change = (file: string, right: string, wrong: string): void => {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toContain(right);
  writeFileSync(join(folder, file), text.replace(right, wrong));
};
const build = () => cli(['build', '--suite', folder]);

describe('a suite without packages of its own', () => {
  it('is held against its types; a build that fails says that the bundles of the last good one are still there', async () => {
    expect(await build()).toMatchObject({ code: 0, stderr: '' });
    change(
      'scenarios/tracker/suite.ts',
      "close: { request: 'PATCH /v1/issues/{id}'",
      "close: { request: 'PATCH /v1/issues/{key}'",
    );
    const { code, stdout, stderr } = await build();
    expect(code).toBe(1);
    expect(stdout).toMatch(/flows\.ts.*error TS2353: .*'id' does not exist in type .*\{key\}/);
    expect(stderr).toMatch(/the types do not fit, see above\nbuild: \S*dist still holds the bundles of the last build/);
    change('scenarios/tracker/suite.ts', '{key}', '{id}');
  });

  it('may have the pre-flight that the guide shows', async () => {
    const [, shown] = /```ts\n(preflight: [\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/own-api.md'), 'utf8')) ?? [];
    change('scenarios/tracker/suite.ts', "  headers: { 'X-Tenant'", `  ${shown}  headers: { 'X-Tenant'`);
    expect(await build()).toMatchObject({ code: 0, stderr: '' });
  });

  it('without a tsconfig.json is checked too', async () => {
    rmSync(join(folder, 'tsconfig.json'));
    change('scenarios/tracker/flows.ts', "think('issue->issue')", "think('issue->isue')");
    const { code, stdout } = await build();
    expect(code).toBe(1);
    expect(stdout).toContain('"issue->isue"');
  });
});
