/**
 * Addresses that proxies have passed on beside the peer's (`X-Forwarded-For`): behind a balancer the peer is the balancer, and
 * all users would be one client.
 */
import { COLON, lastByte, looksLikeAddress, setClient } from './bytes.ts';
import { ipv4 } from './hashes.ts';
import type { RawRecord, ReaderOptions } from './raw-record.ts';

/** Whether the user asks for the passed-on address, by its general name or by that of a usual field. */
export function wantsForwarded({ clientField }: ReaderOptions): boolean {
  return clientField !== undefined && /forwarded|^xff$/i.test(clientField);
}

/** What became of the passed-on address: there was none, it is the client, or the peer has remained it. */
export const FORWARDED = { none: 0, taken: 1, left: 2 } as const;

/**
 * Makes the first address that was passed on the client when the user wants it (`always`) or the peer is no public address, which
 * only a proxy of one's own can be. A public peer remains, because anybody may send the header.
 */
export function takeForwarded(raw: RawRecord, always: boolean): (typeof FORWARDED)[keyof typeof FORWARDED] {
  const { buf, client, forwarded } = raw;
  if (forwarded.end <= forwarded.start) return FORWARDED.none;
  const { start, end } = client;
  setClient(buf, forwarded.start, forwarded.end, raw);
  if (client.end > client.start && !sameBytes(buf, client.start, client.end, start, end)) {
    if (always || !isPublic(buf, start, end)) return FORWARDED.taken;
    client.start = start;
    client.end = end;
    return FORWARDED.left;
  }
  client.start = start;
  client.end = end;
  return FORWARDED.none;
}

function sameBytes(buf: Uint8Array, start: number, end: number, other: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - other) return false;
  for (let i = start, j = other; i < end; i++, j++) if (buf[i] !== buf[j]) return false;
  return true;
}

/** Networks that are nobody's own (RFC 1918, 6598, 3927, 1122): first address and prefix length. */
const PRIVATE = (
  [
    [10, 0, 8],
    [172, 16, 12],
    [192, 168, 16],
    [100, 64, 10],
    [169, 254, 16],
    [127, 0, 8],
    [0, 0, 8],
  ] as const
).map(([a, b, bits]) => [a * 2 ** 24 + b * 2 ** 16, 2 ** (32 - bits)] as const);

/** Whether [start, end) is an address that the whole internet can be reached by; names, sockets and nothing are none. */
export function isPublic(buf: Uint8Array, start: number, end: number): boolean {
  const span = { start, end };
  const colon = lastByte(buf, COLON, start, end);
  const one = colon >= start && lastByte(buf, COLON, start, colon) < start;
  if (one) span.end = colon;
  const address = ipv4(buf, span);
  if (address >= 0) return !PRIVATE.some(([from, size]) => address >= from && address < from + size);
  if (colon < start || one || !looksLikeAddress(buf, start, end)) return false;
  // Version 6: global unicast begins with 2 or 3 (RFC 4291).
  const first = buf[start] === 91 ? buf[start + 1] : buf[start];
  return first === 50 || first === 51;
}
