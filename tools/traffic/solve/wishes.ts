/** Wishes for request shares, as they are written and as equations. */
import { largest } from '../../../lib/model/extremes.ts';
import { UserError } from '../../base/user-error.ts';
import { type KnownFlow, type StepTable, stepName } from '../model/flow-shapes.ts';
import { plainNumber } from './sessions.ts';

/** One wish: this share of all requests. */
export interface Wish {
  /** Flow name (its own endpoints), `flow:all`, a step name or an endpoint name. */
  readonly subject: string;
  /** 0 to 1. */
  readonly share: number;
}

/** What a wish counts in one session of each flow, in the flows' order. */
export interface Equation {
  readonly wish: Wish;
  readonly counts: readonly number[];
  /** Index of the flow that the wish names, which it moves; any may be moved for an endpoint. */
  readonly flow?: number;
  /** Index of the flow of whose requests the counted ones are the largest part. */
  readonly most: number;
}

/** Reads `checkout=15%`, `order=0.05`. @throws UserError */
export function parseWish(text: string): Wish {
  // Names may have `=` in them (`GET /api/books?search=`), shares have none.
  const at = text.lastIndexOf('=');
  const number = text.slice(at + 1).trim();
  const value = plainNumber(number.replace(/\s*%$/, ''));
  const share = value === undefined ? Number.NaN : number.endsWith('%') ? value / 100 : value;
  if (at <= 0 || text.slice(0, at).trim() === '' || !(share >= 0 && share <= 1)) {
    throw new UserError(
      `--requests "${text}" is no wish; write NAME=SHARE with a share from 0 to 100 % and a decimal point, for example checkout=15% or checkout=0.15`,
    );
  }
  return { subject: text.slice(0, at).trim(), share };
}

export function wishText({ subject, share }: Wish): string {
  return `${subject} = ${Number((100 * share).toPrecision(6))} %`;
}

/** @throws UserError when a wish names nothing that the flows send */
export function equationsOf(wishes: readonly Wish[], flows: readonly KnownFlow[], suite: StepTable): Equation[] {
  return wishes.map((wish) => {
    const { flow, endpoints } = subjectOf(wish, flows, suite);
    const counts = flows.map((other) =>
      wish.subject.endsWith(':all') && other !== flow ? 0 : sumOf(other, endpoints),
    );
    const shares = flows.map((other, i) => (counts[i] as number) / sizeOf(other));
    const most = shares.indexOf(largest(shares));
    return { wish, counts, most, ...(flow === undefined ? {} : { flow: flows.indexOf(flow) }) };
  });
}

function subjectOf(
  wish: Wish,
  flows: readonly KnownFlow[],
  suite: StepTable,
): { flow?: KnownFlow; endpoints: readonly string[] } {
  const all = wish.subject.endsWith(':all');
  const name = wish.subject.replace(/:all$/, '');
  const flow = flows.find((one) => one.name === name);
  if (flow !== undefined) {
    const endpoints = all ? Object.keys(flow.requests) : ownEndpoints(flow, flows);
    if (endpoints.length === 0)
      throw new UserError(`the flow ${name} has no endpoint of its own; write ${name}:all=... for all its requests`);
    return { flow, endpoints };
  }
  const endpoints = [...new Set(flows.flatMap((one) => Object.keys(one.requests)))];
  const endpoint = endpoints.find((one) => one === name || stepName(one, suite) === name);
  if (endpoint === undefined) {
    throw new UserError(
      `--requests names "${name}", which is neither a flow (${flows.map((one) => one.name).join(', ')}) nor an endpoint (${endpoints.map((one) => stepName(one, suite)).join(', ')})`,
    );
  }
  if (all)
    throw new UserError(
      `--requests names "${wish.subject}", but ${name} is an endpoint and only a flow has :all; write ${name}=... for all requests of it`,
    );
  return { endpoints: [endpoint] };
}

/** Endpoints that no other flow asks for. */
export function ownEndpoints(flow: KnownFlow, flows: readonly KnownFlow[]): string[] {
  return Object.keys(flow.requests).filter((name) =>
    flows.every((other) => other === flow || other.requests[name] === undefined),
  );
}

/** Requests of one session of the flow at these endpoints. */
export function sumOf(flow: KnownFlow, endpoints: readonly string[]): number {
  return endpoints.reduce((sum, name) => sum + (flow.requests[name] ?? 0), 0);
}

/** Requests of one session of the flow. */
export function sizeOf(flow: KnownFlow): number {
  return sumOf(flow, Object.keys(flow.requests));
}
