/** Where everything lies in the kernel's memory; `kernel.ts` makes its views from the same numbers, which are exported. */

/** Why `scan` came back, and what it has found so far of the line that it could not finish. */
export const REASON: usize = 0;
/** Events in the columns. */
export const EVENTS: usize = 4;
/** Lines read since the caller last set this to 0. */
export const LINES: usize = 8;
/** Steps back in time. */
export const INVERSIONS: usize = 12;
/** Time stamps: of the line before, the earliest, the latest; NaN before the first. */
export const LAST_TIME: usize = 16;
export const FIRST_TIME: usize = 24;
export const LATEST_TIME: usize = 32;
/** Keys of the line under way. */
export const PATH_KEY: usize = 40;
export const QUERY_KEY: usize = 48;
export const AGENT_KEY: usize = 56;
/** Places of the line under way: time, method, path, query, agent, as start and end. */
export const PLACES: usize = 64;
/** Whether numbers and GUIDs in paths are told apart only by their kind. */
export const BY_KIND: usize = 104;
/** The bytes of a known minute with its zone (the two digits of the second do not matter), and its time. */
export const KNOWN: usize = 128;
export const KNOWN_TIME: usize = 160;
/** 1 for each noise class that is left out. */
export const DROPPED: usize = 176;
/** Records per noise class and answers per status class. */
export const NOISE_COUNTS: usize = 192;
export const STATUS_COUNTS: usize = 256;
/** What a byte means in a path, and in an address. */
export const PATH_BYTES: usize = 512;
export const ADDRESS_BYTES: usize = 768;
/** Ones and zeros that cut a block of 16 bytes after n. */
export const MASKS: usize = 1024;
/** Start and end of each segment of the path. */
export const SEGMENTS: usize = 1056;
export const MOST_SEGMENTS: i32 = 64;
/** Noise class by path class (4), agent class (3), whether the method is OPTIONS (2), status (1000). */
export const NOISE: usize = 4096;
/** Tables: 16 bytes an entry. */
export const PATHS: usize = 32_768;
export const PATH_BITS: i32 = 14;
export const QUERIES: usize = 294_912;
export const QUERY_BITS: i32 = 10;
export const AGENTS: usize = 311_296;
export const AGENT_BITS: i32 = 13;
/** Requests per route and status class. */
export const ENDPOINTS: usize = 458_752;
export const MOST_ROUTES: i32 = 8192;
/** Lines to read, and 64 bytes after them that are never written. */
export const INPUT: usize = 655_360;
export const INPUT_BYTES: i32 = 262_144;
/** Events: rows of 32 bytes as `events.ts` has them. */
export const CAPACITY: i32 = 65_536;
export const ROWS: usize = 1_048_576;
