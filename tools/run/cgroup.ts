/**
 * What the kernel allows a process, by control groups of either version: the limits of its own group and of every group around it
 * bind. (cgroups(7); kernel documentation "Control Group v2" and "cgroup-v1/memory", "scheduler/sched-bwc".)
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallest } from '../../lib/model/extremes.ts';

export interface GroupLimits {
  /** Cores; null: no limit. */
  readonly cpuCores: number | null;
  /** Bytes; null: no limit. */
  readonly memoryBytes: number | null;
}

/** Version 1 writes "no limit" as the largest number of pages, 2^63 less a page. */
const UNLIMITED_BYTES = 2 ** 60;

/** @param root folder that stands for `/`, for tests */
export function groupLimits(root = '/'): GroupLimits {
  const cores: (number | null)[] = [];
  const bytes: (number | null)[] = [];
  const groups = readOptional(join(root, 'proc/self/cgroup')) ?? '0::/';
  for (const line of groups.split('\n')) {
    const [, id, controllers = '', path = '/'] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (id === undefined) continue;
    const names = controllers.split(',');
    for (const folder of id === '0' ? ['', 'unified'] : [controllers, ...names]) {
      for (const group of withAncestors(path)) {
        const read = (file: string) => readOptional(join(root, 'sys/fs/cgroup', folder, group, file));
        if (id === '0') {
          cores.push(cpuLimit(read('cpu.max')));
          bytes.push(memoryLimit(read('memory.max')));
        }
        if (names.includes('cpu')) cores.push(cpuLimit(`${read('cpu.cfs_quota_us')} ${read('cpu.cfs_period_us')}`));
        if (names.includes('memory')) bytes.push(memoryLimit(read('memory.limit_in_bytes')));
      }
    }
  }
  return { cpuCores: least(cores), memoryBytes: least(bytes) };
}

/** `/a/b` -> `/a/b`, `/a`, `/`: inside a container the path may be the host's, of which only the root is there. */
function withAncestors(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return Array.from({ length: parts.length + 1 }, (_, i) => `/${parts.slice(0, parts.length - i).join('/')}`);
}

const least = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : smallest(known);
};

/** Cores by `quota period` (µs), as in `cpu.max`; null: no limit. */
export function cpuLimit(text: string | undefined): number | null {
  const [quota, period] = (text ?? '').trim().split(/\s+/).map(Number);
  return quota !== undefined && period !== undefined && quota > 0 && period > 0 ? quota / period : null;
}

/** Bytes of a limit file; null: no limit. */
export function memoryLimit(text: string | undefined): number | null {
  const bytes = Number((text ?? '').trim() || Number.NaN);
  return bytes < UNLIMITED_BYTES ? bytes : null;
}

function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
