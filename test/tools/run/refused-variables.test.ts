/** Variables that a suite refuses end with 2 before a results folder is made, whichever they are. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../tools/run/k6-engine.ts';
import { executeRun } from '../../../tools/run/run.ts';
import { executeWorkers } from '../../../tools/run/workers.ts';
import { workplace } from '../../support/run-command.ts';

const LOG = (message: string) =>
  `time="2026-12-01T04:11:50Z" level=error msg="${message}" hint="script exception" source=stacktrace\n`;

describe('the log of a script that does not load', () => {
  it('holds a refusal when it throws a bare sentence', () => {
    expect(refusalOf(LOG('SHARES=nix is not valid at \\"nix\\": give each once\\n'))).toBe(
      'SHARES=nix is not valid at "nix": give each once',
    );
  });

  it('holds none when the script is wrong', () => {
    expect(refusalOf(LOG('TypeError: Cannot read\\n\\tat file:///a.js:1:2(3)\\n'))).toBeUndefined();
    expect(refusalOf('time="x" level=error msg="unknown flag"\n')).toBeUndefined();
  });
});

describe('a refusal', () => {
  const refusing = (script: string, own: boolean) => {
    const results = join(workplace(), 'results');
    const said = 'BASE_URL=http://u:geheim@h?x is not valid';
    const engine = {
      name: 'k6',
      version: '1',
      path: null,
      argv: () => [],
      inspect: async () => ({ options: null, requirements: null, refused: said }),
      run: async () => {
        throw new Error('it was run');
      },
    };
    const facts = {
      variables: [],
      secrets: [],
      harmless: ['BASE_URL'],
      environment: {},
      baseUrl: undefined,
      inputs: {},
    };
    const request = {
      script: { scenario: 'a', file: script, own },
      env: { BASE_URL: 'http://u:geheim@h?x' },
      ...{
        tags: {},
        outputs: [],
        rest: [],
        summaryExport: undefined,
        resultsRoot: results,
        samples: true,
        quiet: true,
      },
      stdout: 'none' as const,
      onLog: () => undefined,
      facts,
    };
    return { results, engine, request };
  };

  it.each(['one', 'workers'])('of %s ends before a folder is made, without the password', async (kind) => {
    const { results, engine, request } = refusing(import.meta.filename, true);
    const running = kind === 'one' ? executeRun(engine, request) : executeWorkers(engine, request, 2, () => undefined);
    await expect(running).rejects.toMatchObject({ exitCode: 2, message: 'BASE_URL=http://***@h?x is not valid' });
    expect(existsSync(results)).toBe(false);
  });

  it("of another's script is left to k6", async () => {
    const { engine, request } = refusing(import.meta.filename, false);
    await expect(executeRun(engine, request)).rejects.toThrow('it was run');
  });
});
