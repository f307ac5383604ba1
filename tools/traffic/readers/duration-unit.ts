/**
 * The unit of a duration in named fields. Servers give the same name other units (`duration` is seconds to Caddy, milliseconds to
 * Envoy, nanoseconds to Traefik and in Go), so it is told by the fields beside it, else guessed and said, else left out.
 */

export interface Scale {
  /** Milliseconds per unit. */
  readonly scale: number;
  /** Whether nothing but the places after the point speaks for it. */
  readonly guessed: boolean;
}

const sure = (scale: number): Scale => ({ scale, guessed: false });

/** Endings of names that tell the unit, ms each. */
export const SUFFIXES: readonly (readonly [string, number])[] = [
  ['ms', 1],
  ['milliseconds', 1],
  ['us', 1e-3],
  ['ns', 1e-6],
  ['seconds', 1000],
];

/** Fields that only one kind of server writes beside a whole number named `duration`, and its unit there in ms. */
const BESIDE: readonly (readonly [readonly string[], number])[] = [
  // Traefik, whatever fields were kept; Datadog's standard attributes.
  [['downstreamstatus', 'originstatus', 'startutc', 'routername', 'http.urldetails.path', 'network.client.ip'], 1e-6],
  // Envoy and what is built on it.
  [['responseflags', 'upstreamcluster'], 1],
];

/**
 * @param name of the field as `plainKey` gives it, not one with a suffix
 * @param has whether the line has a field of this plain key
 * @returns `undefined` for a whole number that could be anything
 */
export function durationScale(name: string, value: unknown, has: (key: string) => boolean): Scale | undefined {
  const whole = /^\d+$/.test(String(value));
  if (name === 'event.duration') return sure(1e-6);
  if (name === 'responselatency' || name === 'latencies.request') return sure(1);
  if (name === 'elapsed' && (has('requestpath') || has('@t'))) return sure(1);
  if (name === 'latency' && has('latencyhuman')) return sure(1e-6);
  if (name === 'duration') {
    const server = whole ? BESIDE.find(([fields]) => fields.some(has)) : undefined;
    if (server !== undefined) return sure(server[1]);
    // Caddy.
    if (has('request.uri') && has('logger')) return sure(1000);
    // Rails' lograge.
    if (has('controller') && has('action') && (has('view') || has('db') || has('format'))) return sure(1);
  }
  // Node's loggers write a number of ms; nginx, whose variable people give this name, a text with three places.
  if (name === 'responsetime' && typeof value === 'number') return sure(1);
  if (name === 'timetaken' && whole && has('csmethod')) return sure(1);
  // nginx, written as a number: `60.000` is whole once it has been read.
  if (name === 'requesttime' && typeof value === 'number' && value <= LONGEST_WHOLE) return sure(1000);
  if (whole) return Number(value) === 0 ? sure(1) : undefined;
  if ((name === 'responsetime' || name === 'timetaken') && Number(value) >= LONGEST_SECONDS) return sure(1);
  // nginx; CloudFront and Azure's front doors.
  if (name === 'requesttime' || name === 'timetaken') return sure(1000);
  return { scale: 1000, guessed: true };
}

/** Servers give up on requests before; a longer one is in milliseconds. */
const LONGEST_SECONDS = 100;
/** Seconds; a longer whole number may be milliseconds. */
const LONGEST_WHOLE = 600;
