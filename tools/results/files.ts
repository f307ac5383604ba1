/** The results folder of a run: file names and schema versions, in one place for writers and readers. */

/** Folder that holds one folder a run, below the current folder unless told otherwise. */
export const RESULTS_FOLDER = 'results';

/** Below a folder of bundles: the suite's own model of its server, where it has one. */
export const SERVER_FILE = 'lib/server-model.mjs';

/** Files of one run's folder. */
export const RUN_FILES = {
  /** What was run, with what, where, and how it ended: `manifest.ts`. */
  manifest: 'manifest.json',
  /** k6's raw samples as plain CSV, times in milliseconds: survives a kill, unlike a gzip stream. */
  samples: 'samples.csv',
  /** handleSummary's data; the suite's own fields lie under the key `bookstoreLoad`. */
  summary: 'summary.json',
  /** k6's `--summary-export`, kept only when the script wrote no `summary.json` of its own. Another format. */
  summaryExport: 'summary-export.json',
  /** The engine's own log: warnings and exceptions of which no metric tells; empty when it said nothing. */
  log: 'k6.log',
  /** Objectives as test cases, for a CI. */
  junit: 'junit.xml',
} as const;

/** In the folder of a run of several workers: names the workers' folders, each one as above. */
export const WORKERS_FILE = 'workers.json';

/** Raised whenever a field of `workers.json` changes its meaning or goes away. */
export const WORKERS_SCHEMA_VERSION = 1;

/** Raised whenever a field of `manifest.json` changes its meaning or goes away; added fields do not count. */
export const MANIFEST_SCHEMA_VERSION = 1;
