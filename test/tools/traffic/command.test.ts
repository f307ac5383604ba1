import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { syntheticLog } from '../../../tools/lab/traffic/synthetic-log.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { startCli } from '../../support/cli.ts';
import { traffic } from './in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'traffic-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORKLOAD = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');
const LOG = join(folder, 'access.log');
writeFileSync(
  LOG,
  `${syntheticLog(WORKLOAD, { seconds: 20, seed: 'cli', format: 'w3c', sessionIds: true }).join('\n')}\n`,
);

function startShell(line: string): { code: number | null; stderr: string } {
  const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  return { code: status, stderr };
}

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
    expect((await traffic(bad, '--max-malformed', '20%')).code).toBe(0);
  });

  it('ends with 2 and one sentence on wrong usage', async () => {
    const { code, stderr } = await run('nothere.log');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^bookstore-load: nothere\.log: .*\n$/);
    for (const args of [
      [],
      ['nothere.log'],
      [LOG, '--drop', 'birds'],
      [LOG, '--format', 'word'],
      [LOG, '--gap', 'x'],
      [LOG, '--session-field', 'nosuch'],
      [LOG, '--client-field', 'nosuch'],
      [LOG, '--session-cookie', 'sid', '--map', 'session=nosuch'],
      [LOG, '--item-route', 'GET /api/books'],
      [LOG, '--templates', '/dev/null'],
      [LOG, '--keep', 'bot', '--drop', 'bot'],
      [LOG, '--max-malformed', ''],
      [LOG, '--threads', '1.5'],
    ]) {
      const { code, stderr } = await traffic(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr.trim().split('\n'), args.join(' ')).toHaveLength(1);
    }
  });

  it('names the fields that there are when no line has the one that was asked for', async () => {
    const { code, stdout, stderr } = await traffic(LOG, '--session-field', 'nosuch');
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/--session-field nosuch: no line has such a field; the fields are date, time, /);
    const combined = join(folder, 'combined.log');
    writeFileSync(combined, '192.0.2.1 - - [04/Mar/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "ua"\n');
    expect((await traffic(combined, '--session-cookie', 'sid')).stderr).toMatch(
      /--session-cookie sid: .*ncsa have no cookie/,
    );
  });

  it('ends with 2 and one sentence when standard output is a full disk', () => {
    const short = join(folder, 'short.log');
    writeFileSync(short, readFileSync(LOG, 'latin1').split('\n').slice(0, 50).join('\n'));
    const { code, stderr } = startShell(`"${process.execPath}" dist/cli.mjs traffic "${short}" > /dev/full`);
    expect(code).toBe(2);
    expect(stderr).toBe('bookstore-load: standard output: cannot be written (the disk is full); send it elsewhere\n');
  });

  it('solves the exercise of 15 % checkout requests', async () => {
    const { code, stdout } = await traffic('solve', '--requests', 'checkout=15%', '--sessions', '70,20,10', '--json');
    expect(code).toBe(0);
    const { sessions } = JSON.parse(stdout) as { sessions: Record<string, number> };
    // Derivation in solve.test.ts.
    expect(sessions['checkout']).toBeCloseTo(25 / 169, 9);
  });
});
