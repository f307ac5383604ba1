/** A small suite for tests of the library, which must not depend on the files of a suite that people change. */
import type { Session } from '../../lib/model/flow.ts';
import type { Workload } from '../../lib/model/workload.ts';
import type { LoadTest } from '../../lib/plan/load-test.ts';
import type { Objectives } from '../../lib/plan/objectives.ts';
import { makePlan } from '../../lib/plan/plan.ts';
import type { Plan } from '../../lib/plan/planned.ts';
import { defineSuite, type SuiteDefinition, type SuiteOf } from '../../lib/plan/suite-definition.ts';
import { type Suite, suiteOf } from '../../lib/plan/suite-facts.ts';

export const shop = defineSuite({
  endpoints: {
    list: 'GET /items?kind&page',
    search: 'GET /items?q={term}',
    item: { request: 'GET /items/{sku}', contains: '{sku}', cacheable: true },
    cart: { request: 'POST /carts', expect: [201], example: { id: 'c1' } },
    add: { request: 'PUT /carts/{id}/items/{sku}', body: 'none' },
    order: { request: 'POST /orders', expect: [201, 409] },
  },
  pools: {
    items: { file: 'items.csv', columns: { sku: 'text' }, law: 'workload' },
    users: { file: 'users.csv', columns: { name: 'text', age: 'integer' }, law: { law: 'uniform' } },
  },
  variables: {
    TENANT: { kind: 'text', default: 'acme', help: 'Tenant.' },
    PASSWORD: { kind: 'text', default: '', secret: true, help: 'Password of every user.' },
    PAGES: { kind: 'integer', min: 1, max: 9, default: 2, help: 'Pages.' },
    KIND: { kind: 'choice', of: ['', 'new'], default: '', help: 'Kind.' },
  },
  counters: { sold_out: { means: 'exhausted', says: '{n} orders found nothing to buy' } },
  headers: { 'X-Tenant': '{TENANT}' },
});

/** 20 sessions/s, of which 70, 20 and 10 % browse, search and buy; 8.43 s of thinking in the mean session. */
export const shopWorkload = {
  schemaVersion: 1,
  provenance: { source: 'test', notes: [] },
  arrivals: { rate: 20, process: 'poisson' },
  flows: {
    browse: {
      share: 0.7,
      thinkTimes: {
        'list->item': { law: 'uniform', min: 2, max: 5 },
        'item->item': { law: 'uniform', min: 3, max: 8 },
      },
    },
    search: { share: 0.2, thinkTimes: { 'search->item': { law: 'uniform', min: 3, max: 8 } } },
    checkout: {
      share: 0.1,
      thinkTimes: {
        'item->cart': { law: 'uniform', min: 2, max: 6 },
        'cart->add': { law: 'uniform', min: 0.6, max: 2 },
        'add->order': { law: 'uniform', min: 3, max: 7 },
      },
    },
  },
  popularity: { law: 'power', g: 3 },
  latency: { healthyMs: 20, degradedMs: 1000 },
  cdnShare: 0,
} as const satisfies Workload;

export type Shop = SuiteOf<typeof shop, typeof shopWorkload>;
type Visitor = Session<Shop>;

export const browse = ({ call, pick, think }: Visitor): void => {
  call('list', { kind: 'new' });
  think('list->item');
  call('item', pick('items'));
  think('item->item');
  call('item', pick('items'));
};

export const searching = ({ call, pick, think }: Visitor): void => {
  call('search', { term: 'pen' });
  think('search->item');
  call('item', pick('items'));
};

export const checkout = ({ call, pick, think }: Visitor): void => {
  const { sku } = pick('items');
  call('item', { sku });
  think('item->cart');
  const id = call('cart', undefined, { json: {} }).json('id');
  think('cart->add');
  call('add', { id, sku });
  think('add->order');
  call('order', undefined, { json: { cart: id } });
};

export const SHOP_MIX: LoadTest = { name: 'shop-mix', flows: { browse, search: searching, checkout } };

/** 1,000 items and after them 10 users, as the build would find them. */
export const SHOP_POOLS = {
  items: { from: 0, rows: 1000, column: 'sku', example: { sku: 'sku-0' } },
  users: { from: 1000, rows: 10, example: { name: 'ann', age: 30 } },
};

export const shopSuite = (definition: SuiteDefinition = shop, pools: Suite['facts']['pools'] = SHOP_POOLS): Suite =>
  suiteOf(definition, { pools });

export const NO_OBJECTIVES: Objectives = { schemaVersion: 1, purpose: 'test', endpoints: {} };
const BY_NAME = Object.fromEntries(['default', 'smoke', 'cold', 'warm', 'ci'].map((name) => [name, NO_OBJECTIVES]));

export const shopPlan = (
  env: Readonly<Record<string, string>> = {},
  test: LoadTest = SHOP_MIX,
  suite: Suite = shopSuite(),
  workload: Workload = shopWorkload,
): Plan => makePlan(test, suite, workload, env, BY_NAME);
