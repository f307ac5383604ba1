// Touches k6: a step of another protocol (WebSocket, gRPC, server-sent events through k6's own modules), as an endpoint.
import type { Session, SuiteTypes } from '../model/flow.ts';
import { METRICS } from '../model/names.ts';
import { addCheck, addNoResponse, counter, durationOf } from './metrics.ts';
import type { OpenSession } from './open-session.ts';

const addStep = counter(METRICS.steps);
/** Where durations of good steps go. */
const GOOD = 200;

/**
 * Runs a step, and counts and times it under `name` as a request would be: its time (whole ms) stands in `duration_2xx`; a step that
 * throws or gives false is counted in `no_response` and has none. One that gives a promise ends with it, and the promise is given
 * back. Its name is one of objectives like an endpoint's.
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
  const end = (good: boolean, error?: unknown): void => {
    if (error !== undefined) console.error(`${name}: ${error}`);
    addStep(1, tags);
    if (good) durationOf(GOOD)?.(Date.now() - start, { ...tags, status: 'ok' });
    else addNoResponse(1, tags);
    addCheck(good ? 1 : 0, { ...tags, check: `${name}: done` });
  };
  let result: T;
  try {
    result = step();
  } catch (error) {
    end(false, error);
    return undefined;
  }
  const promise = result as {
    readonly then?: (done: (value: unknown) => unknown, failed: (error: unknown) => void) => T;
  };
  if (typeof promise?.then === 'function') {
    return promise.then(
      (value) => {
        end(value !== false);
        return value;
      },
      (error) => end(false, error),
    );
  }
  end(result !== (false as unknown));
  return result;
};
