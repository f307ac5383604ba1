/**
 * Think-time laws, all in seconds; u, v are uniform in [0, 1), Phi is the standard normal distribution function.
 *
 * | law         | draw                                          | mean                         | P(X <= x)          |
 * |-------------|-----------------------------------------------|------------------------------|--------------------|
 * | fixed       | value                                         | value                        | step at value      |
 * | uniform     | min + (max - min) u                           | (min + max) / 2              | (x - min)/(max - min) |
 * | lognormal   | exp(mu + sigma sqrt(-2 ln(1-u)) cos(2 pi v))  | exp(mu + sigma^2/2)          | Phi((ln x - mu)/sigma) |
 * | exponential | -mean ln(1-u): P(X > x) = exp(-x/mean)        | mean                         | 1 - exp(-x/mean)   |
 * | empirical   | linear between the quantiles, at u            | mean of the pieces' middles, by their probability | inverse of the draw |
 *
 * The normal number is Box and Muller's (1958). A cap c turns X into min(X, c): the probability above c gathers at c, so that
 * means stay closed forms. E min(X, c) is the integral of P(X > x) from 0 to c:
 * exponential mean (1 - exp(-c/mean)); lognormal exp(mu + sigma^2/2) Phi(z - sigma) + c (1 - Phi(z)), z = (ln c - mu)/sigma.
 */
import type { Random } from './random.ts';
import type { ThinkTimeLaw } from './workload.ts';

/** One function per law; a law without its entry does not compile. */
type PerLaw<Result> = { readonly [L in ThinkTimeLaw['law']]: (law: Extract<ThinkTimeLaw, { law: L }>) => Result };

/** Looks a law up in a table; the cast is sound because table and law are keyed by the same name. */
function of<Result>(table: PerLaw<Result>, law: ThinkTimeLaw): Result {
  return (table[law.law] as (law: ThinkTimeLaw) => Result)(law);
}

const MEANS: PerLaw<number> = {
  fixed: ({ value }) => value,
  uniform: ({ min, max }) => (min + max) / 2,
  lognormal: ({ mu, sigma, cap }) => {
    const mean = Math.exp(mu + (sigma * sigma) / 2);
    if (cap === undefined) return mean;
    const z = standardised(cap, mu, sigma);
    return mean * normalCdf(z - sigma) + cap * normalCdf(-z);
  },
  exponential: ({ mean, cap }) => -mean * Math.expm1(-cap / mean),
  empirical: (law) => {
    const { quantiles } = law;
    const at = placesOf(law);
    let sum = 0;
    for (let i = 1; i < quantiles.length; i++) {
      sum += (((quantiles[i - 1] as number) + (quantiles[i] as number)) / 2) * (at(i) - at(i - 1));
    }
    return sum;
  },
};

const CDFS: PerLaw<(x: number) => number> = {
  fixed: ({ value }) => {
    return (x) => (x >= value ? 1 : 0);
  },
  uniform: ({ min, max }) => {
    return (x) => (x >= max ? 1 : x <= min ? 0 : (x - min) / (max - min));
  },
  lognormal: ({ mu, sigma, cap = Infinity }) => {
    return (x) => (x >= cap ? 1 : x <= 0 ? 0 : normalCdf(standardised(x, mu, sigma)));
  },
  exponential: ({ mean, cap }) => {
    return (x) => (x >= cap ? 1 : x <= 0 ? 0 : -Math.expm1(-x / mean));
  },
  empirical: (law) => {
    const { quantiles } = law;
    const pieces = quantiles.length - 1;
    const at = placesOf(law);
    return (x) => {
      // The last quantile at or below x, so that equal neighbours count as the jump that they are.
      let i = pieces;
      while (i >= 0 && (quantiles[i] as number) > x) i--;
      if (i < 0) return 0;
      if (i === pieces) return 1;
      const from = quantiles[i] as number;
      return at(i) + ((x - from) / ((quantiles[i + 1] as number) - from)) * (at(i + 1) - at(i));
    };
  },
};

/**
 * Draws a think time, in seconds, free of allocation. The law is taken as checked. A switch and neither a table nor a function
 * made per law, because every VU would hold their functions.
 */
export const drawThinkTime = (law: ThinkTimeLaw, random: Random): number => {
  switch (law.law) {
    case 'fixed':
      return law.value;
    case 'uniform':
      return law.min + (law.max - law.min) * random();
    case 'lognormal': {
      const radius = Math.sqrt(-2 * Math.log(1 - random()));
      const time = Math.exp(law.mu + law.sigma * radius * Math.cos(2 * Math.PI * random()));
      return Math.min(law.cap ?? Infinity, time);
    }
    case 'exponential':
      return Math.min(law.cap, -law.mean * Math.log(1 - random()));
    case 'empirical': {
      const { quantiles, probabilities } = law;
      const u = random();
      let position = u * (quantiles.length - 1);
      if (probabilities !== undefined) {
        // The last point at or below u; few enough to be gone through.
        let k = 0;
        while ((probabilities[k + 1] as number) <= u) k++;
        const below = probabilities[k] as number;
        position = k + (u - below) / ((probabilities[k + 1] as number) - below);
      }
      const i = Math.floor(position);
      const from = quantiles[i] as number;
      return from + ((quantiles[i + 1] as number) - from) * (position - i);
    }
  }
};

/** The same for one law. */
export const thinkTimeSampler =
  (law: ThinkTimeLaw): ((random: Random) => number) =>
  (random) =>
    drawThinkTime(law, random);

/** Mean think time in seconds, caps included. */
export function thinkTimeMean(law: ThinkTimeLaw): number {
  return of(MEANS, law);
}

/** P(think time <= x) for x in seconds, caps included. */
export function thinkTimeCdf(law: ThinkTimeLaw): (x: number) => number {
  return of(CDFS, law);
}

/** Probability of a quantile, by its place. */
function placesOf({ quantiles, probabilities }: Extract<ThinkTimeLaw, { law: 'empirical' }>): (i: number) => number {
  return (i) => (probabilities === undefined ? i / (quantiles.length - 1) : (probabilities[i] as number));
}

/** (ln x - mu) / sigma, also for sigma 0, where all mass lies at exp(mu). */
function standardised(x: number, mu: number, sigma: number): number {
  const distance = Math.log(x) - mu;
  return sigma > 0 ? distance / sigma : distance < 0 ? -Infinity : Infinity;
}

/**
 * Standard normal distribution function, absolute error below 1e-15: the series x + x^3/3 + x^5/(3*5) + ... times the
 * density (G. Marsaglia, "Evaluating the normal distribution", J. Stat. Software 11(4), 2004).
 */
export function normalCdf(x: number): number {
  if (Math.abs(x) > 8.5) return x > 0 ? 1 : 0;
  let sum = x;
  let before = 0;
  let term = x;
  for (let i = 3; sum !== before; i += 2) {
    before = sum;
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-0.5 * x * x - 0.9189385332046727);
}
