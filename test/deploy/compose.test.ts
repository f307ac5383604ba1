/** docker-compose.yml as data: no docker engine is needed to see that it fits the suite. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../lib/plan/variables.ts';
import { cli, ROOT } from '../support/cli.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly restart: string;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const { services } = compose;
const service = (name: string): Service => services[name] as Service;

describe('docker-compose.yml', () => {
  it('has the bookstore, PostgreSQL, the payment stub, and k6 from its official image', () => {
    expect(Object.keys(services).sort()).toEqual(['bookstore', 'database', 'k6', 'payment-stub', 'prepare']);
    expect(service('database').image).toMatch(/^postgres:/);
    expect(service('k6').image).toMatch(/^grafana\/k6:/);
    for (const name of ['bookstore', 'payment-stub', 'prepare']) {
      const { build } = service(name);
      expect(existsSync(join(ROOT, build?.dockerfile ?? 'nowhere'))).toBe(true);
    }
  });

  it('k6 is a job: only when asked for, never restarted, its results volume writable for uid 12345', () => {
    const { profiles, restart, user, volumes, depends_on } = service('k6');
    expect([profiles, restart, user]).toEqual([['job'], 'no', '12345:12345']);
    expect(volumes).toContain('results:/results');
    expect(depends_on).toMatchObject({ prepare: { condition: 'service_completed_successfully' } });
    expect(service('prepare').entrypoint?.join(' ')).toContain('chown 12345:12345 /results');
    expect(service('prepare').volumes).toContain('results:/results');
    for (const { restart: policy } of Object.values(services)) expect(policy).toBe('no');
  });

  it('waits for health: whatever is waited for has a check', () => {
    for (const { depends_on } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on ?? {})) {
        if (condition === 'service_healthy') expect(service(name).healthcheck?.test.length, name).toBeGreaterThan(1);
      }
    }
  });

  it('named volumes are declared, and nothing listens beyond loopback', () => {
    for (const { volumes, ports } of Object.values(services)) {
      for (const volume of volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      for (const port of ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('the target off loopback is named twice, by variables that the suite has', () => {
    const environment = service('k6').environment ?? {};
    const suite = Object.keys(environment).filter((name) => name !== 'SCENARIO' && !name.startsWith('K6_'));
    for (const name of suite) expect(VARIABLES.map((variable) => variable.name)).toContain(name);
    expect(new URL(environment['BASE_URL'] ?? '').hostname).toBe(environment['ALLOW_TARGET']);
  });

  it.each(['bookstore', 'payment-stub'])('the options of %s exist', async (name) => {
    const [command, ...options] = service(name).command ?? [];
    const { stdout } = await cli([command ?? '', '--help']);
    for (const option of options.filter((word) => word.startsWith('--'))) expect(stdout).toContain(`${option} `);
  });

  it("the job's shell makes a folder a run and hands k6 the suite's files, the user's options and its exit code", () => {
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    const calls = join(folder, 'calls');
    writeFileSync(join(folder, 'k6'), `#!/bin/sh\necho "$*" >> ${calls}\necho "$SUMMARY_JSON" >> ${calls}\nexit 99\n`, {
      mode: 0o755,
    });
    // What compose does to `$$`, and the container's root moved.
    const [shell = '', ...words] = (service('k6').entrypoint ?? []).map((word) =>
      word.replaceAll('$$', '$').replaceAll('/results/', `${folder}/`),
    );
    const env = { PATH: `${folder}:${process.env['PATH']}`, SCENARIO: 'browse' };
    const { status, stderr } = spawnSync(shell, [...words, '-e', 'RATE=5 0'], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([99, '']);
    const [argv, summary] = readFileSync(calls, 'utf8').trim().split('\n');
    expect(argv).toBe('run --out csv -e RATE=5 0 /scenarios/browse.js');
    expect(summary).toMatch(/\/\d{8}T\d{6}Z-browse-[0-9a-f]{4}\/summary\.json$/);
    expect(existsSync(join(summary as string, '..'))).toBe(true);
  });
});
