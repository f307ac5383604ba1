// Touches k6: follows the redirects of an answer as far as they stay on the host that the user named.
import http, { type Params } from 'k6/http';
import type { Response } from './open-session.ts';

/** Scheme and authority of an absolute URL; no regular expression, whose first use costs every VU 13 kB. */
const originOf = (url: string): string => {
  const start = url.indexOf('//') + 2;
  const end = url.indexOf('/', start);
  return end < 0 ? url : url.slice(0, end);
};

/** `place` as seen from `url`; it may be absolute, without a scheme, or relative to host, folder or page (RFC 3986, 5.2). */
const resolve = (url: string, place: string): string => {
  const mark = url.indexOf('?');
  const page = mark < 0 ? url : url.slice(0, mark);
  if (place[0] === '?') return page + place;
  if (place.startsWith('//')) return page.slice(0, page.indexOf('//')) + place;
  if (place[0] === '/') return originOf(page) + place;
  const colon = place.indexOf('://');
  const query = place.indexOf('?');
  if (colon >= 0 && (query < 0 || colon < query)) return place;
  return page.slice(0, page.lastIndexOf('/') + 1) + place;
};

/**
 * The answer at the end of at most `most` redirects. One to another host than that of `baseUrl` is not followed: nobody has
 * named that host, and the 3xx answer is what is measured. 307 and 308 keep method and body, the others ask with GET.
 */
export const followRedirects = (
  baseUrl: string,
  from: string,
  first: Response,
  most: number,
  params: Params,
  method: string,
  body: unknown,
): Response => {
  const origin = originOf(baseUrl);
  let response = first;
  let url = from;
  let keeps = true;
  for (let hops = 0; hops < most && response.status >= 300 && response.status < 400; hops++) {
    const place = response.headers['Location'];
    if (place === undefined) break;
    url = resolve(url, place);
    if (originOf(url) !== origin) break;
    keeps = keeps && response.status >= 307;
    const [as, sent] = keeps || method === 'HEAD' ? [method, body] : ['GET', null];
    response = http.request(as, url, sent as string, params as never) as unknown as Response;
  }
  return response;
};
