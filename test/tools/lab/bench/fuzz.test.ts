/** The bench of mutated result files: its mutations do what they say, what crashes is caught, and a first few hundred do not. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../../lib/model/random.ts';
import { bases } from '../../../../tools/lab/bench/fuzz/bases.ts';
import { mutate, mutateJson } from '../../../../tools/lab/bench/fuzz/mutate.ts';
import { fuzz } from '../../../../tools/lab/bench/fuzz/run.ts';
import { analyse } from '../../../../tools/verdict/analyse.ts';
import { made } from '../../verdict/support.ts';

describe('mutations', () => {
  it('change nearly every time, the same seed in the same way, and never the original', () => {
    const original = Buffer.from('metric_name,timestamp,metric_value\nhttp_reqs,1795982260000,1.0\n'.repeat(20));
    const before = Buffer.from(original);
    let same = 0;
    for (let n = 0; n < 200; n++) {
      const made = mutate(original, sessionRandom(1, n));
      expect(made.equals(mutate(original, sessionRandom(1, n)))).toBe(true);
      if (made.equals(original)) same++;
    }
    expect(original.equals(before)).toBe(true);
    expect(same).toBeLessThan(20);
  });

  it('of JSON leave JSON, and what is none is left to the others', () => {
    const document = Buffer.from('{"a":[1,{"b":"c"}],"d":null}');
    for (let n = 0; n < 200; n++) {
      const made = mutateJson(document, sessionRandom(2, n));
      expect(() => JSON.parse(String(made))).not.toThrow();
    }
    expect(mutateJson(Buffer.from('a,b\n'), sessionRandom(2, 0))).toBeUndefined();
  });
});

describe('the analysis of mutated files', () => {
  it('starts from files that it reads without a complaint', async () => {
    for (const base of await bases()) {
      if (base.give !== 'file' || ['machine-readable summary', 'anything'].includes(base.kind)) continue;
      const { verdict, facts } = await analyse({ paths: [made(base.file, base.bytes)] });
      expect(
        verdict.reasons.map(({ rule }) => rule),
        base.kind,
      ).not.toContain('damaged-file');
      expect(facts.requests.n, base.kind).toBe(30);
    }
  });

  it('answers or refuses each, and tells them apart', async () => {
    const keep = join(mkdtempSync(join(tmpdir(), 'fuzz-test-')), 'kept');
    const stop = new AbortController().signal;
    const found = await fuzz({
      files: 200,
      samplesShare: 0.02,
      seed: 'test',
      first: 0,
      keep,
      onFile: () => undefined,
      stop,
    });
    expect(found.findings).toEqual([]);
    const sum = (count: (kind: (typeof found.kinds)[number]) => number) =>
      found.kinds.reduce((total, kind) => total + count(kind), 0);
    expect(sum(({ answers, refusals }) => answers + refusals)).toBe(200);
    expect(sum(({ answers }) => answers)).toBeGreaterThan(30);
    expect(sum(({ refusals }) => refusals)).toBeGreaterThan(30);
    expect(existsSync(keep)).toBe(false);
  }, 60_000);

  it('ends when it is told to, with what was tried until then', async () => {
    const stop = new AbortController();
    const onFile = (n: number) => {
      if (n === 4) stop.abort();
    };
    const found = await fuzz({ files: 50, samplesShare: 0, seed: 'x', first: 0, keep: '', onFile, stop: stop.signal });
    expect(found.files).toBe(5);
  });
});
