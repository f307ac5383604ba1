/** A suite of the endpoints that a test names, with one flow and one scenario `go`, in which a session runs. */
import type { EndpointTable } from '../../../lib/model/endpoints.ts';
import type { Session } from '../../../lib/model/flow.ts';
import type { Workload } from '../../../lib/model/workload.ts';
import type { SuiteDefinition } from '../../../lib/plan/suite-definition.ts';
import { type Suite, suiteOf } from '../../../lib/plan/suite-facts.ts';
import { shopPlan, shopWorkload } from '../shop.ts';
import { enter, runSession } from './session.ts';

interface Settings {
  readonly endpoints: EndpointTable;
  readonly suite?: Omit<SuiteDefinition, 'endpoints'>;
  readonly pools?: Suite['facts']['pools'];
  /** `-e` variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly workload?: Partial<Workload>;
}

// A flow of a test knows its suite better than types could say here.
type Go = (session: Session) => unknown;

/**
 * Enters the scenario as a new virtual user.
 * @returns runs a session, the first by number 0, each further one by the next
 */
export function virtualUser({ endpoints, suite = {}, pools = {}, env = {}, workload = {} }: Settings) {
  const variables = { BASE_URL: 'http://h/v1', ARRIVALS: 'metronome', ...env };
  // Pools deal their rows out among the flows that pick.
  const takesEach = ({ pick }: Session) => {
    for (const pool of Object.keys(suite.pools ?? {})) pick(pool);
  };
  const plan = shopPlan(
    variables,
    { name: 'go', flows: { go: takesEach }, own: { go: { share: 1, thinkTimes: {} } } },
    suiteOf({ endpoints, ...suite }, { pools }),
    { ...shopWorkload, ...workload },
  );
  enter(plan, 'go', env);
  let iteration = 0;
  return (flow: Go, shared?: unknown): unknown => {
    let missed: unknown;
    // A session ends with what its flow throws; what a test misses must end the test.
    const watched = (session: Session): unknown => {
      try {
        return flow(session);
      } catch (error) {
        if ((error as Error).name === 'AssertionError') missed = error;
        throw error;
      }
    };
    const ended = runSession(watched as never, iteration++, shared);
    if (missed !== undefined) throw missed;
    return ended;
  };
}
