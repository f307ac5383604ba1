/** Where samples go besides the sums: files, or nowhere. */
import type { SampleSink } from '../metrics/registry.ts';

export interface Output extends SampleSink {
  /** Writes what is left and closes. */
  close(): Promise<void>;
}

/** System tags that k6 sets by default; outputs and tag sets follow the `systemTags` option. */
export const DEFAULT_SYSTEM_TAGS: readonly string[] = [
  'proto',
  'subproto',
  'status',
  'method',
  'url',
  'name',
  'group',
  'check',
  'error',
  'error_code',
  'tls_version',
  'scenario',
  'service',
  'expected_response',
];

/** Every tag that k6 itself can set. `vu` and `iter` go to the metadata. */
export const ALL_SYSTEM_TAGS: readonly string[] = [...DEFAULT_SYSTEM_TAGS, 'ip', 'ocsp_status', 'vu', 'iter'];
