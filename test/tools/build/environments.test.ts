import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnvironments } from '../../../tools/build/environments.ts';
import { shop } from '../../support/shop.ts';

const scratch = mkdtempSync(join(tmpdir(), 'environments-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let n = 0;
/** Reads a folder with these files. */
function environments(files: Readonly<Record<string, string>>) {
  const folder = join(scratch, `${n++}`);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readEnvironments(folder, shop.variables);
}

describe('environment files', () => {
  it('give values of the library’s and the suite’s variables by their name; numbers may be numbers', () => {
    expect(
      environments({
        'staging.json': '{ "BASE_URL": "https://staging.example", "RATE": 5, "TENANT": "test" }',
        'local.json': '{}',
        'notes.txt': 'no environment',
      }),
    ).toEqual({ staging: { BASE_URL: 'https://staging.example', RATE: '5', TENANT: 'test' }, local: {} });
  });

  it('need not be there', () => {
    expect(readEnvironments(join(scratch, 'nowhere'), undefined)).toEqual({});
  });

  it.each([
    ['{ "TENAND": "x" }', 'there is no variable TENAND; did you mean "TENANT"?'],
    ['{ "RATE": "fast" }', 'RATE=fast is not valid: give a number'],
    ['{ "PAGES": 10 }', 'PAGES=10 is not valid: give a whole number from 1 to 9'],
    ['{ "PASSWORD": "hunter2" }', 'PASSWORD is a secret and must not stand in a file'],
    ['{ "ALLOW_TARGET": "shop.example" }', 'ALLOW_TARGET is said by who starts the run, not by a file'],
    ['{ "ENVIRONMENT": "staging" }', 'ENVIRONMENT chooses this file'],
    ['{ "RATE": true }', 'RATE must be a text or a number'],
    ['[]', 'write it as { "BASE_URL"'],
    ['{', 'no JSON ('],
  ])('%s is refused', (text, sentence) => {
    expect(() => environments({ 'staging.json': text })).toThrow(/staging\.json: /);
    expect(() => environments({ 'staging.json': text })).toThrow(sentence);
  });

  it('do not tell the secret that they must not hold', () => {
    let message = '';
    try {
      environments({ 'staging.json': '{ "PASSWORD": "hunter2" }' });
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).not.toBe('');
    expect(message).not.toContain('hunter2');
  });
});
