/** A renamed endpoint, pool, step or variable is an error of the compiler; each line below it must be one. */
import { expect, expectTypeOf, it } from 'vitest';
import type { Session } from '../../../lib/model/flow.ts';
import type { Shop } from '../../support/shop.ts';

// Never called: the compiler reads it.
const flow = (session: Session<Shop>): void => {
  const { call, pick, think, variables, shared } = session;
  call('list');
  call('list', { kind: 'new' });
  call('item', { sku: 1 });
  call('item', pick('items'));
  call('cart', undefined, { json: {}, headers: { 'X-A': '1' } });

  // @ts-expect-error no such endpoint
  call('lst');
  // @ts-expect-error a placeholder must be given
  call('item');
  // @ts-expect-error by its name
  call('item', { id: 1 });
  // @ts-expect-error no such query key
  call('list', { kin: 'new' });
  // @ts-expect-error a row of another pool
  call('item', pick('users'));
  // @ts-expect-error no such pool
  pick('item');
  // @ts-expect-error no such step of the workload
  think('list->itme');
  // @ts-expect-error no such variable
  variables.TENAND;
  // @ts-expect-error no option of a call
  call('cart', undefined, { jsn: {} });

  think('list->item');
  expectTypeOf(pick('users')).toEqualTypeOf<{ readonly name: string; readonly age: number }>();
  expectTypeOf(variables.TENANT).toEqualTypeOf<string>();
  expectTypeOf(variables.PAGES).toEqualTypeOf<number>();
  expectTypeOf(variables.KIND).toEqualTypeOf<'' | 'new'>();
  expectTypeOf(shared).toEqualTypeOf<undefined>();
  expectTypeOf(call('add', { id: 1, sku: 1 }).body).toEqualTypeOf<null>();
  expectTypeOf(call('list').body).toEqualTypeOf<string | null>();
  expectTypeOf(call('list').json<number>('n')).toEqualTypeOf<number>();
};

it('is held by the compiler', () => {
  expect(flow).toBeTypeOf('function');
});
