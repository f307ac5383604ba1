/** Scenarios that something replaced: k6's warnings as k6 v2.2.0 wrote them to these scripts and options. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { readLog } from '../../../tools/verdict/log.ts';
import { HEADER, made, madeFolder } from './support.ts';

const CLI = String.raw`time="2026-12-01T00:02:50Z" level=warning msg="\"cli\" level configuration overrode scenarios configuration entirely"`;

const samples = `${HEADER}
iteration_duration,1795982333,0.003741,,,,,,,,,default,,,,,,,
iterations,1795982333,1.000000,,,,,,,,,default,,,,,,,
`;

const replaced = async (log: string) => {
  const { verdict } = await analyse({ paths: [made('samples.csv', samples)], log: made('k6.log', log) });
  return verdict.reasons.find(({ rule }) => rule === 'scenarios-replaced');
};

describe("k6's warnings of overriding", () => {
  it.each([
    ['--iterations over scenarios', CLI, '"cli" level configuration overrode scenarios'],
    ['K6_ITERATIONS over scenarios', CLI.replace('cli', 'env'), '"env" level'],
    ['a script over the scenarios of --config', CLI.replace('cli', 'script'), '"script" level'],
    [
      '--vus, K6_VUS or vus of --config over scenarios',
      'time="2026-12-01T04:08:50Z" level=warning msg="`vus=2` overrides scenarios configuration"',
      '`vus=2` overrides',
    ],
    [
      'the same as JSON',
      '{"level":"warning","msg":"`vus=2` overrides scenarios configuration","time":"2026-12-01T04:08:50Z"}',
      '`vus=2` overrides',
    ],
    ['on a terminal', 'WARN[0000] "cli" level configuration overrode scenarios configuration entirely', '"cli" level'],
    [
      'no scenarios at all',
      'time="2026-12-01T04:08:50Z" level=warning msg="`scenarios` was explicitly set to an empty value, running the script with 1 iteration in 1 VU"',
      'explicitly set to an empty value',
    ],
  ])('%s', async (_, log, words) => {
    expect(await replaced(log)).toMatchObject({ severity: 'invalid', message: expect.stringContaining(words) });
  });

  it('other warnings are none', () => {
    const other =
      'time="2026-12-01T04:08:50Z" level=warning msg="Insufficient VUs, reached 3 active VUs and cannot initialize more" scenario=a';
    expect(readLog('k6.log', other).overridden).toBe(false);
  });
});

describe('flags of a script without scenarios', () => {
  const manifest = (argv: readonly string[]) => ({
    'manifest.json': JSON.stringify({ engine: { name: 'k6', version: '2.2.0', argv }, outcome: { exitCode: 0 } }),
    'samples.csv': samples,
  });
  it.each([
    ['--vus', ['run', '--vus', '10', '--duration', '5s', 'my-own-script.js']],
    ['--iterations', ['run', '--iterations=5', 'my-own-script.js']],
    ['-s', ['run', '-s', '10s:5', 'my-own-script.js']],
  ])('%s gives it its load: nothing is said when k6 warned of nothing', async (_, argv) => {
    const { verdict } = await analyse({ paths: [madeFolder({ ...manifest(argv), 'k6.log': '' })] });
    expect(verdict.reasons.map(({ rule }) => rule)).not.toContain('scenarios-replaced');
    const warned = await analyse({ paths: [madeFolder({ ...manifest(argv), 'k6.log': CLI })] });
    expect(warned.verdict.status).toBe('INVALID');
  });

  it('without the log nobody can know', async () => {
    const { verdict } = await analyse({ paths: [madeFolder(manifest(['run', '--vus', '10', 'x.js']))] });
    expect(verdict.notJudged).toContainEqual({
      rule: 'scenarios-replaced',
      why: expect.stringContaining("--vus replaces the script's scenarios if it has any"),
    });
  });
});
