/** Questions to the target before any load: pure, so that what is asked and refused can be tested without k6. */

import { popularityCdf } from '../../lib/model/popularity.ts';
import type { PickLaw } from '../../lib/model/session-settings.ts';
import type { Plan, PlannedFlow } from '../../lib/plan/planned.ts';
import type { PreflightInput, TargetAnswer, TargetFacts } from '../../lib/plan/preflight.ts';

/** What `GET /api/status` of the bookstore says. */
export interface TargetStatus {
  readonly service: string;
  readonly version: string;
  readonly books: number;
  readonly minimumStock: number;
  readonly rateLimit: null | { readonly perSecond: number };
  readonly payments: 'none' | 'stub' | 'provider';
  /** False when the payments are configured and nothing answers there. */
  readonly paymentsAnswer?: boolean;
  readonly cacheTtlSeconds: number;
  readonly admin: boolean;
}

/**
 * Asks the target and compares it with the plan.
 * @returns what the target said of itself
 * @throws Error with one sentence that names the remedy
 */
export function preflight(input: PreflightInput): TargetFacts {
  const { plan, variables, baseUrl, request, warn } = input;
  const books = input.rows('books');
  const status = targetStatus(request('GET', '/api/status'), baseUrl);

  if (status.books !== books) {
    throw new Error(
      `the target has ${status.books} books and the data file ${books}: point BASE_URL at the right system, or make data/books.csv from its catalogue (bookstore-load data) and build`,
    );
  }
  for (const index of new Set([0, Math.floor(books / 2), books - 1])) {
    const { isbn } = input.row('books', index) as { isbn: string };
    const answer = request('GET', `/api/books/${encodeURIComponent(isbn)}`);
    if (answer.status !== 200 || !answer.body?.includes(isbn)) {
      throw new Error(
        `the target answers ${answer.status} for book ${isbn} of the data file: make data/books.csv from its catalogue (bookstore-load data) and build`,
      );
    }
  }
  if (status.rateLimit !== null && variables['RATE_LIMITER'] !== 'declared') {
    throw new Error(
      `the target limits ${status.rateLimit.perSecond} requests/s per client, and all VUs are one client: switch the limiter off, or declare it with -e RATE_LIMITER=declared`,
    );
  }
  // Not by the number of orders: a plan that expects none may still send one, and one charge is one too many.
  const free = status.payments === 'stub' || status.payments === 'none';
  if (plan.flows.some((flow) => orders(flow) > 0) && !free && variables['PAYMENTS'] !== 'declared') {
    const what = status.payments === 'provider' ? 'a real payment provider' : `by "${status.payments}"`;
    throw new Error(
      `the target charges ${what}: point it at the payment stub (bookstore-load payment-stub), or declare it with -e PAYMENTS=declared`,
    );
  }
  const ordered = plannedOrders(plan);
  if (ordered > 0 && status.paymentsAnswer === false) {
    warn(
      `nothing answers where the target sends its charges (${status.payments}): orders will stay PaymentPending, sooner than paid ones would be answered; start it (bookstore-load payment-stub)`,
    );
  }
  if (ordered > 0) {
    const shortage = stockShortage(plan, ordered, books, status.minimumStock);
    if (shortage !== undefined) {
      if (variables['STOCK'] !== 'declared') throw new Error(`${shortage}, or declare it with -e STOCK=declared`);
      warn(shortage);
    }
  }
  if (plan.cache === 'cold') {
    const purged = status.admin && request('POST', '/admin/cache/purge').status < 300;
    if (!purged) warn('CACHE=cold: the cache could not be purged, restart the target right before the run');
  }
  return { line: lineOf(status), ...status };
}

/** What a reader must know of the target, on one line. */
function lineOf({ payments, rateLimit, cacheTtlSeconds, books }: TargetStatus): string {
  const limiter = rateLimit === null ? 'off' : `${rateLimit.perSecond}/s`;
  return `payments ${payments}, rate limiter ${limiter}, output cache ${cacheTtlSeconds} s, ${books} books`;
}

