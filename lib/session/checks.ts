// Touches k6: checks and metrics of a flow's own, tagged with the endpoint of the latest call.
import type { Session, SuiteTypes } from '../model/flow.ts';
import { type Add, addCheck } from './metrics.ts';
import type { OpenSession } from './open-session.ts';

/** Before the first call. */
const NONE: Record<string, string> = {};

/** Counts a check named `endpoint: what`, and tells whether it held; never throws. */
export const check = <S extends SuiteTypes>(session: Session<S>, what: string, holds: boolean): boolean => {
  const { tags = NONE, recording } = session as unknown as OpenSession;
  if (!recording) addCheck(holds ? 1 : 0, { ...tags, check: `${tags['name']}: ${what}` });
  return holds;
};

/** Adds to a metric of the suite's own (`counter`, `rate`, `trend`). @param value 1 for a counter */
export const add = <S extends SuiteTypes>(session: Session<S>, metric: Add, value = 1): void => {
  const { tags = NONE, recording } = session as unknown as OpenSession;
  if (!recording) metric(value, tags);
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
