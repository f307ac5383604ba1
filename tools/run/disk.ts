/** Whether the disk of a run's folder was full while the run went on: what the engine could not write then is lost. */
import { statfsSync } from 'node:fs';

/** Less than one buffer of samples. */
const FULL_BYTES = 1 << 20;

export interface DiskWatch {
  /** Looks; to be called about once a second. */
  readonly look: () => void;
  /** Says it in a sentence when the disk was full at any look; undefined when it never was. */
  readonly problem: () => string | undefined;
}

/** @param freeBytes bytes that may still be written there, undefined where the system does not say */
export function watchDisk(folder: string, freeBytes: (folder: string) => number | undefined = freeOf): DiskWatch {
  let looks = 0;
  let full = 0;
  return {
    look: () => {
      looks += 1;
      const free = freeBytes(folder);
      if (free !== undefined && free < FULL_BYTES) full += 1;
    },
    problem: () =>
      full === 0
        ? undefined
        : `the disk of ${folder} was full at ${full} of ${looks} looks, one a second: samples and log lines of that time are lost; make room and run again`,
  };
}

function freeOf(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
