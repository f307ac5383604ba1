/** `http.request` as a script sees it: cookies, redirects with a sample a hop, k6's tags, and the response object. */
import type { Cancellation } from '../cancellation.ts';
import type { Clock, Receive } from '../clock.ts';
import type { Log } from '../log.ts';
import { type TagNode, walkTags } from '../metrics/tag-node.ts';
import { leanAnswer, type SentRequest, toAnswer } from './answer.ts';
import { bodyOf } from './body.ts';
import { type Cookie, type CookieJar, type CookiePair, cookieText, readSetCookies } from './cookies.ts';
import { digestAnswer } from './digest.ts';
import { encoded } from './encodings.ts';
import type { GuestAnswer, GuestRequest } from './exchange.ts';
import { canonical, firstHeaders, type Headers, redirectedHeaders, staysBehind, wireHeaders } from './headers.ts';
import { type RecordContext, type ResponseCallback, recordRequest } from './record.ts';
import { isTarget, type NoTarget, nameOf, parseTarget, redirectTarget, type Target, withoutUser } from './target.ts';
import { type HopRequest, type HopResult, noAnswer, type Transport } from './transport.ts';

export interface ClientContext extends RecordContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: Transport;
  readonly jar: CookieJar;
  readonly userAgent: string;
  readonly maxRedirects: number;
  /** `maxRedirects` was asked for. */
  readonly limitsRedirects: boolean;
  readonly throwErrors: boolean;
  /** The `name` that the VU's own tags give to all requests. */
  readonly vuName: string | undefined;
  /** Where the tags of requests of a group begin. */
  readonly requestTags: (group: string) => TagNode;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A request that is ready to be sent; its cookies are chosen. */
export type ReadyRequest = (cancellation: Cancellation, done: Receive<GuestAnswer | Error>) => void;

/**
 * A request, redirects included. `done` hears of an error that the script shall throw.
 * @param jar where the script names one of its own
 */
export function prepareRequest(
  context: ClientContext,
  guest: GuestRequest,
  jar: CookieJar = context.jar,
): ReadyRequest {
  let exchange: Exchange | undefined;
  const early = attempt(() => {
    const target = parseTarget(guest.url);
    if (!isTarget(target)) return refusedTarget(context, guest, target);
    exchange = new Exchange(context, guest, jar, target);
    return undefined;
  });
  return (cancellation, done) => {
    const failure = early ?? attempt(() => void exchange?.send(cancellation, done));
    if (failure !== undefined) done(failure);
  };
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
  { error, errorCode, href }: NoTarget,
): GuestAnswer | Error {
  // What is no URL at all never becomes a request; what has a strange scheme does, and fails.
  if (errorCode !== 1020) {
    record(context, guest, { method: guest.method, name: guest.name ?? guest.url }, noAnswer(error, errorCode));
  }
  const answer = refused(context, guest, noAnswer(error, errorCode), href ?? guest.url, undefined);
  if (errorCode === 1020 && !(answer instanceof Error)) {
    answer.response['url'] = '';
    answer.response['request'] = null;
  }
  return answer;
}

/** Of the first request of two a challenge is what is expected, and nothing else. */
const CHALLENGE: ResponseCallback = { statuses: [401] };
const NO_COOKIES: readonly Cookie[] = [];

/** A request on its way from hop to hop. */
class Exchange {
  private readonly context: ClientContext;
  private readonly guest: GuestRequest;
  private readonly jar: CookieJar;
  private readonly first: Target;
  private readonly sent: SentRequest | undefined;
  private cancellation: Cancellation | undefined;
  private done: Receive<GuestAnswer | Error> | undefined;
  private deadline = 0;
  private at: Target;
  private method: string;
  private body: Buffer | undefined;
  private hop = 0;
  private headers: Headers = {};
  private stripped = false;
  private withBody = true;
  private keepsHost = true;
  private challenged = false;
  /** Of the URL, for digest authentication. */
  private readonly user: { readonly username: string; readonly password: string };

