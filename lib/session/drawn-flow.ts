// Touches k6: sessions of a flow that is data, as `traffic` finds them in an access log.
import type { DrawnThink } from '../model/drawn-rows.ts';
import { drawSteps } from '../model/drawn-sessions.ts';
import type { ParameterValue } from '../model/endpoints.ts';
import type { AnyFlow, CallOptions, Flow, PreparedEndpoint, Session, SuiteTypes } from '../model/flow.ts';
import { DRAWN_ENTRY, type DrawnSettings, ENDPOINT_ENTRY } from '../model/session-settings.ts';
import type { OpenSession } from './open-session.ts';
import { rows } from './pools.ts';
import { iterationReader } from './session.ts';

/** What the workload cannot say of a drawn flow's requests. */
export interface DrawnRequests<S extends SuiteTypes = SuiteTypes> {
  /** Value of a placeholder; by default that of a row of the pool with its name, in the column of that name. */
  readonly parameter?: (session: Session<S>, placeholder: string) => ParameterValue;
  /** Body and headers of a request to the endpoint with this key; none by default. */
  readonly options?: (session: Session<S>, endpoint: string) => CallOptions | undefined;
  /**
   * Whether a session keeps the value of a placeholder, as it does by default: most sessions look at one thing with several
   * requests (its page, its reviews), and a cache in the system feels the difference.
   */
  readonly keepsValues?: (session: Session<S>) => boolean;
}

const NONE: readonly string[] = [];

/** Names of the placeholders in an endpoint's path. */
const placeholdersOf = (endpoint: string): readonly string[] => {
  const { path } = JSON.parse(endpoint) as PreparedEndpoint;
  if (typeof path === 'string') return NONE;
  const names: string[] = [];
  for (let i = 1; i < path.length; i += 2) names.push(path[i] as string);
  return names;
};

/**
 * A flow whose steps and think times are drawn by `sessions` and `thinkTimes` of the workload's flow with its name; steps are
 * keys of the suite's endpoint table. A step that is none of them takes its think time and sends nothing.
 */
export const drawnFlow = <S extends SuiteTypes>(requests: DrawnRequests<S> = {}): Flow<S> => {
  const placeholders: Record<string, readonly string[]> = {};
  /** Those of the scenario with this `__ENV`: see `sessionOf`. */
  let settings: DrawnSettings | undefined;
  let current: unknown;
  let readIteration = () => 0;
  const flow = (session: Session<S>): void => {
    const open = session as unknown as OpenSession;
    const { parameter, options, keepsValues } = requests;
    const keeps = keepsValues === undefined || keepsValues(session);
    let kept: Record<string, ParameterValue> = {};

    const send = (key: string, names: readonly string[]): void => {
      if (!keeps) kept = {};
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string;
        if (kept[name] === undefined) {
          kept[name] =
            parameter === undefined
              ? ((open.pick(name) as Record<string, ParameterValue>)[name] as ParameterValue)
              : parameter(session, name);
        }
      }
      open.call(key, kept, options?.(session, key));
    };

    const { countedSteps, random } = open;
    if (countedSteps !== undefined) {
      for (const [key, names] of countedSteps()) send(key, names);
      return;
    }
    if (settings === undefined || current !== __ENV) {
      current = __ENV;
      settings = JSON.parse(__ENV[DRAWN_ENTRY] as string) as DrawnSettings;
      readIteration = iterationReader();
    }
    const { from, sessions, base, fixed } = settings;
    const row = (place: number): unknown => rows[from + place];
    const { steps, thinks } = drawSteps({ row, n: sessions, base }, readIteration(), random);
    for (let i = 0; i < steps.length; i++) {
      const think = i === 0 ? 0 : (thinks[i - 1] as number);
      if (think > 0) {
        const { law, mean } = row(think) as DrawnThink;
        open.think(fixed ? { law: 'fixed', value: mean } : law);
      }
      const key = steps[i] as string;
      let names = placeholders[key];
      if (names === undefined) {
        const endpoint = __ENV[ENDPOINT_ENTRY + key];
        if (endpoint === undefined) continue;
        names = placeholdersOf(endpoint);
        placeholders[key] = names;
      }
      send(key, names);
    }
  };
  return flow as AnyFlow;
};
