import { describe, expect, it } from 'vitest';
import { argumentsForArchive, readK6Arguments, readTag, readVariable } from '../../../tools/run/k6-arguments.ts';

describe('readK6Arguments', () => {
  it.each([[['-e', 'A=1']], [['-eA=1']], [['-e=A=1']], [['--env', 'A=1']], [['--env=A=1']]])(
    '%j is a variable',
    (words) => {
      expect(readK6Arguments(words)).toMatchObject({ env: { A: '1' }, rest: [] });
    },
  );

  it('the later variable and tag win', () => {
    const { env, tags } = readK6Arguments([
      '-e',
      'A=1',
      '--tag',
      'x=1',
      '-e',
      'A=2',
      '--tag=x=2',
      '--tag',
      'y=a=b,c d',
    ]);
    expect(env).toEqual({ A: '2' });
    expect(tags).toEqual({ x: '2', y: 'a=b,c d' });
  });

  it('outputs, quiet and summary export in every spelling', () => {
    const words = ['-o', 'json=a', '-ojson=b', '--out=json=c', '-q', '--summary-export=s.json'];
    expect(readK6Arguments(words)).toMatchObject({
      outputs: ['json=a', 'json=b', 'json=c'],
      quiet: true,
      summaryExport: 's.json',
      rest: [],
    });
    expect(readK6Arguments(['--quiet=false']).quiet).toBe(false);
  });

  it('everything else stays as it was, and a value is never taken for a flag', () => {
    const words = [
      '--user-agent',
      '-e',
      '--http-debug',
      '--http-debug=full',
      '-u',
      '5',
      '-qv',
      '--throw',
      '-s',
      '1m:5',
    ];
    expect(readK6Arguments(words)).toMatchObject({ env: {}, quiet: false, rest: words });
  });

  it.each([
    [['script.js'], /"script\.js": k6 options only/],
    [['--vus', '3', 'x.js'], /"x\.js"/],
    [['-'], /"-"/],
    [['--rps'], /--rps: a value is needed/],
    [['-e', '1A=2'], /-e 1A=2: NAME=VALUE/],
    [['--tag', 'x='], /--tag x=: name=value/],
  ])('%j is refused', (words, message) => {
    expect(() => readK6Arguments(words)).toThrow(message);
  });
});

describe('readVariable and readTag', () => {
  it('a name alone is taken from the environment, as k6 does', () => {
    expect(readVariable('HOME_PAGE', { HOME_PAGE: 'x=y' })).toEqual({ HOME_PAGE: 'x=y' });
    expect(readVariable('HOME_PAGE', {})).toEqual({ HOME_PAGE: '' });
  });

  it('values may hold anything, tags must hold something', () => {
    expect(readVariable('A==\n "')).toEqual({ A: '=\n "' });
    expect(() => readTag('=x')).toThrow();
    expect(() => readTag('x')).toThrow();
  });
});

it('argumentsForArchive drops only what `k6 archive` does not know', () => {
  const words = ['--linger', '-l', '--vus', '3', '--no-usage-report', '-a', ':0', '--address=:0', '-v', '--paused'];
  expect(argumentsForArchive(words)).toEqual(['--vus', '3', '-v']);
});
