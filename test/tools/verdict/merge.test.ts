/** Workers that do not add up to one run are refused by name, however they came to it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { merge } from '../../../tools/verdict/merge/merge.ts';
import { checkWorkers } from '../../../tools/verdict/workers/check.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1_795_982_260_413;

interface Worker {
  readonly seed: number;
  readonly requests?: number;
  readonly shiftMs?: number;
  /** Digits that the clock of the durations has not: 1 for whole milliseconds. */
  readonly coarseMs?: number;
}

function rowsOf({ seed, requests = 300, shiftMs = 0, coarseMs = 0 }: Worker): string[] {
  const random = sessionRandom(seed, 0);
  return Array.from({ length: requests }, (_, i) => {
    const exact = 5 + 20 * random();
    const duration = coarseMs === 0 ? exact : Math.round(exact / coarseMs) * coarseMs;
    return requestRows(START + shiftMs + i * 50, duration);
  });
}

const file = (rows: readonly string[]) => made('samples.csv', `${HEADER}\n${rows.join('')}`);
const refused = (...paths: string[]) => expect(merge(paths, {})).rejects;

/** A results folder with a manifest. */
function folder(worker: Worker, manifest: object): string {
  const path = join(dirname(file([])), 'run');
  mkdirSync(path);
  writeFileSync(join(path, 'samples.csv'), readFileSync(file(rowsOf(worker))));
  writeFileSync(
    join(path, 'manifest.json'),
    JSON.stringify({ status: 'finished', outcome: { exitCode: 0 }, ...manifest }),
  );
  return path;
}

describe('merge', () => {
  const one = file(rowsOf({ seed: 1 }));
  const other = file(rowsOf({ seed: 2, shiftMs: 13 }));

  it('takes workers of one run', async () => {
    expect((await merge([one, other], {})).text).toMatch(/^2 workers/);
    const coarse = [1, 2].map((seed) => file(rowsOf({ seed, coarseMs: 0.1 })));
    expect((await merge(coarse, {})).text).toMatch(/^2 workers/);
  });

  it('refuses a worker that wrote nothing', async () => {
    await refused(one, other, made('dead.csv', `${HEADER}\n`)).toThrow(/dead\.csv holds no request/);
    const gauge = `vus,${START},1${','.repeat(HEADER.split(',').length - 3)}\n`;
    await refused(one, made('idle.csv', `${HEADER}\n${gauge}`)).toThrow(/idle\.csv holds no request/);
  });

  it('refuses a worker given twice, cut, prolonged or moved', async () => {
    const rows = rowsOf({ seed: 1 });
    const copies = {
      cut: rows.slice(0, -1),
      half: rows.slice(0, 150),
      prolonged: [...rows, ...rowsOf({ seed: 9, requests: 20, shiftMs: 15_000 })],
      moved: rowsOf({ seed: 1, shiftMs: 1 }),
      joined: [...rows, ...rowsOf({ seed: 2, shiftMs: 13 })],
    };
    for (const [name, copy] of Object.entries(copies)) {
      await refused(one, file(copy)).toThrow(/hold the same requests: \d+ %/);
      expect(name).not.toBe('');
    }
    const coarse = [0, 1].map((cut) => file(rowsOf({ seed: 1, coarseMs: 0.1 }).slice(cut)));
    await refused(...coarse).toThrow(/hold the same requests/);
  });

  it('refuses runs without a common moment', async () => {
    await refused(one, file(rowsOf({ seed: 3, shiftMs: 360_000 }))).toThrow(/no time in common/);
  });

  it('refuses two whole runs, other targets and other loads, by what their manifests say', async () => {
    const options = (rate: number, segment?: string) => ({
      scenarios: {
        browse: { executor: 'constant-arrival-rate', rate, timeUnit: '1s', duration: '15s', preAllocatedVUs: 5 },
      },
      ...(segment === undefined ? {} : { executionSegment: segment, executionSegmentSequence: '0,1/2,1' }),
    });
    const at = (seed: number, rate: number, segment?: string, url = 'http://a') =>
      folder({ seed }, { options: options(rate, segment), target: { url } });
    await refused(at(1, 20), at(2, 20)).toThrow(/ran without an execution segment/);
    await refused(at(1, 20, '0:1/2'), at(2, 50, '1/2:1')).toThrow(/another load .*rate=50.*rate=20/);
    await refused(at(1, 20, '0:1/2'), at(2, 20, '1/2:1', 'http://b')).toThrow(/another target \(http:\/\/b\)/);
    await refused(at(1, 20, '0:1/2'), at(2, 20, '1/4:1')).toThrow(
      /More than one worker ran the segment from 1\/4 to 1\/2/,
    );
    expect((await merge([at(1, 20, '0:1/2'), at(2, 20, '1/2:1')], {})).text).toMatch(/^2 workers/);
  });
});

describe('checkWorkers', () => {
  it('takes whole seconds for what they are', () => {
    const worker = (path: string, startMs: number, endMs: number) => ({
      path,
      worker: path,
      startMs,
      endMs,
      requests: 1,
      failed: 0,
      finished: 1,
      dropped: 0,
      fingerprint: path,
    });
    expect(checkWorkers([worker('a', 0, 1000), worker('b', 1000, 2000)]).problems).toEqual([]);
    expect(checkWorkers([worker('a', 0, 1000), worker('b', 2000, 3000)]).problems.map((one) => one.kind)).toEqual([
      'apart',
    ]);
  });
});
