/** What servers write behind the agent of a combined line. */
import { decimal, hasPort, hasText, indexOfByte, integer, looksLikeAddress, QUOTE, SPACE, setSpan } from './bytes.ts';
import { isPublic } from './forwarded.ts';
import type { RawRecord } from './raw-record.ts';
import { wordEnd, wordStart } from './words.ts';

/**
 * Trailing extras. Only what cannot be mistaken is taken: nginx's `$request_time`, a decimal number of seconds with exactly
 * three places, as the first word or behind a length and before a `[name]` (Kubernetes' ingress-nginx), and `rt=`,
 * `request_time=`, `response_time:`; morgan's `12.345 ms`; Traefik's last word `12ms` behind a quoted URL; and the addresses
 * that proxies have passed on. A whole number may be anything, so it takes a pattern (`--format`).
 */
export function setExtras(buf: Uint8Array, start: number, end: number, out: RawRecord): void {
  setForwarded(buf, start, end, out);
  let at = start;
  for (let word = 0; at < end && Number.isNaN(out.duration); word++) {
    while (at < end && buf[at] === SPACE) at++;
    const stop = wordEnd(buf, at, end);
    let from = at;
    for (const name of TIME_NAMES) if (hasText(buf, at, stop, name)) from = at + name.length;
    const number = hasText(buf, stop - 2, stop, 'ms') && isWhole(buf, at, stop - 2) ? integer(buf, at, stop - 2) : -1;
    if (number >= 0 && stop >= end && buf[at - 2] === QUOTE) out.duration = number;
    else if (word === 0 && stop + 3 === end && hasText(buf, stop, end, ' ms')) out.duration = decimal(buf, at, stop);
    else if (from > at || word === 0 || (word === 1 && buf[stop + 1] === 91 && isWhole(buf, start, at))) {
      out.duration = milliseconds(buf, from, stop, from > at);
    }
    at = stop + 1;
  }
}

/** Quoted fields that are looked at. */
const MOST_QUOTED = 6;
const FORWARDED_NAMES = ['x_forwarded_for', 'http_x_forwarded_for', 'x-forwarded-for', 'xff', 'forwarded_for'];

/**
 * The list of addresses in the first quoted field (nginx's own `main` format and many after it), or in one with a name
 * (Cloud Foundry). An address with a port is the upstream's, unless it is public or has the name.
 */
function setForwarded(buf: Uint8Array, start: number, end: number, out: RawRecord): void {
  let open = indexOfByte(buf, QUOTE, start, end);
  for (let n = 0; open >= 0 && n < MOST_QUOTED; n++) {
    const close = indexOfByte(buf, QUOTE, open + 1, end);
    if (close < 0) return;
    const word = wordStart(buf, open, start);
    const named = word < open && FORWARDED_NAMES.some((name) => hasText(buf, word, open, name));
    if ((named || (n === 0 && word === open)) && areAddresses(buf, open + 1, close, named)) {
      setSpan(out.forwarded, open + 1, close);
      return;
    }
    open = indexOfByte(buf, QUOTE, close + 1, end);
  }
}

/** Whether nothing but addresses stands there, separated by commas; `unknown` and `-` may stand among them. */
function areAddresses(buf: Uint8Array, start: number, end: number, ports: boolean): boolean {
  let addresses = 0;
  for (let from = start; from <= end; ) {
    let to = indexOfByte(buf, 44, from, end);
    if (to < 0) to = end;
    let s = from;
    while (s < to && buf[s] === SPACE) s++;
    let e = to;
    while (e > s && buf[e - 1] === SPACE) e--;
    if (looksLikeAddress(buf, s, e)) {
      if (!ports && hasPort(buf, s, e) && !isPublic(buf, s, e)) return false;
      addresses++;
    } else if (!hasText(buf, s, e, 'unknown') && !(e - s === 1 && buf[s] === 45)) return false;
    from = to + 1;
  }
  return addresses > 0;
}

/** Seconds; a longer one is nginx's `$msec`, a time of day. */
const LONGEST = 1e6;

const TIME_NAMES = ['rt=', 'request_time=', 'reqtime=', 'response_time:'];

/** Seconds with exactly three places, or with any where the field has a name; NaN for anything else. */
function milliseconds(buf: Uint8Array, from: number, stop: number, named: boolean): number {
  const dot = indexOfByte(buf, 46, from, stop);
  if (dot <= from || (!named && stop - dot !== 4)) return Number.NaN;
  const [whole, part] = [integer(buf, from, dot), integer(buf, dot + 1, stop)];
  return whole >= 0 && whole < LONGEST && part >= 0 ? whole * 1000 + part / 10 ** (stop - dot - 4) : Number.NaN;
}

/** Whether nothing but digits and blanks stands there. */
function isWhole(buf: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = buf[i] as number;
    if (byte !== SPACE && (byte < 48 || byte > 57)) return false;
  }
  return true;
}
