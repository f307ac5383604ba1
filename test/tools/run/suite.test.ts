/** A run of a suite of an API of its own: its variables, secrets, environments, counters. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultsInForce } from '../../../tools/run/suite.ts';
import { TICKETS, ticketSuite } from '../../support/built-suite.ts';
import { cli } from '../../support/cli.ts';
import { callOf, onlyRun, run } from '../../support/run-command.ts';
import { type StubBehaviour, stubK6 } from '../../support/stub-k6.ts';

const folder = ticketSuite();
const script = join(folder, 'dist', 'tickets.js');
const ran = (behaviour: StubBehaviour, ...env: readonly string[]) =>
  run(behaviour, ['-e', 'BASE_URL=http://127.0.0.1:9', ...env.flatMap((one) => ['-e', one])], {}, script);

describe('variables of a suite', () => {
  it('are known as the library’s are, and a misspelt one is refused', async () => {
    const { stderr, manifest } = await ran({}, 'TENANT=other', 'BUILD=7');
    expect(stderr).not.toContain('TENANT is no variable');
    expect(stderr).toContain('-e BUILD is no variable of the suite');
    expect(manifest.env).toMatchObject({ TENANT: 'other', BUILD: '***' });
    await expect(ran({}, 'TENNANT=x')).rejects.toThrow('did you mean TENANT?');
  });

  it('that are secret stand neither in the manifest nor in the log, wherever they come from', async () => {
    const log = 'time="x" level=info msg="sent {password: hush-hush}"';
    const options = { scenarios: { a: { executor: 'shared-iterations', env: { LOGIN: 'hush-hush' } } } };
    const given = await ran({ log, options }, 'LOGIN=hush-hush');
    const inherited = await run({ log }, ['-e', 'BASE_URL=http://127.0.0.1:9'], { LOGIN: 'hush-hush' }, script);
    for (const { folder: results, stderr, manifest } of [given, inherited]) {
      expect(manifest.env['LOGIN']).toBe('***');
      expect(readFileSync(join(results, 'manifest.json'), 'utf8')).not.toContain('hush-hush');
      expect(readFileSync(join(results, 'k6.log'), 'utf8')).toContain('{password: ***}');
      expect(stderr).toContain('{password: ***}');
    }
    expect(given.stderr).toContain('note: -e LOGIN shows a secret to everybody on this machine: export it instead');
    expect(inherited.stderr).not.toContain('note: ');
    // k6 itself gets it.
    expect(callOf(given.stub, 'run')).toContain('LOGIN=hush-hush');
  });
});

describe('an environment of a suite', () => {
  it('says where the load goes, below what is given', async () => {
    // The test runner has a BASE_URL of its own.
    const { manifest } = await run({}, ['-e', 'ENVIRONMENT=staging'], { BASE_URL: '' }, script);
    expect(manifest.target).toMatchObject({ url: 'http://127.0.0.2:9', host: '127.0.0.2:9' });
    expect(manifest.defaults).toMatchObject({ THINK: '2', TENANT: 'acme', BASE_URL: 'http://127.0.0.2:9', SEED: '1' });
    const other = await ran({}, 'ENVIRONMENT=staging', 'THINK=3');
    expect(other.manifest.target?.url).toBe('http://127.0.0.1:9');
    expect(other.manifest.defaults).not.toHaveProperty('THINK');
  });

  it('that the suite does not have is refused before k6 is started', async () => {
    await expect(run({}, ['-e', 'ENVIRONMENT=stage'], {}, script)).rejects.toMatchObject({
      name: 'UserError',
      message: 'ENVIRONMENT=stage: there are staging; add environments/stage.json and build',
    });
  });

  it('comes before the defaults and after what is given', () => {
    const values = { SEED: '7', THINK: '2' };
    expect(defaultsInForce({ THINK: '0' }, values)).toMatchObject({ SEED: '7', TIMEOUT: '60s' });
    expect(defaultsInForce({ THINK: '0' }, values)).not.toHaveProperty('THINK');
  });
});

describe('counters of a suite', () => {
  it('stand in the manifest with what they mean, and the endpoints by name', async () => {
    const { manifest } = await ran({});
    expect(manifest.suite).toEqual({
      endpoints: TICKETS.endpoints.map(({ name }) => name),
      counters: TICKETS.counters,
    });
    // A script that is none of a suite has none.
    expect((await run({})).manifest).not.toHaveProperty('suite');
  });

  it('have limits that are limits of the test', async () => {
    const summary = { metrics: { 'closed{phase:measure}': { thresholds: { 'count==0': { ok: false } } } } };
    expect((await ran({ exit: 99, summary })).manifest.outcome?.meaning).toMatch(/^a limit of the test was crossed/);
  });
});

describe('in the folder of a suite', () => {
  it('its load tests are found by name, those of the package besides', { timeout: 60_000 }, async () => {
    const stub = stubK6({});
    const results = join(folder, 'results');
    const args = ['-e', 'BASE_URL=http://127.0.0.1:9', '--results', 'results'];
    const { code, stderr } = await cli(['run', 'tickets', ...args], { cwd: folder, env: { K6_BIN: stub.path } });
    expect([code, stderr]).toEqual([0, expect.stringContaining('results: ')]);
    expect(callOf(stub, 'run').at(-1)).toBe(script);
    expect(readFileSync(join(onlyRun(folder), 'manifest.json'), 'utf8')).toContain('"closed"');
    const wrong = await cli(['run', 'ticket', ...args], { cwd: folder, env: { K6_BIN: stub.path } });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean "tickets"?')]);
    const none = await cli(['run', 'quite-another', '--results', results], { cwd: folder, env: { K6_BIN: stub.path } });
    expect(none.stderr).toMatch(/there are .*tickets.*browse|there are .*browse.*tickets/);
  });
});
