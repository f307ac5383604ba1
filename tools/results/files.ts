/** The results folder of a run: file names and schema versions, in one place for writers and readers. */

/** Folder that holds one folder a run, below the current folder unless told otherwise. */
export const RESULTS_FOLDER = 'results';

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
  /** Objectives as test cases, for a CI. */
  junit: 'junit.xml',
} as const;

/** Raised whenever a field of `manifest.json` changes its meaning or goes away; added fields do not count. */
export const MANIFEST_SCHEMA_VERSION = 1;
