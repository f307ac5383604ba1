/** The exponent's 95 % interval: the bootstrap's spread for a known catalogue, widened by what an estimated one leaves open. */
import { type CatalogueEstimate, LOSS_95, type ProfilePoint } from './catalogue-estimate.ts';
import { type Bootstrap, type FamilyPoint, RULES } from './popularity-family.ts';

/** Parts into which the profile between two of its points is divided. */
const PARTS = 8;

export interface CorrectedExponent {
  /** Free number without the bias that the bootstrap shows. */
  readonly free: number;
  readonly interval: readonly [number, number];
}

/**
 * The bootstrap's mean tells the bias, its spread the interval. With an estimated catalogue the interval is that of the profile
 * likelihood: all exponents that lose at most LOSS_95 at some size, where a size that has lost part of that itself leaves less
 * to the exponent, and the most likely exponent moves with the size.
 * @param uniformLoss log-likelihood that equal popularity loses to the fit
 */
export function exponentInterval(
  point: FamilyPoint,
  bootstrap: Bootstrap,
  items: number,
  uniformLoss: number,
  estimate?: CatalogueEstimate,
): CorrectedExponent {
  const n = bootstrap.free.length;
  const mean = bootstrap.free.reduce((sum, x) => sum + x, 0) / n;
  const sd = Math.sqrt(bootstrap.free.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1));
  const free = 2 * point.free - mean;
  const { exponent, uniform } = RULES[point.family];
  let ends = [free - 1.96 * sd, free + 1.96 * sd] as const;
  if (estimate !== undefined) {
    // Both ends are looked up first, so that the profile's points reach as far as the interval.
    estimate.interval(LOSS_95);
    ends = alongProfile(estimate.points(), free - estimate.at(items).free, sd);
  }
  const [low, high] = [exponent(ends[0]), exponent(ends[1])];
  // Exponents that mean "all alike" lie at the end of what is possible, where the bootstrap's spread says little: the
  // likelihood itself decides whether they belong to the interval.
  if (uniformLoss >= LOSS_95) return { free, interval: [low, high] };
  return { free, interval: [Math.min(low, exponent(uniform)), Math.max(high, exponent(uniform))] };
}

/** @param shift what the full likelihood and the correction of its bias add to the profile's free numbers */
function alongProfile(points: readonly ProfilePoint[], shift: number, sd: number): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const take = (free: number, root: number): void => {
    const left = LOSS_95 - root * root;
    if (left < -1e-9) return;
    const reach = sd * Math.sqrt(2 * Math.max(0, left));
    low = Math.min(low, free + shift - reach);
    high = Math.max(high, free + shift + reach);
  };
  const best = points.reduce((at, point, i) => (point.loss < (points[at]?.loss ?? 0) ? i : at), 0);
  // The root of the loss, with a sign that tells the side, is nearly a line between neighbours.
  const roots = points.map((point, i) => Math.sqrt(point.loss) * (i < best ? -1 : 1));
  points.forEach((point, i) => {
    take(point.free, roots[i] as number);
    const next = points[i + 1];
    if (next === undefined) return;
    for (let part = 1; part < PARTS; part++) {
      const t = part / PARTS;
      take(
        point.free + t * (next.free - point.free),
        (roots[i] as number) + t * ((roots[i + 1] as number) - (roots[i] as number)),
      );
    }
  });
  return [low, high];
}
