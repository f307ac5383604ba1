/**
 * Integer hashes of byte spans: paths and clients are told apart by 64 bits in two lanes. Among a million clients the chance
 * that any two share a key is about 1e12 / 2^65 = 3e-8; addresses of version 4 are their own key and never collide.
 */
import { digit } from './bytes.ts';
import type { RawRecord, Span } from './raw-record.ts';

export const HASH_SEED_1 = 0x811c9dc5 | 0;
const HASH_SEED_2 = 0x2545f491;
const PRIME_1 = 0x01000193;
const PRIME_2 = 0x5bd1e995;

/** One byte more in the first lane (FNV-1a). */
export function lane1(h: number, byte: number): number {
  return Math.imul(h ^ byte, PRIME_1);
}

/** One byte more in the second lane: another multiplier, and high bits folded down, so that the lanes are independent. */
export function lane2(h: number, byte: number): number {
  const m = Math.imul(h ^ byte, PRIME_2);
  return m ^ (m >>> 13);
}

export function hash1(buf: Uint8Array, span: Span): number {
  let h = HASH_SEED_1;
  for (let i = span.start; i < span.end; i++) h = lane1(h, buf[i] as number);
  return h;
}

export function hash2(buf: Uint8Array, span: Span): number {
  let h = HASH_SEED_2;
  for (let i = span.start; i < span.end; i++) h = lane2(h, buf[i] as number);
  return h;
}

/** Hash of a long span, four bytes a round: the multiplication's latency is paid once for four. */
export function hashWide(buf: Uint8Array, start: number, end: number): number {
  let h = HASH_SEED_1;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    const word =
      (buf[i] as number) |
      ((buf[i + 1] as number) << 8) |
      ((buf[i + 2] as number) << 16) |
      ((buf[i + 3] as number) << 24);
    h = Math.imul(h ^ word, PRIME_2);
    h ^= h >>> 15;
  }
  for (; i < end; i++) h = Math.imul(h ^ (buf[i] as number), PRIME_1);
  return h;
}

/** Fills path and agent hashes where the reader has not done it on its way. */
export function ensureHashes(raw: RawRecord): void {
  if (raw.hashed) return;
  raw.pathHash1 = hash1(raw.buf, raw.path);
  raw.pathHash2 = hash2(raw.buf, raw.path);
  raw.agentHash = hashWide(raw.buf, raw.agent.start, raw.agent.end);
  raw.hashed = true;
}

/** The address as the number of an IPv4 address (0 to 2^32-1), or -1 for anything else. */
export function ipv4(buf: Uint8Array, span: Span): number {
  let value = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = span.start; i < span.end; i++) {
    const byte = buf[i] as number;
    if (byte === 46) {
      if (digits === 0 || part > 255) return -1;
      value = value * 256 + part;
      part = 0;
      digits = 0;
      dots++;
    } else {
      const d = digit(byte);
      if (d > 9 || digits === 3) return -1;
      part = part * 10 + d;
      digits++;
    }
  }
  return dots === 3 && digits > 0 && part <= 255 ? value * 256 + part : -1;
}

/** Spreads an integer over 32 bits (MurmurHash3's finaliser). */
export function mix32(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
