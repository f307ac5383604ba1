// Touches k6: checks and metrics of a flow's own, tagged with the endpoint of the latest call.
import { check as k6Check } from 'k6';
import type { Session, SuiteTypes } from '../model/flow.ts';
import type { Add } from './metrics.ts';

/** Whether a flow is only counted, which happens before k6 takes checks and samples. */
const isCounted = (session: object): boolean => 'counted' in session;

/** Counts a check named `endpoint: what`, and tells whether it held; never throws. */
export const check = <S extends SuiteTypes>(session: Session<S>, what: string, holds: boolean): boolean => {
  if (isCounted(session)) return holds;
  const { tags } = session;
  // An object stands for true, see client.ts.
  const checks = { [`${tags['name']}: ${what}`]: (holds ? tags : undefined) as never };
  return k6Check(tags, checks, tags as Record<string, string>);
};

/** Adds to a metric of the suite's own (`counter`, `rate`, `trend`). @param value 1 for a counter */
export const add = <S extends SuiteTypes>(session: Session<S>, metric: Add, value = 1): void => {
  if (!isCounted(session)) metric(value, session.tags as Record<string, string>);
};

/** A header of an answer by its name in any case; undefined when it is not there. */
export const headerOf = (
  { headers }: { readonly headers: Readonly<Record<string, string>> },
  name: string,
): string | undefined => {
  const wanted = name.toLowerCase();
  for (const key in headers) if (key.toLowerCase() === wanted) return headers[key];
  return undefined;
};
