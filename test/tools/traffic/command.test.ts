import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { syntheticLog } from '../../../tools/traffic/synthetic-log.ts';
import { startCli } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'traffic-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORKLOAD = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');
const LOG = join(folder, 'access.log');
writeFileSync(
  LOG,
  `${syntheticLog(WORKLOAD, { seconds: 40, seed: 'cli', format: 'w3c', sessionIds: true }).join('\n')}\n`,
);

const run = (...args: string[]) => startCli(['traffic', ...args]).end;

describe('bookstore-load traffic', { timeout: 120_000 }, () => {
  it('writes a workload that the build takes, and a page that loads nothing', async () => {
    const out = join(folder, 'workload.json');
    const html = join(folder, 'page.html');
    const { code, stdout, stderr } = await run(LOG, '--out', out, '--page', html, '--source', 'a test');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/GET \/api\/books\/\{isbn\}/);
    const workload = parseWorkload(readFileSync(out, 'utf8'), out);
    expect(workload.provenance.source).toMatch(/^a test: /);
    expect(Object.keys(workload.flows)).toEqual(['browse', 'search', 'checkout']);
    const page = readFileSync(html, 'utf8');
    expect(page).toMatch(/<svg/);
    expect(page).not.toMatch(/(src|href)=|https?:\/\//);
  });

  it('ends with 3 and one sentence when too much cannot be read, after telling what was found', async () => {
    const bad = join(folder, 'bad.log');
    writeFileSync(bad, `${readFileSync(LOG, 'latin1').split('\n').slice(0, 50).join('\n')}\n${'rubbish\n'.repeat(10)}`);
    const { code, stdout, stderr } = await run(bad, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ lines: { physical: 60, malformed: 10 } });
    expect(stderr).toMatch(/^bookstore-load: 16\.7 % of the lines cannot be read .*bad\.log:51: .*\n$/);
    expect((await run(bad, '--max-malformed', '20%')).code).toBe(0);
  });

  it('ends with 2 and one sentence on wrong usage', async () => {
    for (const args of [
      [],
      ['nothere.log'],
      [LOG, '--drop', 'birds'],
      [LOG, '--format', 'word'],
      [LOG, '--gap', 'x'],
    ]) {
      const { code, stderr } = await run(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr.trim().split('\n'), args.join(' ')).toHaveLength(1);
    }
  });

  it('solves the exercise of 15 % checkout requests', async () => {
    const { code, stdout } = await run('solve', '--requests', 'checkout=15%', '--sessions', '70,20,10', '--json');
    expect(code).toBe(0);
    const { sessions } = JSON.parse(stdout) as { sessions: Record<string, number> };
    // Derivation in solve.test.ts.
    expect(sessions['checkout']).toBeCloseTo(25 / 169, 9);
  });
});
