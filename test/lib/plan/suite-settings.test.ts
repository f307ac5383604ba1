/** What a run is told of a suite: variables, headers, environments, endpoints; and what it must never be told. */
import { describe, expect, it } from 'vitest';
import type { PreparedEndpoint } from '../../../lib/model/flow.ts';
import { ENDPOINT_ENTRY, type SessionSettings } from '../../../lib/model/session-settings.ts';
import { environmentOf } from '../../../lib/plan/environments.ts';
import { headersOf, isSecret, ownValues, ownVariables } from '../../../lib/plan/own-variables.ts';
import { answersAtAll, type PreflightInput } from '../../../lib/plan/preflight.ts';
import { checkName, endpointEntries } from '../../../lib/plan/suite-settings.ts';
import { shop, shopPlan, shopSuite, shopWorkload } from '../../support/shop.ts';

describe('variables of a suite’s own', () => {
  it('have their names from the table, and are read and checked like the library’s', () => {
    expect(ownVariables(shop.variables).map(({ name }) => name)).toEqual(['TENANT', 'PASSWORD', 'PAGES', 'KIND']);
    expect(ownVariables(undefined)).toEqual([]);
    expect(
      ownVariables(shop.variables)
        .filter(isSecret)
        .map(({ name }) => name),
    ).toEqual(['PASSWORD']);
    expect(ownValues(shop.variables, { PAGES: '3', PASSWORD: 'hunter2' })).toEqual({
      ...{ TENANT: 'acme', PASSWORD: 'hunter2', PAGES: 3, KIND: '' },
    });
    expect(() => ownValues(shop.variables, { PAGES: 'many' })).toThrow('PAGES=many is not valid: give a whole number');
  });
});

describe('headers of a suite', () => {
  const definition = { ...shop, headers: { 'X-A': '{TENANT}/{PAGES}', 'X-B': '{lower} {TENANT' } };
  it('have {NAME} replaced by the variable’s value', () => {
    expect(headersOf(definition, { PAGES: '4' })).toEqual({ 'X-A': 'acme/4', 'X-B': '{lower} {TENANT' });
  });
  it.each([
    ['{TENAND}', 'header X-A: the suite has no variable TENAND'],
    ['Basic {PASSWORD}', 'header X-A: PASSWORD is a secret; send it with session.header(...)'],
  ])('with %s are refused', (text, sentence) => {
    expect(() => headersOf({ ...definition, headers: { 'X-A': text } }, { PASSWORD: 'hunter2' })).toThrow(sentence);
  });
});

describe('a secret', () => {
  const env = { PASSWORD: 'hunter2', TENANT: 'acme' };
  it('stands neither in what virtual users are told nor anywhere else in the options of the run', () => {
    const plan = shopPlan(env);
    expect(JSON.stringify(plan)).not.toContain('hunter2');
    const k6Env = plan.options.scenarios['browse']?.['env'] as Record<string, string>;
    const settings = JSON.parse(k6Env['SESSION_SETTINGS'] as string) as SessionSettings;
    // Its name does, so that sessions take it from their environment.
    expect(settings.secrets).toEqual(['PASSWORD']);
    expect(settings.variables).toEqual({ TENANT: 'acme', PAGES: 2, KIND: '' });
  });
});

describe('endpoints as virtual users hold them', () => {
  const told = (cdnShare: number) => {
    const entries = endpointEntries(shopSuite(), { ...shopWorkload, cdnShare });
    return (key: string) => JSON.parse(entries[ENDPOINT_ENTRY + key] as string) as PreparedEndpoint;
  };
  it('have what a session asks of them, and no more', () => {
    expect(told(0)('cart')).toEqual({
      ...{ name: 'POST /carts', method: 'POST', path: '/carts', expected: 201 },
      check: 'POST /carts: status 201',
    });
    expect(told(0)('item')).not.toHaveProperty('cacheable');
    expect(told(0.5)('item')).toMatchObject({ cacheable: true });
    expect(told(0.5)('cart')).not.toHaveProperty('example');
  });
  it('have a check that says what a good answer is', () => {
    const name = 'GET /a/{id}';
    expect(checkName({ name, expected: [] })).toBe('GET /a/{id}: status 2xx');
    expect(checkName({ name, expected: [200, 304] })).toBe('GET /a/{id}: status 200 or 304');
    expect(checkName({ name, expected: [], contains: ['"', 'id', '"'] })).toBe('GET /a/{id}: status 2xx, holds "{id}"');
  });
});

describe('an environment', () => {
  const ENVIRONMENTS = { staging: { BASE_URL: 'https://staging.example', RATE: '5' }, local: {} };
  it('gives what was not given', () => {
    expect(environmentOf({ ENVIRONMENT: 'staging', RATE: '9', SEED: '' }, ENVIRONMENTS)).toEqual({
      ...{ ENVIRONMENT: 'staging', BASE_URL: 'https://staging.example', RATE: '9' },
    });
    const env = { RATE: '9' };
    expect(environmentOf(env, ENVIRONMENTS)).toBe(env);
  });
  it.each([
    ['stagign', ENVIRONMENTS, 'ENVIRONMENT=stagign: there are staging, local; add environments/stagign.json and build'],
    ['toString', ENVIRONMENTS, 'ENVIRONMENT=toString: there are staging, local'],
    ['staging', {}, 'ENVIRONMENT=staging: the suite has none; add environments/staging.json and build'],
  ])('%s that is not there is refused', (name, environments, sentence) => {
    expect(() => environmentOf({ ENVIRONMENT: name }, environments)).toThrow(sentence);
  });
});

describe('the pre-flight of a suite without one', () => {
  const asked: string[] = [];
  const ask = (status: number) =>
    answersAtAll({
      baseUrl: 'http://h',
      request: (method, path) => {
        asked.push(`${method} ${path}`);
        return { status, body: null };
      },
    } as Partial<PreflightInput> as PreflightInput);
  it.each([200, 301, 401, 404, 500])('takes any answer for one: %d', (status) => {
    expect(ask(status).line).toContain(`GET / gives ${status}`);
    expect(asked.at(-1)).toBe('GET /');
  });
  it('refuses a target that does not answer, with what to do', () => {
    expect(() => ask(0)).toThrow('no answer from http://h: start the system under test or correct BASE_URL');
  });
});
