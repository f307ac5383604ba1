/** Counters of a suite's own, as its definition explains them. */
import { METRICS } from '../model/names.ts';
import type { CounterDefinition } from '../plan/suite-definition.ts';
import type { SummaryData } from './data.ts';
import { measured } from './populations.ts';

export type Counters = Readonly<Record<string, CounterDefinition>>;

export interface CounterRow {
  readonly metric: string;
  readonly means: CounterDefinition['means'];
  readonly n: number;
  /** Sentence for people. */
  readonly says: string;
}

/** Those that counted anything in the measured phase. */
export function counterRows(data: SummaryData, counters: Counters): CounterRow[] {
  const own = Object.entries(counters).map(([metric, { means, says }]) => {
    const n = measured(data, metric);
    return { metric, means, n, says: says.replace('{n}', `${n}`) };
  });
  const renewed = data.metrics[METRICS.loginsRenewed]?.values['count'] ?? 0;
  const renewals: CounterRow = {
    metric: METRICS.loginsRenewed,
    means: 'note',
    n: renewed,
    says: `${renewed} logins had run out and were renewed; those answers (401) are no failures`,
  };
  return [...own, renewals].filter((row) => row.n > 0);
}
