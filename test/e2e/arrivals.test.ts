import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { K6, runK6 } from '../support/k6.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECONDS = 6;
const RATES = { browse: 14, search: 4 };

const SCRIPT = `
import exec from 'k6/execution';
import { poissonStages } from './test/support/poisson-stages.ts';
import { hashSeed, sessionRandom } from './lib/model/random.ts';
const scenarios = {};
for (const [flow, rate] of Object.entries(${JSON.stringify(RATES)})) {
  const stages = poissonStages(rate, ${SECONDS}, sessionRandom(hashSeed(flow), 0));
  scenarios[flow] = { executor: 'ramping-arrival-rate', preAllocatedVUs: 30, ...stages };
}
export const options = { scenarios };
export default () => console.log(exec.scenario.name + ' ' + exec.scenario.iterationInTest);
`;

describe.skipIf(K6 === undefined)('poissonStages in k6', () => {
  const folder = mkdtempSync(join(tmpdir(), 'arrivals-'));
  const bundle = join(folder, 'arrivals.js');

  beforeAll(async () => {
    await build({
      stdin: { contents: SCRIPT, resolveDir: ROOT, loader: 'ts' },
      outfile: bundle,
      bundle: true,
      format: 'esm',
      target: 'es2020',
      external: ['k6', 'k6/*'],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The sessions that a k6 process started, as `flow index`. */
  async function sessions(...args: string[]): Promise<string[]> {
    const { exitCode, stderr } = await runK6(['run', '-q', '--log-format', 'raw', ...args, bundle], folder);
    expect(exitCode).toBe(0);
    return stderr.split('\n').filter((line) => /^\w+ \d+$/.test(line));
  }

  /** Planned sessions, each once; only k6's last ticks may be missing, which a busy machine loses to the run's end. */
  function expectPlanned(started: readonly string[]): void {
    expect(new Set(started).size, 'a session ran twice').toBe(started.length);
    for (const [flow, rate] of Object.entries(RATES)) {
      const total = rate * SECONDS;
      const seen = started.filter((one) => one.startsWith(`${flow} `)).map((one) => Number(one.split(' ')[1]));
      const indices = Array.from({ length: total }, (_, index) => index);
      expect(seen.filter((index) => !indices.includes(index))).toEqual([]);
      const early = indices.filter((index) => index < 0.85 * total);
      expect(
        early.filter((index) => !seen.includes(index)),
        `${flow} lacks sessions`,
      ).toEqual([]);
    }
  }

  it('starts the planned sessions, each once, in one process and split over two workers', async () => {
    const planned = Object.values(RATES).reduce((sum, rate) => sum + rate * SECONDS, 0);
    const sequence = ['--execution-segment-sequence', '0,1/3,1'];
    const [whole, ...workers] = await Promise.all([
      sessions(),
      sessions('--execution-segment', '0:1/3', ...sequence),
      sessions('--execution-segment', '1/3:1', ...sequence),
    ]);
    expectPlanned(whole);
    expectPlanned(workers.flat());
    // k6 stripes by maxVUs: thirty divide into ten and twenty.
    expect(Math.abs((workers[0]?.length ?? 0) - workers.flat().length / 3)).toBeLessThanOrEqual(
      2 + (planned - workers.flat().length),
    );
  });
});