function targetStatus(answer: TargetAnswer, baseUrl: string): TargetStatus {
  if (answer.status === 0) {
    throw new Error(
      `no answer from ${baseUrl}: start the system under test (bookstore-load bookstore) or correct BASE_URL`,
    );
  }
  const body = answer.status === 200 ? parsed(answer.body) : undefined;
  if (body === undefined) {
    const more = answer.status >= 300 && answer.status < 400 ? ' (redirects are not followed)' : '';
    throw new Error(
      `${baseUrl}/api/status answers ${answer.status}${more} and not as the bookstore does: correct BASE_URL, or ask nothing with -e PREFLIGHT=off`,
    );
  }
  for (const [field, { is, expected }] of Object.entries(FIELDS)) {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    if (is(value)) continue;
    const wrong = value === undefined ? `lacks "${field}"` : `says "${field}": ${JSON.stringify(value).slice(0, 60)}`;
    throw new Error(
      `${baseUrl}/api/status ${wrong}, which must be ${expected}: mend the target's answer, or ask nothing with -e PREFLIGHT=off`,
    );
  }
  return body as unknown as TargetStatus;
}

/** An object out of JSON; undefined for anything else. */
function parsed(body: string | null): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body ?? '');
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

interface Field {
  readonly is: (value: unknown) => boolean;
  readonly expected: string;
}
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const atLeast0: Field = { is: (value) => isNumber(value) && value >= 0, expected: 'a number from 0' };

/** Fields of the status that decide about a run or stand in its summary. */
const FIELDS: Readonly<Record<string, Field>> = {
  books: { is: (value) => isNumber(value) && value >= 1 && value % 1 === 0, expected: 'a whole number from 1' },
  minimumStock: atLeast0,
  rateLimit: {
    is: (value) => value === null || isNumber((value as { perSecond?: unknown } | undefined)?.perSecond),
    expected: 'null or { "perSecond": a number }',
  },
  payments: { is: (value) => typeof value === 'string' && value !== '', expected: '"none", "stub" or "provider"' },
  cacheTtlSeconds: atLeast0,
  admin: { is: (value) => typeof value === 'boolean', expected: 'true or false' },
};

/** Orders of one session. */
function orders({ requests }: Pick<PlannedFlow, 'requests'>): number {
  let sum = 0;
  for (const [endpoint, n] of Object.entries(requests)) if (/ \/api\/orders$/.test(endpoint)) sum += n;
  return sum;
}

/**
 * Most orders that the whole run places, warm-up included; a closed loop's number is not known and counts as 0.
 * Evenly spaced ticks may be one more than planned: k6 races the one at the very end against its deadline.
 */
export function plannedOrders(plan: Pick<Plan, 'flows' | 'scenarios' | 'arrivals' | 'test'>): number {
  const { flows, scenarios, arrivals, test } = plan;
  const extra = test.shape === 'ramp' || arrivals === 'metronome' ? 1 : 0;
  let sum = 0;
  for (const { flow, sessions } of scenarios) {
    const model = flows.find((one) => one.name === flow);
    if (model !== undefined && sessions !== undefined) sum += orders(model) * (sessions + extra);
  }
  return sum;
}

/** Standard deviations above the mean that stock must last for. */
const MARGIN = 3;

/** A sentence if the most popular book will sell out: its orders are binomial, near enough Poisson. */
function stockShortage(plan: Plan, orders: number, books: number, stock: number): string | undefined {
  const law = plan.pools.find((pool) => pool.name === 'books')?.law ?? { law: 'uniform' };
  const share = topShare(law, books);
  const mean = orders * share;
  const needed = Math.ceil(Math.min(orders, mean + MARGIN * Math.sqrt(mean)));
  if (needed <= stock) return undefined;
  return `stock will not last: ${orders} orders are planned, about ${mean.toFixed(mean < 10 ? 1 : 0)} of them for the most popular book, and the target has only ${stock} of a book: top it up to ${needed} or more`;
}

function topShare(law: PickLaw, books: number): number {
  if (law === 'once' || law === 'sequential') return 1 / books;
  if (law.law === 'single') return 1;
  return popularityCdf(law, books)(1);
}
