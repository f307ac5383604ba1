/** `http.request` as a script sees it: cookies, redirects with a sample a hop, k6's tags, and the response object. */
import type { Cancellation } from '../cancellation.ts';
import type { Clock, Receive } from '../clock.ts';
import type { Log } from '../log.ts';
import { type TagNode, walkTags } from '../metrics/tag-node.ts';
import { toAnswer } from './answer.ts';
import type { CookieJar } from './cookies.ts';
import type { GuestAnswer, GuestRequest } from './exchange.ts';
import { type RecordContext, recordRequest } from './record.ts';
import { isTarget, type NoTarget, nameOf, parseTarget, type Target } from './target.ts';
import { type HopRequest, type HopResult, noAnswer, type Transport } from './transport.ts';

export interface ClientContext extends RecordContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: Transport;
  readonly jar: CookieJar;
  readonly userAgent: string;
  readonly maxRedirects: number;
  readonly throwErrors: boolean;
  /** Where the tags of requests of a group begin. */
  readonly requestTags: (group: string) => TagNode;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a request and follows redirects. `done` hears of an error that the script shall throw. */
export function sendRequest(
  context: ClientContext,
  guest: GuestRequest,
  cancellation: Cancellation,
  done: Receive<GuestAnswer | Error>,
): void {
  const failure = attempt(() => {
    const target = parseTarget(guest.url);
    if (!isTarget(target)) return refusedTarget(context, guest, target);
    new Exchange(context, guest, cancellation, done, target).send();
    return undefined;
  });
  if (failure !== undefined) done(failure);
}

