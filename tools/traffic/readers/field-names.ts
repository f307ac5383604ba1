/**
 * Where access logs in JSON and in `key=value` pairs keep their fields. Keys have been renamed between versions of the same server, so each field has
 * a list of names, the preferred one first; nested objects are reached with a dot. Keys are compared without case, `_` and `-`.
 */
import type { StandardField } from './raw-record.ts';

/** Keys that have been met: the same few come with every line. */
const met = new Map<string, string>();
const MOST_MET = 10_000;

/** How keys are compared: servers, shippers and versions differ in case and in `_` and `-` (`http_method`, `httpMethod`). */
export function plainKey(name: string): string {
  const known = met.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  if (met.size < MOST_MET) met.set(name, plain);
  return plain;
}

/** Values by plain key (`plainKey`), dots between the levels of nested objects. */
export type Fields = ReadonlyMap<string, unknown>;

/** Members of a shipper's or cloud's object that hold the record as an object. */
export const ENVELOPES: ReadonlySet<string> = new Set(
  'properties jsonpayload fields attributes event data record access accesslog log body message meta state source result content json nginx apache caddy traefik'.split(
    ' ',
  ),
);

/** Where shippers and exports keep the server's own line: container runtimes, Loki, journald, Splunk, GCP, CloudWatch, Datadog, Elastic. */
const LINE_NAMES: ReadonlySet<string> = new Set([
  'log',
  'line',
  'message',
  'msg',
  'raw',
  'event',
  'textpayload',
  'content',
  'original',
]);

/** Whether a member or column of this name may hold the server's own line (`@message`, `event.original`). */
export function isLineName(name: string): boolean {
  const plain = plainKey(name);
  return LINE_NAMES.has(plain) || LINE_NAMES.has(plain.replace(/^@|.*\./, ''));
}

/**
 * Caddy, Traefik, Kong, nginx `escape=json`, Envoy, ASP.NET/Serilog, ECS (Elastic), CloudFront, GCP, Cloudflare, Azure, AWS API
 * Gateway, Datadog and Heroku.
 */
export const FIELD_NAMES: Readonly<Record<StandardField, readonly string[]>> = {
  time: [
    'ts',
    'StartUTC',
    'time_iso8601',
    '@timestamp',
    'timestamp',
    'time',
    '@t',
    'start_time',
    'time_local',
    'msec',
    'datetime',
    'date_time',
    'StartLocal',
    'timestamp_ms',
    'timestampInMs',
    'timestampMillis',
    'time_ms',
    'ts_ms',
    'epoch_ms',
    'epoch',
    'unixtime',
    'date',
    'EdgeStartTimestamp',
    'requestTimeEpoch',
    'requestTime',
    'started_at',
  ],
  method: [
    'request.method',
    'RequestMethod',
    'request_method',
    'method',
    'cs-method',
    'http.request.method',
    'httpRequest.requestMethod',
    'http_method',
    'verb',
    'Method',
    'req.method',
    'http.method',
    'ClientRequestMethod',
  ],
  target: [
    'request.uri',
    'request_uri',
    'RequestPath',
    'uri',
    'url.original',
    'httpRequest.requestUrl',
    'request.url',
    'req.url',
    'url',
    'target',
    'requestUri',
    'http.url',
    'http.target',
    'ClientRequestURI',
    'Path',
  ],
  path: [
    'cs-uri-stem',
    'url.path',
    'path',
    'request_path',
    'x-envoy-original-path',
    'http.url_details.path',
    'http.path',
    'uri_path',
    'x-envoy-origin-path',
  ],
  query: ['cs-uri-query', 'url.query', 'query', 'query_string', 'args', 'QueryString'],
  request: ['request', 'request_line', 'http_request'],
  status: [
    'status',
    'DownstreamStatus',
    'OriginStatus',
    'sc-status',
    'response_code',
    'http.response.status_code',
    'httpRequest.status',
    'status_code',
    'StatusCode',
    'statusCode',
    'resp.status',
    'res.statusCode',
    'response.status',
    'http_status',
    'http_status_code',
    'http.status_code',
    'EdgeResponseStatus',
    'response_status',
    'httpResponse.status',
    'responseStatus.code',
    'response',
    'code',
  ],
  duration: [
    'duration_ms',
    'Elapsed',
    'ElapsedMilliseconds',
    'elapsed_ms',
    'latency_ms',
    'duration',
    'Duration',
    'request_time',
    'time-taken',
    'responseTime',
    'response_time',
    'latency',
    'event.duration',
    'httpRequest.latency',
    'responseLatency',
    'latencies.request',
    'service',
  ],
  client: [
    'request.client_ip',
    'request.remote_ip',
    'request.remote_addr',
    'ClientHost',
    'ClientAddr',
    'c-ip',
    'client.ip',
    'client_ip',
    'clientIp',
    'source.ip',
    'remote_addr',
    'remote_ip',
    'httpRequest.remoteIp',
    'remoteAddress',
    'req.remoteAddress',
    'http_x_forwarded_for',
    'x_forwarded_for',
    'downstream_remote_address',
    'network.client.ip',
    'fwd',
    'ip',
    'client',
  ],
  user: ['user_id', 'ClientUsername', 'remote_user', 'user.name', 'user'],
  agent: [
    'request.headers.User-Agent',
    'request_User-Agent',
    'http_user_agent',
    'user_agent.original',
    'httpRequest.userAgent',
    'user_agent',
    'userAgent',
    'cs(User-Agent)',
    'req.headers.user-agent',
    'agent',
    'UserAgent',
    'http.useragent',
    'ClientRequestUserAgent',
  ],
  session: [
    'session_id',
    'sessionId',
    'cs(X-Session-Id)',
    'request.headers.X-Session-Id',
    'http_x_session_id',
    'SessionId',
  ],
  host: ['request.host', 'RequestHost', 'host', 'http_host', 'server_name', 'cs-host'],
  cache: [
    'upstream_cache_status',
    'cache_status',
    'x-edge-result-type',
    'httpRequest.cacheHit',
    'resp_headers.X-Cache',
    'CacheCacheStatus',
    'response_state',
    'fastly_info.state',
    'fastly_info_state',
    'x-cache',
    'x-cache-status',
    'proxy_cache_status',
    'cache_hit',
  ],
};

/** Headers in which proxies pass on the address of the client, the usual one first. */
const PASSING = ['x-forwarded-for', 'cf-connecting-ip', 'true-client-ip', 'x-real-ip'];

/** Names under which servers and loggers write these headers. */
export const PASSED_ON: readonly string[] = [
  'xff',
  ...PASSING.flatMap((header) =>
    ['', 'http_', 'headers.', 'request_', 'request.headers.', 'req.headers.', 'http.request.headers.'].map(
      (before) => before + header,
    ),
  ),
];
