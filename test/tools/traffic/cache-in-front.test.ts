/** Answers of a cache in front, as CDNs log them. */
import { describe, expect, it } from 'vitest';
import { countsAndEvents } from './helpers.ts';

const REST = { timestamp: '2025-03-10T09:00:04Z', method: 'GET', url: '/a', status: 200 };
const cacheOf = (log: string) => {
  const { counts } = countsAndEvents(log, false) as { counts: { cacheHits: number; cacheKnown: number } };
  return [counts.cacheHits, counts.cacheKnown];
};

describe('an answer of a cache', () => {
  it.each([
    ['Cloudflare', { CacheCacheStatus: 'hit' }],
    ['Fastly', { response_state: 'HIT-CLUSTER' }],
    ['Fastly by its variable', { fastly_info_state: 'HIT-STALE' }],
    ['Azure', { cacheStatus: 'REMOTE_HIT' }],
    ['Akamai', { cacheStatus: 1 }],
    ['nginx', { upstream_cache_status: 'HIT' }],
    ['GCP', { httpRequest: { cacheHit: true } }],
    ['a table of GCP', { cache_hit: 'true' }],
    ['an empty first name', { upstream_cache_status: '-', 'x-cache': 'MISS, HIT' }],
  ])('is known, of %s', (_, fields) => {
    expect(cacheOf(JSON.stringify({ ...REST, ...fields }))).toEqual([1, 1]);
  });

  it.each([
    ['Cloudflare', { CacheCacheStatus: 'dynamic' }],
    ['Fastly', { response_state: 'PASS' }],
    ['Fastly, which knows that it must pass', { response_state: 'HITPASS' }],
    ['Varnish, the same', { 'x-cache': 'hit-for-pass' }],
    ['Akamai', { cacheStatus: '0' }],
    ['GCP', { httpRequest: { cacheHit: false } }],
  ])('is told from one of the origin, of %s', (_, fields) => {
    expect(cacheOf(JSON.stringify({ ...REST, ...fields }))).toEqual([0, 1]);
  });

  it('is not known where nothing is said', () => {
    for (const fields of [{}, { cacheStatus: '-' }, { cacheStatus: '' }, { CacheCacheStatus: 'unknown' }])
      expect(cacheOf(JSON.stringify({ ...REST, ...fields }))).toEqual([0, 0]);
  });
});
