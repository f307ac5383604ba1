/** Questions to the target before any load: pure, so that what is asked and refused can be tested without k6. */
import { type Env, read } from './env.ts';
import type { Plan } from './plan.ts';
import { popularityCdf } from './popularity.ts';
import { PAYMENTS, RATE_LIMITER, STOCK } from './variables.ts';

/** What `GET /api/status` of the bookstore says. */
export interface TargetStatus {
  readonly service: string;
  readonly version: string;
  readonly books: number;
  readonly minimumStock: number;
  readonly rateLimit: null | { readonly perSecond: number };
  readonly payments: 'none' | 'stub' | 'provider';
  readonly cacheTtlSeconds: number;
  readonly admin: boolean;
}

export interface Answer {
  /** 0 when none came. */
  readonly status: number;
  readonly body: string | null;
}

/** The data file's books. */
export interface BookList {
  readonly books: number;
  /** Id by popularity, from 0. */
  readonly book: (index: number) => string;
}

export interface PreflightInput {
  readonly plan: Plan;
  readonly env: Env;
  readonly baseUrl: string;
  readonly catalogue: BookList;
  readonly request: (method: 'GET' | 'POST', path: string) => Answer;
  /** Says something that does not stop the run. */
  readonly warn: (sentence: string) => void;
}

/** Host of an http(s) URL in lower case, without port and user; undefined if it is no such URL. */
export function hostOf(url: string): string | undefined {
  const authority = /^https?:\/\/([^/?#\\\s]+)(?:[/?#]\S*)?$/i.exec(url)?.[1];
  const host = authority?.slice(authority.lastIndexOf('@') + 1);
  return /^(\[[\da-f:.]+\]|[^[\]:@]+)(:\d+)?$/i.exec(host ?? '')?.[1]?.toLowerCase();
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Foreign hosts must be named twice.
 * @throws Error with one sentence
 */
export function checkTarget(baseUrl: string, allowed: string): void {
  const host = hostOf(baseUrl);
  if (host === undefined)
    throw new Error(`BASE_URL=${baseUrl} is not valid: give an http:// or https:// URL with a host`);
  if (isLoopback(host) || host === allowed.toLowerCase()) return;
  throw new Error(
    `BASE_URL names ${host}, which is not this machine: add -e ALLOW_TARGET=${host} if you may send load there`,
  );
}

/**
 * Asks the target and compares it with the plan.
 * @returns what the target said of itself
 * @throws Error with one sentence that names the remedy
 */
export function preflight(input: PreflightInput): TargetStatus {
  const { plan, env, baseUrl, request, warn } = input;
  const { books, book } = input.catalogue;
  const status = targetStatus(request('GET', '/api/status'), baseUrl);

  if (status.books !== books) {
    throw new Error(
      `the target has ${status.books} books and the data file ${books}: point BASE_URL at the right system, or make data/books.csv from its catalogue (bookstore-load data) and build`,
    );
  }
  for (const index of new Set([0, Math.floor(books / 2), books - 1])) {
    const isbn = book(index);
    const answer = request('GET', `/api/books/${isbn}`);
    if (answer.status !== 200 || !answer.body?.includes(isbn)) {
      throw new Error(
        `the target answers ${answer.status} for book ${isbn} of the data file: make data/books.csv from its catalogue (bookstore-load data) and build`,
      );
    }
  }
  if (status.rateLimit !== null && read(RATE_LIMITER, env) !== 'declared') {
    throw new Error(
      `the target limits ${status.rateLimit.perSecond} requests/s per client, and all VUs are one client: switch the limiter off, or declare it with -e RATE_LIMITER=declared`,
    );
  }
  const orders = plannedOrders(plan);
  if (orders > 0) {
    if (status.payments === 'provider' && read(PAYMENTS, env) !== 'declared') {
      throw new Error(
        'the target charges a real payment provider: point it at the payment stub (bookstore-load payment-stub), or declare it with -e PAYMENTS=declared',
      );
    }
    const shortage = stockShortage(plan, orders, books, status.minimumStock);
    if (shortage !== undefined) {
      if (read(STOCK, env) !== 'declared') throw new Error(`${shortage}, or declare it with -e STOCK=declared`);
      warn(shortage);
    }
  }
  if (plan.cache === 'cold') {
    const purged = status.admin && request('POST', '/admin/cache/purge').status < 300;
    if (!purged) warn('CACHE=cold: the cache could not be purged, restart the target right before the run');
  }
  return status;
}

function targetStatus(answer: Answer, baseUrl: string): TargetStatus {
  if (answer.status === 0) {
    throw new Error(
      `no answer from ${baseUrl}: start the system under test (bookstore-load bookstore) or correct BASE_URL`,
    );
  }
  try {
    const status = JSON.parse(answer.body ?? '') as TargetStatus;
    if (answer.status === 200 && typeof status.books === 'number') return status;
  } catch {
    // Falls through to the sentence below.
  }
  throw new Error(
    `${baseUrl}/api/status answers ${answer.status} and not as the bookstore does: correct BASE_URL, or ask nothing with -e PREFLIGHT=off`,
  );
}

/** Orders that the whole run places, warm-up included. */
export function plannedOrders({ flows, scenarios }: Pick<Plan, 'flows' | 'scenarios'>): number {
  let orders = 0;
  for (const { flow, sessions = 0 } of scenarios) {
    const requests = flows.find((one) => one.name === flow)?.requests ?? {};
    for (const [endpoint, n] of Object.entries(requests)) if (/ \/api\/orders$/.test(endpoint)) orders += n * sessions;
  }
  return orders;
}

/** Standard deviations above the mean that stock must last for. */
const MARGIN = 3;

/** A sentence if the most popular book will sell out: its orders are binomial, near enough Poisson. */
function stockShortage(plan: Plan, orders: number, books: number, stock: number): string | undefined {
  const { popularity } = plan;
  const share = popularity === 'once' ? 1 / books : topShare(popularity, books);
  const mean = orders * share;
  const needed = Math.ceil(Math.min(orders, mean + MARGIN * Math.sqrt(mean)));
  if (needed <= stock) return undefined;
  return `stock will not last: ${orders} orders are planned, about ${mean.toFixed(mean < 10 ? 1 : 0)} of them for the most popular book, and the target has only ${stock} of a book: top it up to ${needed} or more`;
}

function topShare(law: Exclude<Plan['popularity'], 'once'>, books: number): number {
  if (law.law === 'single') return 1;
  return popularityCdf(law, books)(1);
}
