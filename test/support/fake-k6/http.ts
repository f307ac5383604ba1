/** Stands for `k6/http`: notes what is sent and answers what the test says. */
import { fake, type SentRequest } from './state.ts';

type Status = number | { readonly min: number; readonly max: number };
interface ExpectedStatuses {
  readonly statuses: readonly Status[];
}
type Params = SentRequest['params'] & { readonly responseCallback?: ExpectedStatuses };

const expectedStatuses = (...statuses: Status[]): ExpectedStatuses => ({ statuses });
/** k6's own. */
const DEFAULT = expectedStatuses({ min: 200, max: 399 });

const isExpected = ({ statuses }: ExpectedStatuses, status: number): boolean =>
  statuses.some((one) => (typeof one === 'number' ? one === status : status >= one.min && status <= one.max));

function select(value: unknown, selector: string): unknown {
  return selector
    .split('.')
    .reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
}

function request(method: string, url: string, body: unknown = null, params: Params = {}, batched = false) {
  // A copy, since the library changes headers in place.
  const { responseCallback = DEFAULT, ...rest } = params;
  const seen = structuredClone(rest);
  const answer = fake.answer({ method, url, body, params: seen });
  fake.sent.push({ method, url, body, params: seen, failed: !isExpected(responseCallback, answer.status), batched });
  const text = params.responseType === 'none' ? null : (answer.body ?? '');
  return {
    status: answer.status,
    body: text,
    headers: answer.headers ?? {},
    error_code: answer.errorCode ?? 0,
    timings: { duration: answer.duration ?? 1 },
    json: (selector?: string) => {
      const value: unknown = JSON.parse(text ?? '');
      return selector === undefined ? value : select(value, selector);
    },
  };
}

interface BatchRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly params: Params;
}

export default {
  get: (url: string, params?: Params) => request('GET', url, null, params),
  request: (method: string, url: string, body?: unknown, params?: Params) => request(method, url, body, params),
  batch: (requests: readonly BatchRequest[]) =>
    requests.map(({ method, url, body, params }) => request(method, url, body, params, true)),
  expectedStatuses,
  CookieJar: class {},
};