  constructor(context: ClientContext, guest: GuestRequest, jar: CookieJar, at: Target) {
    this.context = context;
    this.guest = guest;
    this.jar = jar;
    this.first = at;
    this.at = at;
    this.user = { username: at.username, password: at.password };
    this.method = guest.method;
    const { bytes, contentType } = bodyOf(guest.body, guest.binary === true, guest.form);
    const encodings = bytes === undefined || bytes.length === 0 ? undefined : guest.compression;
    this.body = bytes === undefined || encodings === undefined ? bytes : encoded(bytes, encodings);
    if (context.transport.ignoresHeaders === true) return;
    this.headers = firstHeaders(guest.headers, context.userAgent, contentType);
    warnOfLength(context, guest, this.body?.length ?? 0);
    if (guest.digest === true && at.username !== '') {
      this.at = { ...at, username: '', password: '', href: withoutUser(at) };
    }
    if (encodings !== undefined) this.headers['Content-Encoding'] ??= encodings.join(', ');
    const cookies = this.addCookies();
    this.sent = { url: at.href, headers: this.headers, body: bytes, cookies };
  }

  send(cancellation: Cancellation, done: Receive<GuestAnswer | Error>): void {
    this.cancellation = cancellation;
    this.done = done;
    this.deadline = this.context.clock.now() + this.guest.timeout;
    this.sendHop(cancellation);
  }

  private sendHop(cancellation: Cancellation): void {
    const { context, guest, at } = this;
    const { clock, transport } = context;
    const request: HopRequest = {
      method: this.method,
      url: at,
      name: guest.tags?.['name'] ?? guest.name ?? nameOf(at),
      headers:
        transport.ignoresHeaders === true
          ? this.headers
          : wireHeaders(this.headers, this.asksFirst ? { ...at, ...this.user } : at),
      body: this.body,
      timeoutMs: this.deadline - clock.now(),
      wantBody: guest.responseType !== 'none',
    };
    transport.send(request, cancellation, (result) => this.received(request, result));
  }

  /** Cookies of the request first, then those of the jar. */
  private addCookies(): readonly CookiePair[] {
    const given = this.guest.cookies ?? [];
    const kept = this.jar.pairs(this.at, this.context.clock.now());
    if (given.length === 0 && kept.length === 0) return kept;
    const replaced = new Set(given.filter(({ replace }) => replace).map(({ name }) => name));
    const pairs = [
      ...given.map(({ name, value }) => [name, value] as const),
      ...kept.filter(([name]) => !replaced.has(name)),
    ];
    const own = this.headers['Cookie'];
    this.headers['Cookie'] = [...(own === undefined ? [] : [own]), ...pairs.map(cookieText)].join('; ');
    return pairs;
  }

  private received(request: HopRequest, result: HopResult): boolean {
    const { done } = this;
    if (done === undefined) return true;
    if (this.cancellation?.aborted === true) return done({ response: {} });
    const answer = attempt(() => this.answerTo(request, result));
    return answer === undefined || done(answer);
  }

  /** @returns undefined while the request goes on to another target */
  private answerTo(request: HopRequest, result: HopResult): GuestAnswer | Error | undefined {
    const { context, guest, at, sent, jar } = this;
    const location = result.headers['Location'];
    const next = REDIRECTS.has(result.status) && location ? redirectTarget(location, at) : undefined;
    const follows = next !== undefined && !this.isLast();
    if (follows && !isTarget(next) && next.href === undefined) {
      const lost = noAnswer(next.error, next.errorCode, result.timings);
      record(context, guest, request, lost);
      return refused(context, guest, lost, at.href, sent);
    }
    const { asksFirst } = this;
    if (result.fatal !== true) record(context, asksFirst ? { ...guest, expected: CHALLENGE } : guest, request, result);
    if (asksFirst && result.status === 401) {
      this.answerChallenge(result);
      return undefined;
    }
    const lean = context.transport.ignoresHeaders === true;
    const url = at.href;
    if (result.status === 0) return refused(context, guest, result, url, lean ? undefined : sent);
    const cookies = result.setCookies.length === 0 ? NO_COOKIES : readSetCookies(result.setCookies);
    if (cookies.length > 0) jar.store(at, cookies, context.clock.now());
    if (follows && location !== undefined) {
      if (!isTarget(next)) return this.lost(next, url);
      this.follow(next, location, result.status);
      return undefined;
    }
    return lean ? leanAnswer(guest, result) : toAnswer(guest, sent, url, result, cookies);
  }

