import { describe, expect, it } from 'vitest';
import type { SuiteDefinition } from '../../../lib/plan/suite-definition.ts';
import { checkDefinition } from '../../../tools/schemas/definition.ts';

/** As it would stand in a file: the check gets what the code gives, and looks for the place in the text. */
const text = `export default defineSuite({
  endpoints: {
    hotels: 'GET /hotels',
    'book-it': { request: 'POST /bookings', expect: [201, 409], contains: 'id' },
  },
  pools: { hotels: { file: 'hotels.csv', columns: { hotel: 'text' }, law: { law: 'zipf', s: 1 } } },
  variables: {
    TENANT: { kind: 'text', default: 'acme', help: '' },
    SIZE: { kind: 'integer', min: 1, max: 9, default: 3, help: '' },
    KEY: { kind: 'text', secret: true, help: '' },
  },
  counters: { full: { means: 'note', says: '{n}' } },
  headers: { 'X-Tenant': '{TENANT}' },
  preflight: () => undefined,
});`;
const evaluate = (source: string): SuiteDefinition =>
  new Function('defineSuite', source.replace('export default', 'return'))((one: unknown) => one) as SuiteDefinition;
const check = (right: string, wrong: string) => {
  const changed = text.replace(right, wrong);
  expect(changed === text).toBe(right === wrong);
  return () => checkDefinition(evaluate(changed), changed, 'suite.ts');
};

describe('the definition of a suite', () => {
  it('passes with all that it may say', () => {
    expect(check('', '')).not.toThrow();
  });

  it.each([
    ['headers:', 'header:', 'suite.ts:13: unknown key "header"; did you mean "headers"?'],
    ['preflight:', 'preflights:', 'suite.ts:14: unknown key "preflights"; did you mean "preflight"?'],
    ['contains:', 'contain:', 'suite.ts:4: "endpoints" > "book-it": unknown key "contain"; did you mean "contains"?'],
    ['expect: [201, 409]', 'expect: 201', 'suite.ts:4: "endpoints" > "book-it": expect is a list of statuses'],
    ["contains: 'id'", "timeout: '5s'", 'timeout is a number of seconds'],
    ["contains: 'id'", "body: 'binari'", '"text"|"binary"|"none"'],
    [
      "law: { law: 'zipf', s: 1 }",
      "law: 'once', whenUsedup: 'wrap'",
      'unknown key "whenUsedup"; did you mean "whenUsedUp"?',
    ],
    [
      "law: { law: 'zipf', s: 1 }",
      "law: 'workloads'",
      'suite.ts:6: "pools" > "hotels" > "law": law is "workload", "once"',
    ],
    ["hotel: 'text'", "hotel: 'string'", 'suite.ts:6: "pools" > "hotels" > "columns" > "hotel"'],
    [
      'secret: true',
      'secrets: true',
      'suite.ts:10: "variables" > "KEY": unknown key "secrets"; did you mean "secret"?',
    ],
    ["default: 'acme', ", '', 'suite.ts:8: "variables" > "TENANT": only a secret can do without a default'],
    ["means: 'note'", "means: 'notes'", 'suite.ts:12: "counters" > "full" > "means"'],
    ["'GET /hotels'", '7', 'an endpoint is a request line'],
    ['() => undefined', "'/health'", 'it must be a function'],
  ])('with %s as %s is refused', (right, wrong, sentence) => {
    expect(check(right, wrong)).toThrow(sentence);
  });
});
