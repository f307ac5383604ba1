// Touches k6: requests side by side, as a browser loads a page.
import http from 'k6/http';
import type { Answer, Session, SuiteTypes } from '../model/flow.ts';
import type { OpenSession } from './session.ts';

/**
 * Sends all calls that `load` makes at the same time and waits for the last; k6's options `batch` and `batchPerHost` say how
 * many at once. `load` must not look at what its calls give.
 * @returns their answers, in the order of the calls
 */
export const page = <S extends SuiteTypes>(session: Session<S>, load: () => void): Answer[] => {
  const open = session as unknown as OpenSession;
  const requests = [] as NonNullable<OpenSession['collected']>;
  open.collected = requests;
  try {
    load();
  } finally {
    open.collected = undefined;
  }
  // Counting has given the answers already.
  if (requests[0]?.answer !== undefined) return requests.map(({ answer }) => answer as Answer);
  const responses = http.batch(
    requests.map(({ endpoint, url, body, params }) => ({ method: endpoint.method, url, body, params }) as never),
  ) as never[];
  return responses.map((response, i) => {
    const { endpoint, key, parameters, options } = requests[i] as (typeof requests)[number];
    const { renew } = open;
    if ((response as { status: number }).status !== 401 || renew === undefined) {
      return open.judge(endpoint, response, parameters);
    }
    // The token may have been renewed for another request of the page; then this one finds it.
    open.judge(endpoint, response, parameters, true);
    return open.call(key, parameters, options);
  });
};
