import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { analyse } from './helpers.ts';

describe('discovered flows', { timeout: 120_000 }, () => {
  it('have the think times of their own sessions where two share a transition', async () => {
    const random = sessionRandom(hashSeed('kinds'), 0);
    const rows: { at: number; line: string }[] = [];
    for (let session = 0; session < 1200; session++) {
      let at = session * 300 + random() * 300;
      const quick = random() < 0.6;
      for (const path of ['/a', '/b', quick ? '/c' : '/d']) {
        const time = new Date(Date.UTC(2024, 2, 4, 10) + at).toISOString();
        rows.push({ at, line: JSON.stringify({ time, method: 'GET', path, status: 200, session_id: `u${session}` }) });
        at += 1000 * (quick ? 1 + random() : 6 + 3 * random());
      }
    }
    const log = rows.sort((a, b) => a.at - b.at).map(({ line }) => line);
    const model = buildModel(await analyse({ 'a.log': `${log.join('\n')}\n` }), { replicates: 2 });
    expect(model.flows.kind).toBe('discovered');
    const { flows } = toWorkload(model, { peak: false });
    const lawOf = (last: string): { min: number; max: number } => {
      const name = model.flows.flows.find((flow) => flow.steps.includes(`GET /${last}`))?.name ?? '';
      const law = Object.entries(flows[name]?.thinkTimes ?? {}).find(([step]) => /a->.*b$/i.test(step))?.[1];
      if (law?.law !== 'uniform') throw new Error(`${last}: ${law?.law ?? 'no law'}`);
      return law;
    };
    const [quick, slow] = [lawOf('c'), lawOf('d')];
    for (const [found, truth] of [
      [quick.min, 1],
      [quick.max, 2],
      [slow.min, 6],
      [slow.max, 9],
    ] as const) {
      expect(Math.abs(found - truth)).toBeLessThan(0.05);
    }
    // Over all sessions the two are one heap.
    expect(model.thinkTimes.find(({ from, to }) => from === 'GET /a' && to === 'GET /b')?.fit?.best).toBe('empirical');
  });
});
