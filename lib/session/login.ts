// Touches k6: logins. A token is sent with every request of the session, and renewed when the API no longer takes it.
import encoding from 'k6/encoding';
import type { Session, SuiteTypes } from '../model/flow.ts';
import { METRICS } from '../model/names.ts';
import { exchange, expecting401 } from './exchange.ts';
import { counter } from './metrics.ts';
import type { OpenSession, Send } from './open-session.ts';

const addRenewal = counter(METRICS.loginsRenewed);

/**
 * Sends `Authorization: Bearer` from here on. An answer of 401 logs in once more and sends the request again; it counts as
 * `logins_renewed` and is no failure of the endpoint.
 * A login without a token ends the session as a failure of its flow.
 * @param login gives a token; its own requests are measured like all others
 * @param token a token from the suite's set-up, with which nobody has to log in until it is refused
 */
export const bearer = <S extends SuiteTypes>(session: Session<S>, login: () => string, token?: string): void => {
  const open = session as unknown as OpenSession;
  const use = (value: string): void => {
    // An error page has no token: going on without one would charge the failure to the endpoints that come next.
    if (!open.recording && (typeof value !== 'string' || value === '')) {
      throw new Error(
        "the login gave no token: check user, secret and BASE_URL; a rehearsal takes it from the endpoint's `example`",
      );
    }
    session.header('Authorization', `Bearer ${value}`);
  };
  if (token === undefined) use(login());
  else {
    use(token);
    open.sometimes?.(login);
  }
  const renew = (): void => {
    addRenewal(1, open.tags);
    // The login itself must not be renewed.
    open.send = undefined;
    open.renew = undefined;
    session.header('Authorization');
    use(login());
    open.renew = renew;
    open.send = send;
  };
  const send: Send = (endpoint, url, body, params, parameters, again) => {
    const response = exchange(open.baseUrl, endpoint, url, body, expecting401(endpoint, params));
    if (response.status !== 401) return open.judge(endpoint, response, parameters);
    open.judge(endpoint, response, parameters, true);
    renew();
    // Once: what the new login is refused is an answer of the endpoint.
    open.send = undefined;
    const answer = again();
    open.send = send;
    return answer;
  };
  open.renew = renew;
  open.send = send;
};

/** Sends `Authorization: Basic` from here on. */
export const basic = <S extends SuiteTypes>(session: Session<S>, user: string, password: string): void => {
  session.header('Authorization', `Basic ${encoding.b64encode(`${user}:${password}`)}`);
};
