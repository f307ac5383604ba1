/** The duration among named fields: which field holds it, and in which unit. */
import { smallest } from '../../../lib/model/extremes.ts';
import { durationText, UNIT_WORDS } from './duration-text.ts';
import { durationScale } from './duration-unit.ts';
import type { Fields } from './field-names.ts';
import { MILLISECONDS, type RawRecord, type ReaderOptions, UNIT } from './raw-record.ts';

/** What one field gives: milliseconds and how their unit is known. */
interface Found {
  readonly ms: number;
  readonly unit: number;
}

/** Units from the surest to none. */
const SUREST: readonly number[] = [UNIT.known, UNIT.guessed, UNIT.guessedMs, UNIT.leftOut, UNIT.unread];

/** The unit at the end of a plain key: `latencyms`, `latency(ms)`, `latency [ms]`, `latencyinmillis`. */
const UNIT_END = /^\s*(?:in\s*)?[([]?([a-zµμ]+)[)\]]?$/;

/** Keys that have been met, so that each is taken apart once. */
const MOST_KEYS = 10_000;

/**
 * @param names plain keys of durations, the preferred one first
 * @param decimalComma whether a comma in a number is known to be its decimal mark
 * @returns a function that sets the record's duration and how its unit is known
 */
export function durationReader(
  names: readonly string[],
  options: ReaderOptions,
  decimalComma: boolean,
): (fields: Fields, out: RawRecord) => void {
  const given = options.durationUnit === undefined ? undefined : MILLISECONDS[options.durationUnit];
  const keys = new Map<string, number>();

  /** Milliseconds per unit of a key that is a duration's name and a unit; infinite for every other key. */
  function scaleOfKey(key: string): number {
    const known = keys.get(key);
    if (known !== undefined) return known;
    const scale = smallest(names.map((name) => unitAfter(key, name)).filter((found) => !Number.isNaN(found)));
    if (keys.size < MOST_KEYS) keys.set(key, scale);
    return scale;
  }

  /** The finest of those whose key names a unit. */
  function withUnit(fields: Fields): Found | undefined {
    let best: Found | undefined;
    let finest = Number.POSITIVE_INFINITY;
    for (const [key, value] of fields) {
      const scale = scaleOfKey(key);
      if (scale >= finest) continue;
      const text = durationText(value, decimalComma);
      if (!Number.isNaN(text.number)) {
        best = { ms: text.number * (text.scale ?? scale), unit: UNIT.known };
        finest = scale;
      } else if (text.unread) best ??= { ms: Number.NaN, unit: UNIT.unread };
    }
    return best;
  }

  function ofName(name: string, fields: Fields): Found | undefined {
    const value = fields.get(name);
    const text = durationText(value, decimalComma);
    if (Number.isNaN(text.number)) return text.unread ? { ms: Number.NaN, unit: UNIT.unread } : undefined;
    const own = text.scale ?? given;
    if (own !== undefined) return { ms: text.number * own, unit: UNIT.known };
    const found = durationScale(name, text, typeof value === 'number', (key) => fields.has(key));
    return found === undefined
      ? { ms: Number.NaN, unit: UNIT.leftOut }
      : { ms: text.number * found.scale, unit: found.unit };
  }

  return (fields, out) => {
    let best = withUnit(fields);
    // One server's duration is another's time stamp (`requestTime`): what is surest counts.
    for (const name of names) {
      if (best !== undefined && best.unit === UNIT.known) break;
      const found = ofName(name, fields);
      if (found !== undefined && (best === undefined || rank(found) < rank(best))) best = found;
    }
    if (best === undefined) return;
    out.duration = best.ms;
    out.unit = best.unit;
  };
}

const rank = ({ unit }: Found): number => SUREST.indexOf(unit);

function unitAfter(key: string, name: string): number {
  if (!key.startsWith(name) || key === name) return Number.NaN;
  const word = UNIT_END.exec(key.slice(name.length))?.[1] ?? '';
  const scale = UNIT_WORDS.get(word) ?? Number.NaN;
  // `services` is a plural, and `latency_min` a minimum.
  return scale > LONGEST_UNIT || (name === 'service' && word === 's') ? Number.NaN : scale;
}

/** ms */
const LONGEST_UNIT = 1000;
