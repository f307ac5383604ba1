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
  const waiting = requests.filter(({ answer }) => answer === undefined);
  // Counting has given all answers already, and what a CDN would answer is not sent.
  const responses =
    waiting.length === 0
      ? []
      : (http.batch(
          waiting.map(({ endpoint, url, body, params }) => ({ method: endpoint.method, url, body, params }) as never),
        ) as never[]);
  const { renew } = open;
  // One login for all that were refused.
  let renewed = false;
  if (renew !== undefined) {
    open.renew = () => {
      renewed ||= renew();
      return renewed;
    };
  }
  let next = 0;
  const answers = requests.map(
    ({ endpoint, parameters, resend, answer }) =>
      answer ?? open.judge(endpoint, responses[next++] as never, parameters, resend),
  );
  open.renew = renew;
  return answers;
};
