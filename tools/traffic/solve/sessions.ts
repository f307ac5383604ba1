/** Session shares as they are written. */
import { UserError } from '../../base/user-error.ts';

export interface SessionShares {
  /** Per flow, in the unit they were written in. */
  readonly shares: Readonly<Record<string, number>>;
  /** Their sum, where it is neither 100 nor 1. */
  readonly normalisedFrom?: number;
}

/** Counts of sessions are taken for shares too; nobody has more than this. */
const MOST = 1e12;

/** Digits with a decimal point, 0 to MOST; no hexadecimal, exponent, sign or decimal comma. */
export function plainNumber(text: string): number | undefined {
  const value = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return value <= MOST ? value : undefined;
}

/** `70,20,10` in the flows' order or `browse=70,search=20,checkout=10`, every flow once. @throws UserError */
export function parseSessions(text: string, names: readonly string[]): SessionShares {
  const example = names.map((_, k) => [70, 20, 10][k] ?? 0);
  const remedy = `write ${example.join(',')} in the order ${names.join(', ')}, or ${names.map((name, k) => `${name}=${example[k]}`).join(',')}; decimals take a point`;
  const refuse = (why: string): UserError => new UserError(`--sessions "${text}": ${why}; ${remedy}`);
  const parts = text.split(',').map((part) => part.trim());
  const named = parts.filter((part) => part.includes('=')).length;
  const shares: Record<string, number> = {};
  for (const [i, part] of parts.entries()) {
    const at = part.indexOf('=');
    const name = at < 0 ? names[i] : part.slice(0, at).trim();
    const value = plainNumber(
      part
        .slice(at + 1)
        .replace(/\s*%$/, '')
        .trim(),
    );
    if (value === undefined) throw refuse(`"${part}" is no share of a flow`);
    if (name === undefined || !names.includes(name)) {
      throw refuse(
        name === undefined
          ? `${parts.length} shares are too many for ${names.length} flows`
          : `"${part}" is no share of a flow`,
      );
    }
    if (named > 0 && named < parts.length) throw refuse('shares with and without names are mixed');
    if (shares[name] !== undefined) throw refuse(`${name} has two shares`);
    shares[name] = value;
  }
  const missing = names.filter((name) => shares[name] === undefined);
  if (missing.length > 0) throw refuse(`no share for ${missing.join(', ')} (0 is one)`);
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  if (!(sum > 0)) throw refuse('at least one share must be above 0');
  const whole = [1, 100].some((unit) => Math.abs(sum / unit - 1) < 1e-9);
  return { shares, ...(whole ? {} : { normalisedFrom: Number(sum.toPrecision(12)) }) };
}
