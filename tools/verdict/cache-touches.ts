/** Requests whose answers tell of a cache, by the first touch of an item and by repeats. */
import { DURATION_METRICS, TAGS } from '../../lib/model/names.ts';
import { text } from './database.ts';
import { MEASURED_SQL } from './populations.ts';

/** Tags and metrics to be read for it. */
export const CACHE_TAGS = [TAGS.cache, TAGS.item] as const;
export const CACHE_METRICS = [DURATION_METRICS['2xx']] as const;

/**
 * Measured requests with the tag `cache` (HIT or MISS): time, duration, whether it was a hit, and whether it was the first of the
 * window for its `item`; NULL where no item is told. The suite tags its own Trends, since an answer is known only after k6 has
 * written its samples.
 */
export const TOUCHED_SQL = `SELECT t, v, tag_item AS item, tag_cache = 'HIT' AS hit,
    CASE WHEN tag_item <> '' THEN row_number() OVER (PARTITION BY name, tag_item ORDER BY t - v * 1000, t) = 1 END AS first
  FROM samples JOIN series USING (h)
  WHERE metric IN ('http_req_duration', ${CACHE_METRICS.map(text).join(', ')}) AND tag_cache IN ('HIT', 'MISS') AND ${MEASURED_SQL}`;
