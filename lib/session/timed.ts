// Touches k6: a step of another protocol (WebSocket, gRPC, server-sent events through k6's own modules), as an endpoint.
import type { Session, SuiteTypes } from '../model/flow.ts';
import { METRICS } from '../model/names.ts';
import { addCheck, addDuration, addNoResponse, counter } from './metrics.ts';
import type { OpenSession } from './open-session.ts';

const addStep = counter(METRICS.steps);
/** Where durations of good steps go. */
const GOOD = 2;

/**
 * Runs a step, and counts and times it under `name` as a request would be: its time stands in `duration_2xx`, a step that throws
 * or gives false is counted in `no_response` and has none. Its name is one of objectives like an endpoint's.
 * @param name of the step, such as `WS /v1/stream`
 */
export const timed = <S extends SuiteTypes, T>(session: Session<S>, name: string, step: () => T): T | undefined => {
  const tags = { name };
  const { counted } = session as unknown as OpenSession;
  if (counted !== undefined) {
    counted(name);
    return undefined;
  }
  const start = Date.now();
  let result: T | undefined;
  let good = false;
  try {
    result = step();
    good = result !== (false as unknown);
  } catch (error) {
    console.error(`${name}: ${error}`);
  }
  addStep(1, tags);
  if (good) addDuration[GOOD]?.(Date.now() - start, { ...tags, status: 'ok' });
  else addNoResponse(1, tags);
  addCheck(good ? 1 : 0, { ...tags, check: `${name}: done` });
  return result;
};
