/**
 * The unit of a duration in named fields. Servers give the same name other units (`duration` is seconds to Caddy, milliseconds to
 * Envoy, nanoseconds to Traefik and in Go), so it is told by the fields beside it, else guessed and said, else left out.
 */
import type { DurationText } from './duration-text.ts';
import { UNIT } from './raw-record.ts';

export interface Scale {
  /** Milliseconds per unit. */
  readonly scale: number;
  /** How that is known, one of `UNIT`. */
  readonly unit: number;
}

const sure = (scale: number): Scale => ({ scale, unit: UNIT.known });
const SECONDS_BY_LOOK: Scale = { scale: 1000, unit: UNIT.guessed };
const MILLISECONDS_BY_LOOK: Scale = { scale: 1, unit: UNIT.guessedMs };

/** Fields that only one kind of server writes beside a whole number named `duration`, and its unit there in ms. */
const BESIDE: readonly (readonly [readonly string[], number])[] = [
  // Traefik, whatever fields were kept; Datadog's standard attributes.
  [['downstreamstatus', 'originstatus', 'startutc', 'routername', 'http.urldetails.path', 'network.client.ip'], 1e-6],
  // Envoy and what is built on it.
  [['responseflags', 'upstreamcluster'], 1],
];

/** nginx's variables under their own names, and what its users call its upstream's. */
const NGINX =
  'upstreamtime upstreamhost upstreamaddr upstreamresponsetime upstreamstatus upstreamconnecttime httphost requestmethod bodybytessent httpuseragent httpreferer httpxforwardedfor timelocal timeiso8601'.split(
    ' ',
  );

/** pino and what logs request and answer as objects. */
const NODE = ['req.method', 'req.url', 'res.statuscode', 'reqid', 'pid'];

/** Azure's front doors and CloudFront. */
const EDGE = ['httpstatuscode', 'httpstatus', 'xedgelocation', 'xedgeresulttype'];

type Has = (key: string) => boolean;

function isNginx(has: Has): boolean {
  return NGINX.some(has) || (has('clientip') && (has('@timestamp') || has('xff')));
}

/**
 * @param name of the field as `plainKey` gives it, not one that names its unit
 * @param typed whether the value is a number in the log, and not a text: `60.000` is whole once it has been read as a number
 * @param has whether the line has a field of this plain key
 * @returns `undefined` for a number that could be anything
 */
export function durationScale(name: string, text: DurationText, typed: boolean, has: Has): Scale | undefined {
  const { number, places } = text;
  const whole = places === 0;
  if (number === 0) return sure(1);
  switch (name) {
    case 'event.duration':
      return sure(1e-6);
    case 'responselatency':
    case 'latencies.request':
      return sure(1);
    case 'elapsed':
      if (has('requestpath') || has('@t')) return sure(1);
      break;
    case 'latency':
      if (has('latencyhuman')) return sure(1e-6);
      break;
    case 'duration': {
      const server = whole ? BESIDE.find(([fields]) => fields.some(has)) : undefined;
      if (server !== undefined) return sure(server[1]);
      if (has('request.uri') && has('logger')) return caddyScale(number, whole);
      // Rails' lograge.
      if (has('controller') && has('action') && (has('view') || has('db') || has('format'))) return sure(1);
      break;
    }
    case 'requesttime':
      // nginx.
      if (!whole) return places <= NGINX_PLACES ? sure(1000) : SECONDS_BY_LOOK;
      return typed && number <= LONGEST_WHOLE && isNginx(has) ? sure(1000) : undefined;
    case 'responsetime':
      return responseTimeScale(text, typed, has);
    case 'timetaken':
      if (whole) return has('csmethod') ? sure(1) : undefined;
      if (number >= LONGEST_SECONDS) return sure(1);
      return EDGE.some(has) ? sure(1000) : SECONDS_BY_LOOK;
  }
  return whole ? undefined : SECONDS_BY_LOOK;
}

/** Seconds have places; whole numbers are its formats `ms` and `nano`, of which only one has a request of 17 minutes in 1 ms. */
function caddyScale(number: number, whole: boolean): Scale | undefined {
  if (!whole) return sure(1000);
  return number >= LEAST_CADDY_NANOSECONDS ? sure(1e-6) : undefined;
}

/** Node's loggers write a number of ms; nginx, whose variable people give this name, seconds with three places. */
function responseTimeScale({ number, places }: DurationText, typed: boolean, has: Has): Scale | undefined {
  const whole = places === 0;
  if (typed && NODE.some(has)) return sure(1);
  const tooLong = number >= LONGEST_SECONDS;
  if (isNginx(has)) return places <= NGINX_PLACES && !tooLong && (typed || !whole) ? sure(1000) : undefined;
  if (whole) return undefined;
  if (typed) return MILLISECONDS_BY_LOOK;
  return tooLong ? undefined : SECONDS_BY_LOOK;
}

/** Servers give up on requests before; a longer one is in milliseconds. */
const LONGEST_SECONDS = 100;
/** Seconds; a longer whole number may be milliseconds. */
const LONGEST_WHOLE = 600;
/** Digits that nginx writes after the point. */
const NGINX_PLACES = 3;
const LEAST_CADDY_NANOSECONDS = 1e6;
