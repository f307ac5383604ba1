import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { fuzz, mutate, SEEDS } from '../../../tools/lab/traffic/fuzz.ts';
import { syntheticLog } from '../../../tools/lab/traffic/synthetic-log.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { analyse, readLog, sumOfParts } from './helpers.ts';

describe('mutated lines', { timeout: 120_000 }, () => {
  for (const format of Object.keys(SEEDS)) {
    it(`of ${format} stop nothing, and every line is accounted for`, () => {
      // The same with 10^6 lines: npm run prove -- --fuzz 1000000
      const result = fuzz(format, 4000, sessionRandom(hashSeed(`fuzz ${format}`), 0));
      expect(result.lines.physical).toBe(result.fed);
      expect(result.adds).toBe(true);
      // Broken #Fields lines rightly cost W3C rows after them.
      expect(result.lines.records).toBeGreaterThan(300);
      expect(result.lines.malformed).toBeGreaterThan(100);
    });
  }
});

describe('hostile lines of a megabyte', { timeout: 120_000 }, () => {
  // Quadratic time would be 10^12 steps, hours; linear time is far below the test's limit.
  it.each(['[', '"', '" ', ' ', ',', '{', '{"a":', '%', '/a', '\\', '\t', 'a@.', '#', '[]', '1.'])(
    'made of %j end soon',
    (piece) => {
      const body = piece.repeat(Math.ceil((1 << 20) / piece.length));
      const line = '192.0.2.1 - - [04/Mar/2024:10:00:00 +0000] "GET /';
      const { lines } = readLog(
        `${body}\n${body}]\n${line}${body} HTTP/1.1" 200 1 "-" "-"\n{"uri":"/${body.replace(/["\\\t]/g, '')}","method":"GET","status":200}\n`,
      );
      expect(sumOfParts(lines)).toBe(lines.physical);
      expect(lines.physical).toBe(4);
    },
  );
});

describe('several threads', { timeout: 120_000 }, () => {
  const built = existsSync('dist/tools/traffic-worker.mjs');
  if (!built) console.warn('several threads: SKIPPED, dist/tools/traffic-worker.mjs is missing; run npm run build');
  it.skipIf(!built)('give exactly what one gives, over files that overlap in time', async () => {
    const workload = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');
    const lines = syntheticLog(workload, { seconds: 60, seed: 'threads', format: 'combined' });
    // Two nodes behind a balancer, and a third log of the hour before.
    const files = {
      'node-a.log': `${lines.filter((_, i) => i % 3 === 0).join('\n')}\n`,
      'node-b.log': `${lines.filter((_, i) => i % 3 !== 0).join('\n')}\nrubbish\n`,
      'before.log': `${lines.slice(0, 500).join('\n').replaceAll('2024:10:', '2024:09:')}\n`,
    };
    const strip = (text: string): string => text.replace(/"name": ?"[^"]*traffic-[^"/]*\//g, '"name":"');
    const one = strip(JSON.stringify(buildModel(await analyse(files), { replicates: 5 })));
    const three = strip(
      JSON.stringify(buildModel(await analyse(files, { threads: 3, parallelFrom: 0 }), { replicates: 5 })),
    );
    expect(three).toBe(one);
  });

  it.skipIf(!built)('give exactly what one gives, over a file that is cut into stretches', async () => {
    const workload = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');
    const random = sessionRandom(hashSeed('stretches'), 0);
    const good = syntheticLog(workload, { seconds: 60, seed: 'stretches', format: 'combined' });
    const broken = good.slice(0, 100).map((line) => Buffer.from(line, 'latin1'));
    // Hours of it, so that every stretch holds new paths, broken lines and lines out of order: 26 MB, several stretches.
    const hours = Array.from({ length: Math.ceil(26e6 / good.join('\n').length) }, (_, hour) => {
      const stamp = `2024:${String(10 + (hour % 14)).padStart(2, '0')}:`;
      const lines = good.map((line) =>
        line.replace('2024:10:', stamp).replace('GET /api/', () => (random() < 0.01 ? `GET /v${hour}/` : 'GET /api/')),
      );
      for (let i = 0; i < 20; i++) {
        const bytes = mutate(broken[i] as Buffer, random, broken);
        lines[Math.floor(random() * lines.length)] = bytes.toString('latin1');
      }
      return lines.join('\n');
    });
    const files = { 'access.log': `${hours.join('\n')}\n` };
    const passOf = async (options: object): Promise<string> => {
      const { pass, routes } = await analyse(files, options);
      const { sessions, total } = pass;
      // Steps back in time are counted within a stretch; the look at the beginning alone makes use of them.
      const counts = { ...total, inversions: 0 };
      const samples = sessions.transitions.map(({ from, to, gaps }) => [from, to, gaps.n, gaps.values]);
      return JSON.stringify([
        counts,
        { ...sessions, transitions: samples, items: [...sessions.items.counts] },
        routes.names,
      ]);
    };
    const one = await passOf({});
    expect(await passOf({ threads: 2, parallelFrom: 0 })).toBe(one);
    expect(await passOf({ threads: 3, parallelFrom: 0 })).toBe(one);
  });
});
