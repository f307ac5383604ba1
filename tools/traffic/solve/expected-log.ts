/** What a log of so many requests shows of a mix: requests per endpoint with their spread, and the items viewed. */
import type { Workload } from '../../../lib/model/workload.ts';
import { UserError } from '../../base/user-error.ts';
import type { KnownFlow } from '../model/flow-shapes.ts';
import type { KnownCatalogue } from '../model/popularity-model.ts';
import { type ItemViews, itemViews } from './item-views.ts';
import { plainNumber } from './sessions.ts';
import { fromSessions, type Solution } from './solver.ts';
import { catalogueOf, itemEndpoint } from './source.ts';
import { sizeOf } from './wishes.ts';

export interface ExpectedLog {
  readonly requests: number;
  readonly endpoints: readonly {
    readonly name: string;
    readonly requests: number;
    readonly share: number;
    /** 95 % of such logs have a share within. */
    readonly range: readonly [number, number];
  }[];
  /** Absent when no endpoint shows items. */
  readonly items?: (ItemViews & { readonly endpoint: string; readonly law: string }) | { readonly unknown: string };
}

/** Numbers that a log can have, and that take seconds at most. */
const MOST = 10_000_000;

/** A whole number from 1 to ten million. @throws UserError */
export function countOf(text: string, flag: string): number {
  const value = plainNumber(text.trim());
  if (value === undefined || !Number.isInteger(value) || value < 1 || value > MOST)
    throw new UserError(`${flag} "${text}": must be a whole number from 1 to ${MOST}`);
  return value;
}

/**
 * A share is a ratio of sums over sessions, so its variance is the mean of (n_e - p n)^2 over sessions, divided by their
 * number and the square of the mean of n (delta method; the number of sessions does not matter to the ratio).
 */
export function expectedLog(
  solution: Solution,
  flows: readonly KnownFlow[],
  workload: Workload,
  requests: number,
  catalogue: number | undefined,
  known?: KnownCatalogue,
): ExpectedLog {
  const { requestsPerSession } = solution;
  const endpoints = Object.entries(solution.requests).map(([name, share]) => {
    const spread = flows.reduce(
      (sum, flow) =>
        sum + (solution.sessions[flow.name] ?? 0) * ((flow.requests[name] ?? 0) - share * sizeOf(flow)) ** 2,
      0,
    );
    const half = 1.96 * Math.sqrt(spread / (requests * requestsPerSession));
    return {
      name,
      requests: Math.round(share * requests),
      share,
      range: [Math.max(0, share - half), Math.min(1, share + half)] as const,
    };
  });
  // The items of a workload are those of the endpoint that its own shares ask for most.
  const shares = Object.fromEntries(Object.entries(workload.flows).map(([name, { share }]) => [name, share]));
  const endpoint = itemEndpoint(fromSessions(flows, shares).requests);
  const size = endpoint === undefined ? undefined : (catalogue ?? catalogueOf(workload, endpoint, known));
  const items = endpoint === undefined ? undefined : itemsOf(endpoint, solution, workload, requests, size);
  return { requests, endpoints, ...(items === undefined ? {} : { items }) };
}

function itemsOf(
  endpoint: string,
  solution: Solution,
  workload: Workload,
  requests: number,
  catalogue: number | undefined,
): ExpectedLog['items'] {
  if (catalogue === undefined) return { unknown: `of ${endpoint}: give the number of items with --catalogue` };
  const views = Math.round(requests * (solution.requests[endpoint] ?? 0));
  if (views === 0) return undefined;
  try {
    return { ...itemViews(workload.popularity, catalogue, views), endpoint, law: lawText(workload) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError(`--catalogue ${catalogue} does not fit the workload: ${error.message}`);
  }
}

function lawText({ popularity }: Workload): string {
  if (popularity.law === 'power') return `power g = ${popularity.g}`;
  return popularity.law === 'zipf' ? `zipf s = ${popularity.s}` : popularity.law;
}
