/** Whether a cache in front answered, as servers and CDNs say it. */
import { latin1 } from './raw-record.ts';

/** A hit on the note that the answer is not to be cached (Varnish, Fastly): the origin answers. */
const HIT_FOR_PASS = /hit[-_]?(?:for[-_]?)?(?:pass|miss)/g;

/**
 * @param value `HIT`, `RefreshHit`, `HIT-CLUSTER`, `TCP_HIT`, `true`, 1 and the like
 * @returns 1 for a hit, 0 for none, -1 when nothing is said
 */
export function cacheHit(value: unknown): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string' && typeof value !== 'number') return -1;
  const text = String(value).trim().toLowerCase();
  if (text === '' || text === '-' || text === 'unknown') return -1;
  // Akamai counts the level of the cache that had it.
  if (text === 'true' || /^[1-9]$/.test(text)) return 1;
  return text.replaceAll(HIT_FOR_PASS, '').includes('hit') ? 1 : 0;
}

/** The same of bytes. */
export function isHit(buf: Uint8Array, start: number, end: number): number {
  return cacheHit(latin1(buf, start, end));
}
