/** Where everything lies in the memory of the sessions' module; `sessions-kernel.ts` makes its views from the same numbers. */

/** Latest start so far, ms. */
export const LATEST: usize = 0;
/** Options: inactivity gap, and by how much a request may begin before the end of the one before, ms. */
export const GAP: usize = 8;
export const SLACK: usize = 16;
/** The minute under way, ms. */
export const BEGINS: usize = 24;
export const ENDS: usize = 32;
/** Requests in it; requests that came later than the sorting window allows; requests that overlap the one before. */
export const IN_MINUTE: usize = 40;
export const LATE: usize = 44;
export const OVERLAPPING: usize = 48;
/** Records in use, and as many as there is memory for. */
export const USED: usize = 52;
export const CAPACITY: usize = 56;
/** Where the cells of the hash table lie: twice as many as records. */
export const CELLS: usize = 60;
/** Clients from which idle ones are given up. */
export const NEXT_SWEEP: usize = 64;
/** First byte that nothing uses. */
export const HEAP: usize = 68;
/** Gaps within bursts; clients whose address holds many users. */
export const BURST_GAPS: usize = 72;
export const SHARED_CLIENTS: usize = 76;
/** Item counts: where the cells lie, how many there are and are used; where the first and the latest views lie; all views. */
export const ITEM_CELLS: usize = 80;
export const ITEM_SIZE: usize = 84;
export const ITEMS_USED: usize = 88;
export const EARLY: usize = 92;
export const RECENT: usize = 96;
export const RECENT_AT: usize = 100;
export const VIEWS: usize = 104;
/** Option: gaps kept of each pair of routes. */
export const SAMPLES: usize = 112;
/** Requests that equal the one before of their client in start, end and route. */
export const REPEATED: usize = 116;
/** Hashes and records of the requests under way. */
export const HASHES: usize = 256;
export const RECORDS: usize = 512;
export const FIRST_CELLS: usize = 768;
/** 2^(1/8) to 2^(7/8). */
export const EIGHTHS: usize = 1024;
/** Silences per bin, as doubles. */
export const SILENCES: usize = 1536;
export const SILENCE_BINS: i32 = 160;
/** Items under way, and their cells. */
export const SOME_ITEMS: usize = 3072;
export const ITEM_PLACES: usize = 3584;
/** Addresses of the blocks of records. */
export const BLOCKS: usize = 4096;
export const MOST_BLOCKS: i32 = 4096;
/** Samples of the gaps per pair of the first NEAR routes (`sample.ts`). */
export const PAIRS: usize = 20_480;
export const NEAR: i32 = 32;
/** Requests to add: rows of 32 bytes as `events.ts` has them. */
export const ROWS: usize = 53_248;
export const MOST_ROWS: i32 = 1024;
/** Samples of the gaps within sessions of more than KEPT_STEPS requests, apart: many of those are no single user's. */
export const LONG_PAIRS: usize = 86_016;
/** The compiler's own data begin here, as `compile.mjs` tells it; the heap follows them. */
export const FIXED_END: usize = 118_784;

/** A record: two neighbouring cache lines, so that a request waits for memory once. */
export const RECORD_BYTES: usize = 128;
export const BLOCK_BITS: i32 = 13;
/** Steps and gaps that are kept of an open session. */
export const KEPT_STEPS: i32 = 15;
/** Start of the session and end of its latest request, ms. */
export const FIRST: usize = 0;
export const END: usize = 8;
export const KEY_1: usize = 16;
export const KEY_2: usize = 20;
/** Requests of the open session; of the client so far, with BY_ID for one that a session id names; its clear overlaps. */
export const COUNT: usize = 24;
export const REQUESTS: usize = 28;
export const BY_ID: i32 = 1 << 30;
export const OVERLAPS: usize = 32;
/** Floats: the gap before each step, s. */
export const GAPS: usize = 36;
/** Unsigned 16 bits: the steps; fast runs in a row. */
export const STEPS: usize = 96;
export const FAST_RUNS: usize = 126;
