/** What the routes work with, made once at start. */
import type { OutputCache } from '../cache.ts';
import type { Database } from '../database/database.ts';
import type { Gateway } from '../payments/gateway.ts';

export interface Context {
  readonly database: Database;
  readonly cache: OutputCache;
  /** Absent when no provider is configured: orders stay Placed. */
  readonly payments: Gateway | undefined;
  /** Orders of this process by what became of them. */
  readonly orders: OrderCounts;
}

export interface OrderCounts {
  Placed: number;
  PaymentPending: number;
  Paid: number;
  outOfStock: number;
}

/** Amounts are kept in cents and shown in whole currency units. */
export function amount(cents: number): number {
  return cents / 100;
}
