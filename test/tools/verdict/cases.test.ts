/** Six telling cases on recorded k6 output; the numbers were worked out by hand from the same files (see MANIFEST.md). */
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../tools/base/exit-codes.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { gate } from '../../../tools/verdict/gate.ts';
import { mergeSummaries } from '../../../tools/verdict/merge/summaries.ts';
import type { Population } from '../../../tools/verdict/populations.ts';
import { readSummary } from '../../../tools/verdict/summary.ts';
import { checkWorkers } from '../../../tools/verdict/workers/check.ts';
import { fixture, fixtureText, made } from './support.ts';

function quantiles(population: Population | undefined): number[] {
  return [0.5, 0.9, 0.95, 0.99].map(
    (p) => population?.latency?.quantiles.find((one) => one.p === p)?.value ?? Number.NaN,
  );
}

function close(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [index, value] of expected.entries())
    expect(Math.abs((actual[index] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-6);
}

const summary = (name: string) => readSummary(name, fixtureText(name));

describe('C1: a rule that saw nothing must not pass', () => {
  const empty = [
    'checks{flow:pay} rate>0.99',
    'http_req_duration{name:checkout} p(95)<5',
    'http_req_duration{name:checkout,status:200} p(95)<5',
  ].sort();
  const named = (objectives: readonly { key: string; expression: string; outcome: string }[], outcome: string) =>
    objectives
      .filter((one) => one.outcome === outcome)
      .map((one) => `${one.key} ${one.expression}`)
      .sort();

  it('from the summary alone', async () => {
    const analysis = await analyse({ paths: [fixture('empty.summary.json')] });
    expect(named(analysis.objectives, 'no samples')).toEqual(empty);
    expect(named(analysis.objectives, 'kept')).toEqual(['http_reqs{name:search} count>0']);
    expect(named(analysis.objectives, 'crossed')).toEqual(['http_reqs{name:checkout} count>0']);
    expect(gate(analysis, 'pass').exitCode).not.toBe(0);
  });

  it('from raw rows and a rules file', async () => {
    const rules = made(
      'rules.json',
      JSON.stringify({
        'http_req_duration{name:checkout}': ['p(95)<5'],
        'http_req_duration{name:checkout,status:200}': ['p(95)<5'],
        'checks{flow:pay}': ['rate>0.99'],
        'http_reqs{name:search}': ['count>0'],
      }),
    );
    const analysis = await analyse({ paths: [fixture('empty.csv')], rules });
    expect(named(analysis.objectives, 'no samples')).toEqual(empty);
    expect(named(analysis.objectives, 'kept')).toEqual(['http_reqs{name:search} count>0']);
    expect(gate(analysis, 'pass').exitCode).toBe(EXIT.noVerdict);
  });

  it('an empty rule is told from a real 0 by the sibling count', async () => {
    const text = JSON.parse(fixtureText('empty.summary.json')) as {
      metrics: Record<string, { values: Record<string, number> }>;
    };
    const counts = text.metrics['http_reqs{name:checkout}'];
    if (counts === undefined) throw new Error('fixture changed');
    // Enough for a p95: 15 beyond it.
    counts.values['count'] = 300;
    const analysis = await analyse({ paths: [made('s.json', JSON.stringify(text))] });
    expect(named(analysis.objectives, 'kept')).toContain('http_req_duration{name:checkout} p(95)<5');
  });
});

describe('C2: every iteration threw', () => {
  it('is invalid with the log, and says so once', async () => {
    const analysis = await analyse({
      paths: [fixture('throw.csv')],
      summary: fixture('throw.summary.json'),
      log: fixture('throw.stderr.txt'),
    });
    expect(analysis.verdict.status).toBe('INVALID');
    const thrown = analysis.verdict.reasons.filter((reason) => reason.rule === 'iterations-throwing');
    expect(thrown).toHaveLength(1);
    expect(thrown[0]?.message).toContain('31 of 31 iterations ended with an exception');
    expect(thrown[0]?.message.match(/TypeError/g)).toHaveLength(1);
  });

  it('is not valid without the log either: checks has a rule and no sample', async () => {
    const analysis = await analyse({ paths: [fixture('throw.csv')], summary: fixture('throw.summary.json') });
    expect(analysis.verdict.status).not.toBe('VALID');
    expect(analysis.objectives.find((one) => one.key === 'checks')?.outcome).toBe('no samples');
  });
});

describe('C3: polarity', () => {
  for (const name of ['mix.summary.json', 'mix.summary-export.json']) {
    it(name, async () => {
      const analysis = await analyse({ paths: [fixture(name)] });
      const crossed = analysis.objectives.filter((one) => one.outcome === 'crossed');
      expect(crossed.map((one) => `${one.key} ${one.expression}`)).toEqual(['http_req_duration{name:search} p(99)<1']);
      expect(
        analysis.objectives
          .filter((one) => one.outcome === 'kept')
          .map((one) => one.expression)
          .sort(),
      ).toEqual(['p(95)<500', 'p(95)<500', 'rate<0.9', 'rate>0.5']);
      expect(analysis.facts.requests).toMatchObject({ n: 81, failed: 36 });
      expect(analysis.facts.checks).toEqual({ passed: 45, failed: 36 });
      expect(gate(analysis, 'refuse').exitCode).toBe(EXIT.thresholds);
    });
  }
});

describe('C4: latency by status', () => {
  const table: Record<string, number[]> = {
    '200': [41.017715, 41.540657, 41.632312, 42.212505],
    '404': [0.683624, 1.037396, 1.160667, 1.259284],
    '429': [0.536701, 0.685609, 0.710136, 0.711966],
    '500': [5.966905, 6.517314, 6.700208, 6.846523],
  };
  const n: Record<string, number> = { '0': 4, '200': 45, '404': 8, '429': 16, '500': 8 };

  for (const name of ['mix.csv', 'mix.ndjson.gz']) {
    it(name, async () => {
      const { facts, verdict } = await analyse({ paths: [fixture(name)] });
      expect(Object.fromEntries(facts.byStatus.map((one) => [one.statusClass, one.n]))).toEqual(n);
      for (const [status, expected] of Object.entries(table))
        close(quantiles(facts.byStatus.find((one) => one.statusClass === status)), expected);
      const none = facts.byStatus.find((one) => one.statusClass === '0');
      expect(none?.latency).toBeUndefined();
      expect(none?.statuses).toEqual([{ status: 0, errorCode: 1212, n: 4 }]);
      const blend = facts.blends.find((one) => one.endpoint === '*');
      close(quantiles(blend), [40.781921, 41.36099, 41.561461, 41.850272]);
      expect(blend?.n).toBe(81);
      close(
        [facts.byStatus.find((one) => one.statusClass === '200')?.latency?.meanMs ?? 0, blend?.latency?.meanMs ?? 0],
        [41.085812, 23.595965],
      );
      expect(verdict.reasons.find((reason) => reason.rule === 'rate-limited')?.message).toContain('19.8 %');
      expect(verdict.reasons.find((reason) => reason.rule === 'no-answer')?.numbers).toMatchObject({ noAnswer: 4 });
      expect(verdict.reasons.find((reason) => reason.rule === 'error-heavy')?.message).toContain('36 of 81');
    });
  }
});

describe('C5: saturated generator, and the false alarm', () => {
  it('sat is invalid with its numbers', async () => {
    const { verdict } = await analyse({ paths: [fixture('sat.csv.gz')], plan: 'rate=50,duration=4s,maxVUs=3' });
    expect(verdict.status).toBe('INVALID');
    const dropped = verdict.reasons.find((reason) => reason.rule === 'dropped-iterations');
    expect(dropped).toMatchObject({ severity: 'invalid', numbers: { dropped: 114, asked: 201 } });
    expect(dropped?.message).toContain('56.7 %');
    const reached = verdict.reasons.find((reason) => reason.rule === 'rate-achieved')?.numbers['reachedPerSecond'];
    expect(reached).toBeGreaterThan(21);
    expect(reached).toBeLessThan(22);
    expect(verdict.reasons.map((reason) => reason.rule)).toContain('vu-ceiling');
  });

  it('sat-growth is not invalid: drops while VUs were added', async () => {
    const { verdict } = await analyse({ paths: [fixture('sat-growth.csv.gz')], plan: 'rate=50,duration=4s,maxVUs=30' });
    expect(verdict.status).toBe('SUSPECT');
    expect(verdict.reasons.find((reason) => reason.rule === 'dropped-iterations')?.message).toContain(
      '5 drops of 200 iterations while VUs were being added',
    );
    expect(verdict.reasons.map((reason) => reason.rule)).not.toContain('vu-ceiling');
    // 195 + 5 are five drops, not five missing iterations.
    expect(verdict.reasons.map((reason) => reason.rule)).not.toContain('accounting');
  });

  it('an absent dropped_iterations is 0 drops', async () => {
    const { facts } = await analyse({ paths: [fixture('w1.summary.json')] });
    expect(facts.iterations.dropped).toBe(0);
  });
});

describe('C6: percentiles of several workers', () => {
  it('are those of the union', async () => {
    const uneven = await analyse({ paths: [fixture('uneven-fast.csv.gz'), fixture('uneven-slow.csv')] });
    expect(uneven.facts.byStatus[0]?.n).toBe(200);
    close(quantiles(uneven.facts.byStatus[0]), [8.939955, 10.140704, 401.062169, 402.166202]);
    for (const order of [
      ['w1.csv.gz', 'w2.csv.gz'],
      ['w2.csv.gz', 'w1.csv.gz'],
    ]) {
      const halves = await analyse({ paths: order.map(fixture) });
      expect(halves.facts.byStatus[0]?.n).toBe(90);
      close(quantiles(halves.facts.byStatus[0]), [23.232395, 45.572255, 47.611688, 49.19391]);
      expect(checkWorkers(halves.facts.workers).problems).toEqual([]);
    }
  });

  it('the same file twice is refused by name', async () => {
    const { facts, verdict } = await analyse({ paths: [fixture('w1.csv.gz'), fixture('w1.csv.gz')] });
    expect(checkWorkers(facts.workers).problems[0]?.kind).toBe('doubled');
    expect(verdict.status).toBe('INVALID');
  });

  it('summaries give counters and extremes, never percentiles', () => {
    const merged = mergeSummaries([summary('w1.summary.json'), summary('w2.summary.json')]);
    expect(merged['http_reqs']?.values['count']).toBe(90);
    const duration = merged['http_req_duration'];
    expect(duration?.refused).toContain('p(95)');
    expect(Object.keys(duration?.values ?? {}).filter((name) => name.startsWith('p('))).toEqual([]);
  });
});
