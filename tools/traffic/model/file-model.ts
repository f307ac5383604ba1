/** What can be told of each file by itself. */
import { ANSWER_CLASSES } from '../../../lib/model/names.ts';
import { type FileCounts, type LineCounts, type Malformed, perRoute } from '../pass/accounting.ts';
import type { DistinctCount } from '../pass/distinct.ts';

/** Different clients, exact unless the error says otherwise, and those whose address holds many users. */
export interface ClientCount extends DistinctCount {
  readonly shared: number;
}

export interface FileModel {
  readonly name: string;
  readonly compression: string;
  readonly formats: Readonly<Record<string, number>>;
  readonly lines: LineCounts;
  /** Records that count: those not left out as noise. */
  readonly requests: number;
  /** With one file only: clients, like sessions and all that is made of them, go on from file to file. */
  readonly clients?: ClientCount;
  readonly endpoints: readonly { readonly name: string; readonly requests: number }[];
  readonly statusClasses: Readonly<Record<string, number>>;
  readonly firstMalformed: readonly Malformed[];
  readonly reasons: Readonly<Record<string, number>>;
  readonly from?: string;
  readonly to?: string;
  readonly remarks: readonly string[];
}

/** Requests per status class, those that there are. */
export function classesOf(cells: readonly number[]): Record<string, number> {
  const classes: Record<string, number> = {};
  cells.forEach((n, i) => {
    if (n > 0) classes[ANSWER_CLASSES[i] as string] = n;
  });
  return classes;
}

/** Counts of a file with names instead of numbers. */
export function fileModel(
  name: string,
  compression: string,
  counts: FileCounts,
  nameOf: (route: number) => string,
): FileModel {
  return {
    name,
    compression,
    formats: counts.formats,
    lines: counts.lines,
    requests: counts.endpoints.reduce((sum, n) => sum + n, 0),
    endpoints: [...perRoute(counts)]
      .sort((a, b) => b[1] - a[1])
      .map(([route, n]) => ({ name: nameOf(route), requests: n })),
    statusClasses: classesOf(counts.statusClasses),
    firstMalformed: counts.firstMalformed,
    reasons: counts.reasons,
    ...(Number.isNaN(counts.firstTime) ? {} : { from: new Date(counts.firstTime).toISOString() }),
    ...(Number.isNaN(counts.lastTime) ? {} : { to: new Date(counts.lastTime).toISOString() }),
    remarks: counts.remarks,
  };
}
