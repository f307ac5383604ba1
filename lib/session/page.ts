// Touches k6: requests side by side, as a browser loads a page.
import http from 'k6/http';
import type { Answer, Session, SuiteTypes } from '../model/flow.ts';
import { expecting401 } from './exchange.ts';
import type { OpenSession, Response } from './open-session.ts';
import { followRedirects } from './redirects.ts';

/**
 * Sends all calls that `load` makes at the same time and waits for the last; k6's options `batch` and `batchPerHost` say how
 * many at once. `load` must not look at what its calls give.
 * @returns their answers, in the order of the calls
 */
export const page = <S extends SuiteTypes>(session: Session<S>, load: () => void): Answer[] => {
  const open = session as unknown as OpenSession;
  const requests = [] as NonNullable<OpenSession['collected']>;
  const { renew, send } = open;
  open.collected = requests;
  open.send = (endpoint, url, body, params, parameters, again) => {
    // A copy: the headers of the endpoint's own are changed in place.
    const copy = renew === undefined ? { ...params } : expecting401(endpoint, params);
    requests.push({ endpoint, url, body, params: copy, parameters, again });
    return undefined as never;
  };
  try {
    load();
  } finally {
    open.collected = undefined;
    open.send = send;
  }
  const waiting = requests.filter(({ answer }) => answer === undefined);
  // Counting has given all answers already, and what a CDN would answer is not sent.
  const responses =
    waiting.length === 0
      ? []
      : (http.batch(
          waiting.map(({ endpoint, url, body, params }) => ({ method: endpoint.method, url, body, params }) as never),
        ) as Response[]);
  let next = 0;
  let renewed = false;
  return requests.map((request) => {
    const { endpoint, parameters, again, answer } = request;
    if (answer !== undefined) return answer;
    let response = responses[next++] as Response;
    const { url, body, params } = request;
    if ((typeof USES_REDIRECTS === 'undefined' || USES_REDIRECTS) && endpoint.redirects !== undefined) {
      response = followRedirects(open.baseUrl, url, response, endpoint.redirects, params, endpoint.method, body);
    }
    if (response.status !== 401 || renew === undefined) return open.judge(endpoint, response, parameters);
    open.judge(endpoint, response, parameters, true);
    // One login for all requests of the page that were refused, and each is sent again once.
    if (!renewed) renew();
    renewed = true;
    open.send = undefined;
    const second = again();
    open.send = send;
    return second;
  });
};