/** What `work` gives, or what it throws: no request that a script thinks up may end the run. */
function attempt(work: () => GuestAnswer | Error | undefined): GuestAnswer | Error | undefined {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function refusedTarget(
  context: ClientContext,
  guest: GuestRequest,
  { error, errorCode }: NoTarget,
): GuestAnswer | Error {
  // What is no URL at all never becomes a request; what has a strange scheme does, and fails.
  if (errorCode !== 1020) {
    record(context, guest, { method: guest.method, name: guest.name ?? guest.url }, noAnswer(error, errorCode));
  }
  return refused(context, guest, error, errorCode, undefined);
}

/** A request on its way from hop to hop. */
class Exchange {
  private readonly context: ClientContext;
  private readonly guest: GuestRequest;
  private readonly cancellation: Cancellation;
  private readonly done: Receive<GuestAnswer | Error>;
  private readonly deadline: number;
  private at: Target;
  private method: string;
  private body: Buffer | undefined;
  private hop = 0;
  private sentHeaders: Record<string, string> = {};

  constructor(
    context: ClientContext,
    guest: GuestRequest,
    cancellation: Cancellation,
    done: Receive<GuestAnswer | Error>,
    at: Target,
  ) {
    this.context = context;
    this.guest = guest;
    this.cancellation = cancellation;
    this.done = done;
    this.deadline = context.clock.now() + guest.timeout;
    this.at = at;
    this.method = guest.method;
    const { body, binary } = guest;
    this.body = body === undefined ? undefined : Buffer.from(body, binary === true ? 'latin1' : 'utf8');
  }

  send(): void {
    const { context, guest, at, body } = this;
    const { clock, transport, jar } = context;
    if (transport.ignoresHeaders !== true) {
      this.sentHeaders = headersOf(context, guest, body);
      const cookie = jar.header(at, guest.cookies ?? {}, clock.now());
      if (cookie !== '' && !hasHeader(this.sentHeaders, 'cookie')) this.sentHeaders['Cookie'] = cookie;
    }
    const request: HopRequest = {
      method: this.method,
      url: at,
      name: guest.tags?.['name'] ?? guest.name ?? (this.hop === 0 && at.username === '' ? guest.url : nameOf(at)),
      headers: this.sentHeaders,
      body,
      timeoutMs: this.deadline - clock.now(),
      wantBody: guest.responseType !== 'none',
    };
    transport.send(request, this.cancellation, (result) => this.received(request, result));
  }

  private received(request: HopRequest, result: HopResult): boolean {
    if (this.cancellation.aborted) return this.done({ response: {} });
    const answer = attempt(() => this.answerTo(request, result));
    return answer === undefined || this.done(answer);
  }

  /** @returns undefined while the request goes on to another target */
  private answerTo(request: HopRequest, result: HopResult): GuestAnswer | Error | undefined {
    const { context, guest, at, sentHeaders, method } = this;
    record(context, guest, request, result);
    if (result.status === 0) {
      return refused(context, guest, result.error, result.errorCode, { at, sentHeaders, result });
    }
    const cookies = context.jar.store(at, result.setCookies, context.clock.now());
    const location = result.headers['Location'];
    const next = REDIRECTS.has(result.status) && location !== undefined ? parseTarget(location, at) : undefined;
    if (next !== undefined && isTarget(next) && !this.isLast()) {
      this.follow(next, result.status);
      return undefined;
    }
    const url = this.hop === 0 ? guest.url : at;
    return toAnswer(context.clock.virtual, guest, method, url, sentHeaders, result, cookies);
  }

  /** Whether no further redirect is followed; says so where nobody asked for it. */
  private isLast(): boolean {
    const { context, guest, at, hop } = this;
    const most = guest.redirects ?? context.maxRedirects;
    if (hop < most) return false;
    if (guest.redirects === undefined && most > 0) {
      const text = `Stopped after ${most + 1} redirects and returned the redirection; pass { redirects: n } in request params or set global maxRedirects to silence this`;
      context.log('warning', text, { url: at.href });
    }
    return true;
  }

  private follow(next: Target, status: number): void {
    if (status !== 307 && status !== 308 && this.method !== 'HEAD') {
      this.method = 'GET';
      this.body = undefined;
    }
    this.at = next;
    this.hop++;
    this.send();
  }
}

/** The samples of one hop. */
function record(
  context: ClientContext,
  { group, expected, tags, name: given }: GuestRequest,
  { method, name }: Pick<HopRequest, 'method' | 'name'>,
  result: HopResult,
): void {
  const root = context.requestTags(group);
  const walked = tags === undefined ? root : walkTags(root, tags);
  recordRequest(context, { group, expected, method, name, named: tags?.['name'] ?? given, tags: walked }, result);
}

function headersOf(context: ClientContext, guest: GuestRequest, body: Buffer | undefined): Record<string, string> {
  const headers: Record<string, string> = { ...guest.headers };
  if (!hasHeader(headers, 'user-agent')) headers['User-Agent'] = context.userAgent;
  if (body === undefined)
    for (const key of Object.keys(headers)) if (/^content-(type|length)$/i.test(key)) delete headers[key];
  for (const key of Object.keys(headers))
    if (/^(host|content-length|connection|transfer-encoding)$/i.test(key)) delete headers[key];
  return headers;
}

const hasHeader = (headers: Readonly<Record<string, string>>, name: string) =>
  Object.keys(headers).some((key) => key.toLowerCase() === name);

/** The answer to what did not come to one. */
function refused(
  context: ClientContext,
  guest: GuestRequest,
  error: string,
  errorCode: number,
  sent: { at: Target; sentHeaders: Record<string, string>; result: HopResult } | undefined,
): GuestAnswer | Error {
  const verb = guest.method[0] + guest.method.slice(1).toLowerCase();
  const message = errorCode === 1020 ? error : `${verb} "${sent?.at.href ?? guest.url}": ${error}`;
  if (context.throwErrors) return new Error(message);
  context.log('warning', 'Request Failed', { error: message });
  const result = sent?.result ?? noAnswer(error, errorCode);
  return toAnswer(context.clock.virtual, guest, guest.method, guest.url, sent?.sentHeaders ?? {}, result, []);
}
