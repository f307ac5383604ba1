/** Objectives that select nothing: pairs that are none, tags that no sample has, sub-metrics that are only there to be shown. */
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../../tools/base/exit-codes.ts';
import { analyse } from '../../../../tools/verdict/analyse.ts';
import { gate } from '../../../../tools/verdict/gate.ts';
import { assertsNothing } from '../../../../tools/verdict/objectives/parse.ts';
import { HEADER, made, requestRows } from '../support.ts';

const samples = () =>
  made(
    'samples.csv',
    `${HEADER}\n${Array.from({ length: 60 }, (_, i) => requestRows(1_795_990_000_000 + i * 100, 20 + i, { extra: 'cache=HIT' })).join('')}`,
  );
const against = (thresholds: Readonly<Record<string, readonly string[]>>) =>
  analyse({ paths: [samples()], rules: made('rules.json', JSON.stringify(thresholds)) });

describe('a pair that is none', () => {
  it.each([
    ['http_req_duration{name=checkout}', 'is not of the form tag:value'],
    ['http_reqs{cache=HIT}', 'is not of the form tag:value'],
    ['http_req_failed{name:a,status=500}', '"status=500" in'],
    ['checks{flow}', 'is not of the form tag:value'],
    ['http_req_duration{name:}', 'is not of the form tag:value'],
    ['http_req_duration{}', 'is not of the form tag:value'],
    ['http_req_duration{name:a', 'must end with the brace'],
  ])('%s is refused with the reason of k6', async (key, why) => {
    await expect(against({ [key]: ['max<500'] })).rejects.toThrow(why);
  });
});

describe('tags that no sample has', () => {
  it.each([
    ['a value', 'http_req_duration{name:checkout}', 'p(95)<500'],
    ['a tag', 'http_req_duration{endpoint:checkout}', 'p(95)<500'],
    ['a value of a tag of their own', 'http_reqs{cache:STALE}', 'count<1'],
    ['a tag, asked for a count of none', 'http_reqs{endpont:checkout}', 'count<1'],
    ['a share', 'http_req_failed{endpoint:checkout}', 'rate<0.01'],
    ['a tag beside one that is there', 'http_req_duration{cache:HIT,flow:buy}', 'max<500'],
  ])('%s: never kept', async (_, key, expression) => {
    const analysis = await against({ [key]: [expression] });
    expect(analysis.objectives).toMatchObject([{ outcome: 'no samples' }]);
    expect(analysis.verdict.status).toBe('INVALID');
    expect(gate(analysis, 'pass', true).exitCode).toBe(EXIT.noVerdict);
  });
});

describe('sub-metrics that are there to be shown', () => {
  it.each([
    ['http_req_duration{status:500}', 'max>=0'],
    ['http_reqs{status:500}', 'count>=0'],
    ['http_req_failed{scenario:night}', 'rate>=0'],
    ['http_req_duration{cache:STALE}', 'p(99.9)>=0'],
    ['iteration_duration{scenario:night}', 'avg>-1'],
  ])('%s %s without samples is a note', async (key, expression) => {
    const analysis = await against({ [key]: [expression], http_req_duration: ['max<500'] });
    const found = analysis.verdict.reasons.filter(({ rule }) => rule === 'threshold-without-samples');
    expect(found.every(({ severity }) => severity === 'note')).toBe(true);
    expect(analysis.verdict.status).not.toBe('INVALID');
    expect(gate(analysis, 'pass', true).exitCode).toBe(EXIT.ok);
  });

  it('one that asserts something beside it is still said', async () => {
    const { verdict } = await against({ 'http_req_duration{status:500}': ['max>=0', 'max<5'] });
    const found = verdict.reasons.filter(({ rule }) => rule === 'threshold-without-samples');
    expect(found.map(({ severity, numbers }) => [severity, numbers['thresholds']])).toEqual([
      ['invalid', 1],
      ['note', 1],
    ]);
  });

  it('alone they assert nothing', async () => {
    expect(gate(await against({ http_req_duration: ['max>=0'] }), 'pass').exitCode).toBe(EXIT.noVerdict);
  });

  it.each(['count>0', 'min>0', 'max>=1', 'max<=0', 'value>=0', 'rate==0'])('%s asserts something', (expression) => {
    expect(assertsNothing(expression)).toBe(false);
  });
});
