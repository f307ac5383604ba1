/** docs/engine-coverage.md says what the engine has, and everything that k6 declares is in it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusedFlagNames } from '../../../tools/engine/refused-flags.ts';
import { RUN_OPTIONS, UNKNOWN_TO_K6 } from '../../../tools/engine/run-options.ts';
import { carriedFlags, engineCoverage, unknownNames } from '../../../tools/lab/docs/engine-coverage.ts';
import { findK6 } from '../../../tools/run/k6-binary.ts';
import { ROOT } from '../../support/cli.ts';

const k6 = await findK6();

describe('docs/engine-coverage.md', () => {
  it('is made from the engine; renew it with --update', async () => {
    await expect(await engineCoverage()).toMatchFileSnapshot(join(ROOT, 'docs', 'engine-coverage.md'));
  });

  it('leaves no function of an offered module out, neither run nor refused by name', async () => {
    expect(await unknownNames()).toEqual([]);
  });

  it("knows every option of k6's declarations", () => {
    const text = readFileSync(join(ROOT, 'node_modules/@types/k6/options/index.d.ts'), 'utf8');
    const body = text.slice(text.indexOf('export interface Options {'));
    const names = [...body.slice(0, body.indexOf('\n}')).matchAll(/^ {4}(\w+)\?:/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !(name in RUN_OPTIONS) && !UNKNOWN_TO_K6.includes(name))).toEqual([]);
  });

  it.skipIf(k6 === undefined)('knows every flag of `k6 run`', () => {
    const help = execFileSync(k6?.path ?? '', ['run', '--help'], { encoding: 'utf8' });
    const flags = [...help.matchAll(/^ {2,6}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
    expect(flags.length).toBeGreaterThan(40);
    const known = [...carriedFlags(), ...refusedFlagNames(), '--help'];
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
  });
});