  /** Whether this is the request that a challenge is the answer to. */
  private get asksFirst(): boolean {
    return this.guest.digest === true && !this.challenged && this.hop === 0;
  }

  /** Once more, as the server's challenge asks; with nothing where it cannot be answered, as k6 does. */
  private answerChallenge({ headers }: HopResult): void {
    const { user, at, method } = this;
    this.challenged = true;
    const answer = digestAnswer(headers['Www-Authenticate'], { method, uri: at.pathname + at.search, ...user });
    this.headers = { ...this.headers };
    delete this.headers['Authorization'];
    if (answer !== undefined) this.headers['Authorization'] = answer;
    if (this.cancellation !== undefined) this.sendHop(this.cancellation);
  }

  /** Whether no further redirect is followed; says so where nobody asked for it. */
  private isLast(): boolean {
    const { context, guest, first, hop } = this;
    const most = guest.redirects ?? context.maxRedirects;
    if (hop < most) return false;
    if (guest.redirects === undefined && !context.limitsRedirects) {
      const text = `Stopped after ${most + 1} redirects and returned the redirection; pass { redirects: n } in request params or set global maxRedirects to silence this`;
      context.log('warning', text, { url: first.href });
    }
    return true;
  }

  /** A redirect that leads nowhere; where it leads to a scheme that is none of HTTP's, that is one more request. */
  private lost({ error, errorCode, href }: NoTarget, from: string): GuestAnswer | Error {
    const { context, guest, sent } = this;
    const nothing = noAnswer(error, errorCode);
    if (href !== undefined) {
      const name = guest.tags?.['name'] ?? guest.name ?? href;
      record(context, guest, { method: this.method, name }, nothing);
    }
    return refused(context, guest, nothing, href ?? from, sent);
  }

  private follow(to: Target, location: string, status: number): void {
    const { first, at: from } = this;
    if (status !== 307 && status !== 308) {
      if (this.method !== 'HEAD') this.method = 'GET';
      this.body = undefined;
      this.withBody = false;
    }
    this.keepsHost &&= !ABSOLUTE.test(location);
    const { stripped, withBody, keepsHost } = this;
    const hop = { first, from, to, keepsHost, stripped, withBody };
    this.headers = redirectedHeaders(this.sent?.headers ?? {}, hop);
    this.stripped = staysBehind(hop);
    this.at = to;
    this.hop++;
    if (this.context.transport.ignoresHeaders !== true) this.addCookies();
    if (this.cancellation !== undefined) this.sendHop(this.cancellation);
  }
}

/** A `Location` that names a scheme. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

/** The samples of one hop. */
function record(
  context: ClientContext,
  { group, expected, tags, name: given }: GuestRequest,
  { method, name }: Pick<HopRequest, 'method' | 'name'>,
  result: HopResult,
): void {
  const root = context.requestTags(group);
  const walked = tags === undefined ? root : walkTags(root, tags);
  const named = tags?.['name'] ?? context.vuName ?? given;
  recordRequest(context, { group, expected, method, name, named, tags: walked }, result);
}

/** A length that a script writes is never sent. */
function warnOfLength({ log }: ClientContext, { headers, method, url }: GuestRequest, length: number): void {
  const given = Object.keys(headers).find((name) => canonical(name) === 'Content-Length');
  if (given === undefined || headers[given] === String(length)) return;
  log(
    'warning',
    `The specified Content-Length header "${headers[given]}" in the ${method} request for ${url} doesn't match the actual request body length of ${length}, so it will be ignored!`,
  );
}

/** The answer to what did not come to one. */
function refused(
  context: ClientContext,
  guest: GuestRequest,
  result: HopResult,
  url: string,
  sent: SentRequest | undefined,
): GuestAnswer | Error {
  const { error, errorCode } = result;
  const verb = guest.method[0] + guest.method.slice(1).toLowerCase();
  const message = errorCode === 1020 || errorCode === 1701 ? error : `${verb} "${url}": ${error}`;
  if (result.fatal === true) return new Error(error);
  if (guest.throws ?? context.throwErrors) return new Error(message);
  context.log('warning', 'Request Failed', { error: message });
  return context.transport.ignoresHeaders === true
    ? leanAnswer(guest, result)
    : toAnswer(guest, sent, url, result, NO_COOKIES);
}
