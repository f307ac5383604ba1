/** What a user sees of mistakes: one sentence, exit code 2, no stack trace, and no load. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeMatch, editDistance } from '../../lib/model/nearest.ts';
import { asksForJson, jsonErrors } from '../../tools/base/json-errors.ts';
import { cli } from '../support/cli.ts';
import { stubK6 } from '../support/stub-k6.ts';

const cwd = mkdtempSync(join(tmpdir(), 'usage-'));
writeFileSync(join(cwd, 'my-test.js'), '');
const stub = stubK6();
const noK6 = stubK6({ version: 'pear 1.0' });

describe('wrong usage', () => {
  it.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['rnu'], /Did you mean run\?/],
    [['run', '--jsn'], /Did you mean --json\?/],
    [['run', 'my-test.js', '--vus', '3'], /k6's own options follow after --/],
    [['run', 'my-test.js', '--', 'my-test.js'], /k6 options only may follow/],
    [['run', 'nowhere.js'], /nowhere\.js: there is no such script/],
    [['run', 'bookstore-mx'], /did you mean "bookstore-mix"/],
    [['run', '-e', 'RAET=5'], /did you mean RATE\?/],
    [['run', 'my-test.js', '-e', '5=RATE'], /NAME=VALUE/],
    [['run', 'my-test.js', '--results', 'my-test.js'], /results folder my-test\.js.*--results/],
    [['start', '--scenario', 'nonsense'], /there is no such scenario/],
    [['constructor'], /unknown command 'constructor'/],
    [['run', '-e', 'RATE=fast'], /-e RATE=fast is not valid: give a number from/],
    [['start', '--duration', 'soon'], /--duration soon/],
    [['rehearse', 'bookstore-mix', '-e', 'CACHE=luke'], /-e CACHE=luke is not valid: give one of cold, warm/],
    [['rehearse', 'bookstore-mix', '-e', 'RAET=5'], /did you mean RATE\?/],
    [['rehearse', 'bookstore-mix', '-e', 'THRESHOLDS=nope'], /^bookstore-load: THRESHOLDS=nope is not valid: .*\n$/],
    [['rehearse', 'bookstore-mix', '-e', 'STOCK=x'], /^bookstore-load: STOCK=x is not valid: .*\n$/],
    [['start', '--rate', 'fast'], /--rate fast/],
    [['start', '-e', 'DURATION=10s'], /-e DURATION: `start` sets it itself; use --duration/],
    [['start', '-e', 'RATE=5'], /-e RATE: .* use --rate/],
    [['start', '-e', 'BASE_URL=http://127.0.0.1:1'], /-e BASE_URL: .* use `bookstore-load run`/],
    [['start', '--', '-e', 'DURATION=10s'], /-e DURATION: .* use --duration/],
    [['data', 'check', 'nowhere.csv'], /nowhere\.csv: there is no such file/],
    [['data', 'check'], /missing required argument/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await cli(args, { cwd, env: { K6_BIN: stub.path } });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([code, stdout]).toEqual([2, '']);
    expect(stub.calls().some((call) => call[0] === 'run')).toBe(false);
  });

  it.each([
    [['analyse', 'nowhere.csv', '--json'], 2, /nowhere\.csv: no such file/],
    [['analyse', 'my-test.js', '--json'], 3, /my-test\.js/],
    [['gate', '--json'], 2, /gate: name result files/],
    [['merge', 'nowhere.csv', '--json'], 2, /nowhere\.csv/],
    [['compare', 'nowhere.csv', 'my-test.js', '--json'], 2, /nowhere\.csv/],
    [['compare', '--json'], 2, /missing required argument 'A'/],
    [['analyse', '--json', '--nonsense'], 2, /unknown option '--nonsense'/],
    [['traffic', 'nowhere.log', '--json'], 2, /nowhere\.log/],
    [['rehearse', 'nowhere.js', '--json'], 2, /nowhere\.js/],
    [['run', 'nowhere.js', '--json'], 2, /nowhere\.js: there is no such script/],
  ])('%j says it in JSON too, in one document', async (args, exitCode, message) => {
    const { code, stdout, stderr } = await cli(args, { cwd, env: { K6_BIN: stub.path } });
    expect(code).toBe(exitCode);
    expect(JSON.parse(stdout)).toEqual({ error: { message: expect.stringMatching(message), exitCode } });
    expect(stderr).toMatch(message);
  });

  it('--json behind -- is no wish for JSON, and after a result no second document follows', () => {
    expect([asksForJson(['run', '--json']), asksForJson(['run', '--', '--json'])]).toEqual([true, false]);
    const said: string[] = [];
    const stdout = { write: (text: string) => said.push(text) > 0 } as unknown as NodeJS.WriteStream;
    const say = jsonErrors(stdout);
    stdout.write('{"result": 1}');
    say('cannot be written', 2);
    expect(said).toEqual(['{"result": 1}']);
  });

  it.each([
    ['/nowhere/k6', /K6_BIN=\/nowhere\/k6: there is no such program; get k6 from/],
    [noK6.path, /is not k6: `k6 version` answered "pear 1\.0"; get k6 from/],
  ])('K6_BIN=%s', async (K6_BIN, message) => {
    const { code, stderr } = await cli(['run', 'my-test.js'], { cwd, env: { K6_BIN } });
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toMatch(message);
  });

  it.each([['run'], ['start']])('%s --engine k6 without any k6 says how to get it', async (command) => {
    const { code, stderr } = await cli([command, '--engine', 'k6'], { cwd, env: { K6_BIN: '', PATH: cwd } });
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toMatch(/k6 was not found; get k6 from https:\/\/grafana\.com/);
  });

  it('run without any k6 takes the embedded engine and says once what that means', async () => {
    const place = mkdtempSync(join(tmpdir(), 'usage-no-k6-'));
    writeFileSync(join(place, 'my-test.js'), 'export default function () {}\n');
    const { code, stderr } = await cli(['run', 'my-test.js'], { cwd: place, env: { K6_BIN: '', PATH: place } });
    expect(code, stderr).toBe(0);
    expect(stderr.match(/embedded engine: k6 was not used/g)).toHaveLength(1);
  });

  it('nothing was left behind', () => {
    expect(readdirSync(cwd)).toEqual(['my-test.js']);
  });
});

describe('help', () => {
  it.each([
    [['--help']],
    [['run', '--help']],
    [['start', '--help']],
    [['data', '--help']],
    [['data', 'import', '--help']],
    [['help', 'run']],
  ])('%j exits with 0 and goes to standard output', async (args) => {
    const { code, stdout, stderr } = await cli(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: bookstore-load/);
  });
});

describe('closeMatch', () => {
  it.each([
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['', 'abc', 3],
    ['same', 'same', 0],
    ['abcd', 'acbd', 1],
  ])('distance of %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  it('finds slips and leaves other words alone', () => {
    const names = ['RATE', 'DURATION', 'SEED'];
    expect(closeMatch('DURTAION', names)).toBe('DURATION');
    expect(closeMatch('HOST', names)).toBeUndefined();
    expect(closeMatch('RATE', [])).toBeUndefined();
  });
});
