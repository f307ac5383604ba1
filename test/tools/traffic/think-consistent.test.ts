import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { unlikeAll } from '../../../tools/traffic/model/think-model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { analyse } from './helpers.ts';

/** Two flows that share /login->/quotes, with the same law there; /quotes->/trade is of one alone. */
function sharedStep(sessions: number, slower: number): string {
  const random = sessionRandom(hashSeed('shared step'), 0);
  const rows: { at: number; line: string }[] = [];
  for (let session = 0; session < sessions; session++) {
    let at = session * 400 + random() * 400;
    const last = random() < 0.5 ? '/logout' : '/trade';
    for (const path of ['/login', '/quotes', last]) {
      const time = new Date(Date.UTC(2024, 2, 4, 10) + at).toISOString();
      rows.push({ at, line: JSON.stringify({ time, method: 'GET', path, status: 200, session_id: `u${session}` }) });
      const factor = last === '/trade' ? slower : 1;
      at +=
        1000 * factor * Math.exp(1 + 0.5 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
    }
  }
  return `${rows
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line)
    .join('\n')}\n`;
}

async function both(slower: number) {
  const model = buildModel(await analyse({ 'a.log': sharedStep(2000, slower) }), { replicates: 2 });
  const { flows, provenance } = toWorkload(model, { peak: false });
  return { model, flows, notes: provenance.notes ?? [], text: textReport(model) };
}

/** The row of the table of think times that begins with these words. */
function row(text: string, step: string): string {
  const found = text.split('\n').filter((line) => line.trim().startsWith(`${step}  `));
  expect(found, step).toHaveLength(1);
  return found[0] as string;
}

describe('think times in text and workload', { timeout: 120_000 }, () => {
  it('are the same, of all sessions where flows differ by chance only', async () => {
    const { model, flows, notes, text } = await both(1);
    for (const flow of Object.values(flows)) {
      const law = flow.thinkTimes['getLogin->getQuotes'];
      expect(law).toEqual(model.thinkTimes.find((one) => one.step === 'getLogin->getQuotes')?.fit?.law);
      if (law?.law !== 'lognormal') throw new Error('no lognormal');
      expect(row(text, 'getLogin->getQuotes')).toContain(`mu ${law.mu.toFixed(3)} [`);
      expect(row(text, 'getLogin->getQuotes')).toContain(`sigma ${law.sigma.toFixed(3)} [`);
    }
    expect(notes).toContain('getLogin->getQuotes: lognormal by the 2000 gaps');
    expect(text).not.toContain('getLogin->getQuotes in ');
  });

  it("are the flow's own where they differ, and then the text has both", async () => {
    const { model, flows, notes, text } = await both(1.5);
    for (const { name, steps } of model.flows.flows) {
      const law = flows[name]?.thinkTimes['getLogin->getQuotes'];
      if (law?.law !== 'lognormal') throw new Error('no lognormal');
      expect(Math.abs(law.mu - 1 - (steps.includes('GET /trade') ? Math.log(1.5) : 0))).toBeLessThan(0.06);
      expect(row(text, `getLogin->getQuotes in ${name}`)).toContain(`mu ${law.mu.toFixed(3)} [`);
      expect(notes.some((note) => note.startsWith(`getLogin->getQuotes in ${name}: lognormal by the `))).toBe(true);
    }
    // A step that one flow alone has is told by all sessions.
    expect(text).not.toContain('getQuotes->getTrade in ');
  });

  it('say how many gaps a law rests on when it is a sample', async () => {
    const { model } = await both(1);
    const thinkTimes = model.thinkTimes.map((one) => ({ ...one, n: 41_695 }));
    expect(row(textReport({ ...model, thinkTimes }), 'getLogin->getQuotes')).toMatch(/ 2,000 of 41,695 /);
  });
});

describe('think times of one kind of sessions', () => {
  const random = sessionRandom(hashSeed('kinds'), 1);
  const draws = (n: number, factor: number): Float64Array =>
    Float64Array.from({ length: n }, () => -factor * Math.log(1 - random()));
  const gaps = (values: Float64Array, n = values.length) => [{ from: 1, to: 2, gaps: { n, values } }];

  it('are taken for others by chance once in a hundred', () => {
    let differ = 0;
    for (let i = 0; i < 300; i++) {
      const own = draws(200, 4);
      // Parts of the whole, and samples of something larger.
      const whole = i % 2 === 0 ? gaps(Float64Array.from([...own, ...draws(300, 4)])) : gaps(draws(500, 4), 10_000);
      differ += unlikeAll(gaps(own), whole).length;
    }
    // 3 are due; 10 or more have a chance of 0.1 %.
    expect(differ).toBeLessThan(10);
  });

  it('are told apart when they are others', () => {
    const own = draws(400, 6);
    expect(unlikeAll(gaps(own), gaps(Float64Array.from([...own, ...draws(800, 4)])))).toHaveLength(1);
  });
});
