/** The samples of one request, tagged as k6 tags them. */
import { K6_HTTP_METRICS } from '../../../lib/model/names.ts';
import type { MetricRegistry } from '../metrics/registry.ts';
import type { TagNode } from '../metrics/tag-node.ts';
import type { TagSet } from '../metrics/types.ts';
import type { HopResult } from './transport.ts';

/** Statuses that are no failure; null switches the judgement off. */
export type ResponseCallback = { statuses?: readonly number[]; ranges?: readonly (readonly [number, number])[] } | null;

type HttpMetric = (typeof K6_HTTP_METRICS)[number];
export type HttpMetricIds = Readonly<Record<HttpMetric, number>>;

export function httpMetricIds(registry: MetricRegistry): HttpMetricIds {
  return Object.fromEntries(K6_HTTP_METRICS.map((name) => [name, registry.get(name).id])) as Record<HttpMetric, number>;
}

export interface RecordContext {
  readonly systemTags: ReadonlySet<string>;
  readonly metricIds: HttpMetricIds;
  /** The running iteration's tags with these on top. */
  readonly tagSet: (group: string, tags: Readonly<Record<string, string>>) => TagSet;
  readonly sample: (metric: number, value: number, tags: TagSet) => void;
}

export interface Recorded {
  readonly group: string;
  readonly expected: ResponseCallback;
  readonly method: string;
  /** Name that the script gave, else undefined. */
  readonly named: string | undefined;
  /** The `name` and `url` tag where it gave none. */
  readonly name: string;
  /** Tags that the script gave, as the walk to them. */
  readonly tags: TagNode;
}

/** k6's error code of an answer; 0 for none. */
export const errorCodeOf = ({ status, errorCode }: Pick<HopResult, 'status' | 'errorCode'>): number =>
  errorCode === 0 && status >= 400 ? 1000 + status : errorCode;

export function isExpected(callback: Exclude<ResponseCallback, null>, status: number): boolean {
  const { statuses, ranges } = callback;
  if (statuses?.includes(status) === true) return true;
  if (ranges === undefined) return false;
  for (let i = 0; i < ranges.length; i++) {
    const range = ranges[i];
    if (range !== undefined && status >= range[0] && status <= range[1]) return true;
  }
  return false;
}

export function recordRequest(context: RecordContext, request: Recorded, result: HopResult): void {
  const { metricIds: ids } = context;
  const { timings } = result;
  const failed = request.expected === null ? undefined : !isExpected(request.expected, result.status);
  const node = request.tags
    .next('name', request.named ?? request.name)
    .next('method', request.method)
    .next('status', result.status)
    .next('error', result.error)
    .next('error_code', result.errorCode)
    .next('expected_response', failed === undefined ? -1 : Number(failed))
    .next('proto', result.proto)
    .next('tls_version', result.tlsVersion)
    .next('ip', result.remoteIp);
  node.set ??= context.tagSet(request.group, tagsOf(context.systemTags, request, result, failed));
  const tags = node.set;
  context.sample(ids.http_reqs, 1, tags);
  context.sample(ids.http_req_duration, timings.duration, tags);
  context.sample(ids.http_req_blocked, timings.blocked, tags);
  context.sample(ids.http_req_connecting, timings.connecting, tags);
  context.sample(ids.http_req_tls_handshaking, timings.tls_handshaking, tags);
  context.sample(ids.http_req_sending, timings.sending, tags);
  context.sample(ids.http_req_waiting, timings.waiting, tags);
  context.sample(ids.http_req_receiving, timings.receiving, tags);
  if (failed !== undefined) context.sample(ids.http_req_failed, failed ? 1 : 0, tags);
}

function tagsOf(
  systemTags: ReadonlySet<string>,
  request: Recorded,
  result: HopResult,
  failed: boolean | undefined,
): Record<string, string> {
  const tags: Record<string, string> = {};
  const set = (name: string, value: string) => {
    if (value !== '' && systemTags.has(name)) tags[name] = value;
  };
  set('url', request.named ?? request.name);
  set('name', request.named ?? request.name);
  Object.assign(tags, request.tags.record());
  // What k6 sets after the user's tags, so that a user tag of that name is lost.
  set('method', request.method);
  set('status', String(result.status));
  set('proto', result.proto);
  set('tls_version', result.tlsVersion);
  set('ip', result.remoteIp);
  set('error', result.error);
  const code = errorCodeOf(result);
  if (code !== 0) set('error_code', String(code));
  if (failed !== undefined) set('expected_response', String(!failed));
  return tags;
}
