// Touches k6: logins. A token is sent with every request of the session, and renewed when the API no longer takes it.
import encoding from 'k6/encoding';
import type { Session, SuiteTypes } from '../model/flow.ts';
import { METRICS } from '../model/names.ts';
import { counter } from './metrics.ts';
import type { OpenSession } from './open-session.ts';

const addRenewal = counter(METRICS.loginsRenewed);

/**
 * Sends `Authorization: Bearer` from here on. An answer of 401 logs in once more and sends the request again; it counts as
 * `logins_renewed` and is no failure of the endpoint.
 * @param login gives a token; its own requests are measured like all others
 * @param token a token from the suite's set-up, with which nobody has to log in until it is refused
 */
export const bearer = <S extends SuiteTypes>(session: Session<S>, login: () => string, token?: string): void => {
  const open = session as unknown as OpenSession;
  const use = (value: string): void => session.header('Authorization', `Bearer ${value}`);
  use(token ?? login());
  open.renew = () => {
    addRenewal(1, open.tags);
    // The login itself must not be renewed.
    const { renew } = open;
    open.renew = undefined;
    session.header('Authorization');
    use(login());
    open.renew = renew;
  };
};

/** Sends `Authorization: Basic` from here on. */
export const basic = <S extends SuiteTypes>(session: Session<S>, user: string, password: string): void => {
  session.header('Authorization', `Basic ${encoding.b64encode(`${user}:${password}`)}`);
};
