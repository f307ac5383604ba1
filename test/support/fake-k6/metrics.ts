/** Stands for `k6/metrics`. */
import { fake } from './state.ts';

class Metric {
  /** Needs no `this`, as in k6. */
  readonly add: (value: number | boolean, tags?: Readonly<Record<string, string>>) => void;
  constructor(metric: string) {
    this.add = (value, tags = {}) => {
      const { check: name, ...rest } = tags;
      // As k6's own function counts them.
      if (metric === 'checks' && name !== undefined) fake.checks.push({ name, held: value === 1, tags: rest });
      else fake.samples.push({ metric, value, tags: { ...tags } });
    };
  }
}

export { Metric as Counter, Metric as Rate, Metric as Trend };
