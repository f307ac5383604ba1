/** Counters of a suite's own: what they mean comes with the run. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { judge } from '../../../tools/verdict/judge.ts';
import { limitsOf } from '../../../tools/verdict/limits.ts';
import { TICKETS } from '../../support/built-suite.ts';
import { healthy } from './rules/facts.ts';
import { fixtureText, HEADER, made, requestRows } from './support.ts';

const START = 1795982260000;
const ISSUES = 'GET /v1/issues';

/** 100 requests and the samples of counters, as k6 writes them: a CSV tells no types. */
function rows(counters: Readonly<Record<string, number>>): string {
  const requests = Array.from({ length: 100 }, (_, i) =>
    requestRows(START + i * 100, 5 + (i % 7), { name: ISSUES, extra: 'flow=triage&phase=measure' }),
  );
  const counts = Object.entries(counters).flatMap(([metric, n]) =>
    Array.from({ length: n }, (_, i) => `${metric},${START + i * 100},1${','.repeat(HEADER.split(',').length - 3)}\n`),
  );
  return `${HEADER}\n${[...requests, ...counts].join('')}`;
}

function runFolder(counters: Readonly<Record<string, number>>, suite?: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'own-counters-'));
  writeFileSync(join(folder, 'samples.csv'), rows(counters));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ runId: 'x', status: 'complete', ...suite }));
  return folder;
}

const reasonsOf = async (paths: readonly string[]) =>
  (await analyse({ paths })).verdict.reasons.filter(({ rule }) => rule === 'exhausted-data');

describe('counters that the manifest explains', () => {
  const suite = { suite: { counters: TICKETS.counters } };

  it('speak against the test where they mean used-up data, in their own words, and not where they are a note', async () => {
    const [reason, ...more] = await reasonsOf([runFolder({ closed: 4, reopened: 9 }, suite)]);
    expect(reason).toMatchObject({ numbers: { n: 4, requests: 100, share: 0.04 } });
    expect(reason?.message).toBe('4 issues were closed already; open them again (4 % of the requests).');
    expect(more).toEqual([]);
  });

  it('are said as a note where they are one', async () => {
    const { verdict } = await analyse({ paths: [runFolder({ reopened: 9 }, suite)] });
    const notes = verdict.reasons.filter(({ rule }) => rule === 'own-counters');
    expect(notes).toMatchObject([{ severity: 'note', numbers: { metric: 'reopened', n: 9, requests: 100 } }]);
    expect(notes[0]?.message).toContain('(reopened, 9 % of the requests)');
  });

  it('take the place of those of before', async () => {
    expect(await reasonsOf([runFolder({ out_of_stock: 4 }, suite)])).toEqual([]);
  });

  it('may be limited by a rules file, with the endpoints that the run called', async () => {
    const rules = made(
      'objectives.json',
      JSON.stringify({
        schemaVersion: 1,
        purpose: 'p',
        endpoints: { '*': { '2xx': ['p(95)<1000'] } },
        validity: { closed: ['count==0'] },
      }),
    );
    const folder = runFolder({ closed: 1 }, suite);
    const { objectives } = await analyse({ paths: [folder], rules });
    expect(objectives.map(({ key }) => key)).not.toContain('closed{phase:measure}');
    // Without the run's manifest nothing tells of such a counter: here the suite at hand is the bookstore's.
    await expect(analyse({ paths: [join(folder, 'samples.csv')], rules })).rejects.toThrow('unknown key "closed"');
  });
});

describe('counters that only the summary explains', () => {
  const summary = (counters: unknown) => {
    const whole = JSON.parse(fixtureText('mix.summary.json')) as { metrics: Record<string, unknown> };
    whole.metrics['closed'] = { type: 'counter', contains: 'default', values: { count: 12, rate: 1 } };
    return made('summary.json', JSON.stringify({ ...whole, bookstoreLoad: { counters } }));
  };

  it('are judged by the sentence that stands there, with the number of the whole run', async () => {
    const row = { metric: 'closed', means: 'exhausted', n: 3, says: '3 issues were closed already; open them again' };
    const [reason] = await reasonsOf([summary([row])]);
    // The recorded mix has 81 requests.
    expect(reason?.message).toBe('12 issues were closed already; open them again (14.8 % of the requests).');
    expect(await reasonsOf([summary([{ ...row, means: 'note' }])])).toEqual([]);
  });

  it('are read with goodwill: rows that say nothing cost the row only', async () => {
    expect(await reasonsOf([summary([null, { metric: 'closed' }, 7])])).toEqual([]);
  });
});

describe('recordings of before', () => {
  it('are judged by out_of_stock, as ever', async () => {
    const [reason] = await reasonsOf([runFolder({ out_of_stock: 4 })]);
    expect(reason?.message).toMatch(/^4 orders found no stock: exhausted test data/);
    const verdict = judge({ ...healthy(), counters: { out_of_stock: 900 } }, limitsOf());
    expect(verdict.status).toBe('INVALID');
  });
});
