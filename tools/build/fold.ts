/**
 * Writes a function that is used in one place at that place. k6's engine makes every function that stands at the top once a
 * VU and holds it (about 0.7 kB live); one that stands inside another exists only while that one runs.
 */
import { type MinifyOptions, minify } from 'terser';

const OPTIONS: MinifyOptions = {
  module: true,
  compress: { ecma: 2020, passes: 3, inline: 3, pure_getters: true },
  format: { ecma: 2020 },
};

/** What the latest texts became: a build that watches folds only what has changed. */
const done = new Map<string, string>();
const MOST_KEPT = 64;

/**
 * @param code ES module that reads no property with a side effect
 * @throws Error when the code cannot be parsed
 */
export async function fold(code: string): Promise<string> {
  const known = done.get(code);
  if (known !== undefined) return known;
  const { code: text } = await minify(code, OPTIONS);
  if (!text) throw new Error('nothing is left of the bundle');
  const folded = `${text}\n`;
  const [oldest] = done.keys();
  if (done.size === MOST_KEPT && oldest !== undefined) done.delete(oldest);
  done.set(code, folded);
  return folded;
}
