/**
 * Likelihood of item counts when it is not known which item has which rank.
 *
 * With known ranks the log-likelihood is the sum of log Poisson(count; n p_rank). With unknown ranks it is the logarithm of
 * the sum over all ways to match items with ranks (a permanent). Taking the observed order for the true one is biased: the
 * largest of many noisy counts is larger than the count of the largest. Here ranks in bins (sizes w_b) are matched with
 * items in count classes (sizes m_j): the sum over matchings is dominated by the coupling pi with those margins that
 * maximises sum pi log K - sum pi log pi, K_bj = Poisson(c_j; n p_b) (Stirling), found by Sinkhorn's scaling. For sharply
 * separated counts it becomes the known-rank likelihood, for a flat tail the likelihood of the counts' frequencies.
 * Compare: A. Orlitsky et al., "On modeling profiles instead of values" (2004); N. Anari et al., "The Bethe and Sinkhorn
 * permanents" (2021).
 */

import { logGamma } from '../../../lib/model/log-gamma.ts';
import type { CountClasses } from './rank-bins.ts';

export interface MatchingLikelihood {
  /**
   * Log-likelihood, up to a constant of the data, for the mean probability of an item per bin. Catalogues of different sizes
   * can be compared by it: it is that of the counts' frequencies, so that unseen items count once in whatever order.
   */
  of(probabilities: Float64Array): number;
  /**
   * Log-likelihood of the counts' frequencies alone, as if each item had drawn its rank by itself. Coarser in the head, but
   * without iteration and smooth far from the truth: where the search for the maximum begins.
   */
  rough(probabilities: Float64Array): number;
}

/** Enough for a value within a few hundredths near the maximum; the bootstrap repeats whatever is left, so it cancels. */
const MAX_ROUNDS = 80;
/** Over-relaxation: plain scaling needs hundreds of rounds to move items along a chain of neighbouring ranks. */
const RELAXATION = 1.7;

export function matchingLikelihood(sizes: Float64Array, classes: CountClasses): MatchingLikelihood {
  const rows = sizes.length;
  const columns = classes.views.length;
  const kernel = new Float64Array(rows * columns);
  const u = new Float64Array(rows);
  const mean = new Float64Array(rows);
  const logMean = new Float64Array(rows);
  const v = new Float64Array(columns).fill(1);
  const logFactorial = Float64Array.from(classes.views, (c) => logGamma(c + 1));
  const first = new Int32Array(rows);
  const last = new Int32Array(rows);
  const columnSum = new Float64Array(columns);

  /** Fills the kernel; the sum of what was taken out of the columns. */
  function fill(probabilities: Float64Array): number {
    for (let b = 0; b < rows; b++) {
      mean[b] = Math.max(1e-12, classes.total * (probabilities[b] as number));
      logMean[b] = Math.log(mean[b] as number);
    }
    let shift = 0;
    // Per column the largest entry becomes 1; what is taken out comes back in `shift`.
    for (let j = 0; j < columns; j++) {
      const c = classes.views[j] as number;
      let best = Number.NEGATIVE_INFINITY;
      for (let b = 0; b < rows; b++) {
        const log = c * (logMean[b] as number) - (mean[b] as number) - (logFactorial[j] as number);
        kernel[b * columns + j] = log;
        if (log > best) best = log;
      }
      shift += best * (classes.items[j] as number);
      columnSum[j] = best;
    }
    for (let b = 0; b < rows; b++) {
      first[b] = columns;
      last[b] = -1;
      let top = 0;
      let topLog = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < columns; j++) {
        const log = (kernel[b * columns + j] as number) - (columnSum[j] as number);
        if (log > topLog) {
          topLog = log;
          top = j;
        }
        const k = log > -60 ? Math.exp(log) : 0;
        kernel[b * columns + j] = k;
        if (k > 0) {
          if (j < (first[b] as number)) first[b] = j;
          last[b] = j;
        }
      }
      // A bin far from every class still has to be matched.
      if ((last[b] as number) < 0) {
        first[b] = last[b] = top;
        kernel[b * columns + top] = Math.exp(Math.max(-600, topLog));
      }
    }
    return shift;
  }

  // ln w! of each bin by Stirling, what is linear in w cancels against the coupling's: without it each item more would seem to
  // lower the likelihood, because its rank is one of more.
  const orders = sizes.reduce((sum, w) => sum + w * Math.log(w), 0);

  return {
    of(probabilities) {
      const shift = fill(probabilities);
      return shift + orders + scale();
    },
    rough(probabilities) {
      let value = fill(probabilities);
      const total = sizes.reduce((sum, w) => sum + w, 0);
      for (let j = 0; j < columns; j++) {
        let sum = 0;
        for (let b = 0; b < rows; b++) sum += (sizes[b] as number) * (kernel[b * columns + j] as number);
        value += (classes.items[j] as number) * Math.log(Math.max(1e-280, sum / total));
      }
      return value;
    },
  };

  /** Sinkhorn's rounds; the value of the best coupling. */
  function scale(): number {
    v.fill(1);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const relaxation = round < 8 ? 1 : RELAXATION;
      columnSum.fill(0);
      for (let b = 0; b < rows; b++) {
        const at = b * columns;
        const to = last[b] as number;
        let sum = 0;
        for (let j = first[b] as number; j <= to; j++) sum += (kernel[at + j] as number) * (v[j] as number);
        const plain = (sizes[b] as number) / Math.max(sum, 1e-280);
        const factor = relaxation === 1 ? plain : plain * (plain / (u[b] as number)) ** (relaxation - 1);
        u[b] = factor;
        for (let j = first[b] as number; j <= to; j++) {
          columnSum[j] = (columnSum[j] as number) + factor * (kernel[at + j] as number);
        }
      }
      let error = 0;
      for (let j = 0; j < columns; j++) {
        const want = (classes.items[j] as number) / Math.max(columnSum[j] as number, 1e-280);
        error += Math.abs((classes.items[j] as number) - (columnSum[j] as number) * (v[j] as number));
        v[j] = relaxation === 1 ? want : want * (want / (v[j] as number)) ** (relaxation - 1);
      }
      if (error < 0.03) break;
    }
    // One plain half-round makes the column sums right, on which the closing formula rests.
    columnSum.fill(0);
    for (let b = 0; b < rows; b++) {
      for (let j = first[b] as number; j <= (last[b] as number); j++) {
        columnSum[j] = (columnSum[j] as number) + (u[b] as number) * (kernel[b * columns + j] as number);
      }
    }
    for (let j = 0; j < columns; j++) v[j] = (classes.items[j] as number) / Math.max(columnSum[j] as number, 1e-280);
    let value = 0;
    for (let b = 0; b < rows; b++) value -= (sizes[b] as number) * Math.log(Math.max(u[b] as number, 1e-280));
    for (let j = 0; j < columns; j++)
      value -= (classes.items[j] as number) * Math.log(Math.max(v[j] as number, 1e-280));
    return value;
  }
}
