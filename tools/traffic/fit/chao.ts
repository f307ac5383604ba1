/** How many items exist at least, from how many were seen once and twice: no law of popularity is assumed. */

/**
 * Chao1 in its bias-corrected form, S + F1 (F1 - 1) / (2 (F2 + 1)): the items seen plus a lower bound of the unseen, reached
 * when the rarely seen items are equally popular. A. Chao, "Nonparametric estimation of the number of classes in a
 * population", Scand. J. Statist. 11 (1984) 265-270; bias-corrected form: A. Chao, "Species estimation and applications" (2005).
 * @param counts views per item, zeros are passed over
 * @returns items, a whole number not below the items seen
 */
export function chao1(counts: ArrayLike<number>): number {
  let seen = 0;
  let once = 0;
  let twice = 0;
  for (let i = 0; i < counts.length; i++) {
    const c = counts[i] as number;
    if (c > 0) seen++;
    if (c === 1) once++;
    if (c === 2) twice++;
  }
  return seen + Math.round((once * (once - 1)) / (2 * (twice + 1)));
}
