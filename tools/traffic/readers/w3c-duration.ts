/**
 * The unit of W3C's `time-taken`. The standard, WebLogic and CloudFront mean seconds, IIS and ASP.NET Core milliseconds; ASP.NET
 * Core's have a fraction of up to four places, so that a fraction does not tell which it is.
 */
import { integer } from './bytes.ts';
import { durationText } from './duration-text.ts';
import { latin1, MILLISECONDS, type RawRecord, type ReaderOptions, UNIT } from './raw-record.ts';

/** Columns of ASP.NET Core's W3CLogger, besides request headers `cs(...)`, of which others may be added. */
const W3C_LOGGER = new Set(
  'date time c-ip cs-username s-computername s-ip s-port cs-method cs-uri-stem cs-uri-query sc-status time-taken cs-version cs-host'.split(
    ' ',
  ),
);
/** Columns that only IIS has. */
const IIS = ['sc-win32-status', 'sc-substatus', 's-sitename'];
/** Ticks of 100 ns in ms. */
const W3C_LOGGER_PLACES = 4;

export interface TimeTaken {
  /** Takes a line of the header, its name in lower case. */
  directive(name: string, value: string): void;
  /** Sets the record's duration to the value in [from, to). */
  set(buf: Uint8Array, from: number, to: number, out: RawRecord): void;
}

export function timeTaken(options: ReaderOptions): TimeTaken {
  const given = options.durationUnit === undefined ? undefined : MILLISECONDS[options.durationUnit];
  let columns: readonly string[] = [];
  let software = '';
  let remarked: number | undefined;
  let started = false;
  let fourPlaces = false;
  let known = given;

  /** Milliseconds per unit as the header tells it; `undefined` when it does not. */
  function fromHeader(): number | undefined {
    if (given !== undefined) return given;
    if (columns.includes('x-edge-location') || /weblogic/i.test(software)) return 1000;
    if (/microsoft|\biis\b/i.test(software) || IIS.some((name) => columns.includes(name))) return 1;
    if (remarked !== undefined) return remarked;
    return mayBeW3cLogger() && (started || fourPlaces) ? 1 : undefined;
  }

  function mayBeW3cLogger(): boolean {
    if (software !== '' || columns.length === 0) return false;
    return columns.every((name) => W3C_LOGGER.has(name) || name.startsWith('cs('));
  }

  return {
    directive(name, value) {
      if (name === 'fields')
        columns = value
          .toLowerCase()
          .split(/[\s,]+/)
          .filter(Boolean);
      else if (name === 'software') software = value;
      else if (name === 'start-date') started = true;
      else if (name === 'remark') remarked = unitIn(value) ?? remarked;
      else return;
      known = fromHeader();
    },
    set(buf, from, to, out) {
      const whole = integer(buf, from, to);
      if (whole >= 0) {
        out.duration = whole * (known ?? 1);
        return;
      }
      const text = durationText(latin1(buf, from, to), false);
      if (text.unread) out.unit = UNIT.unread;
      if (Number.isNaN(text.number)) return;
      // W3CLogger leaves out zeros at the end: one value of four places tells it for the rest.
      if (!fourPlaces && text.places === W3C_LOGGER_PLACES) {
        fourPlaces = true;
        known = fromHeader();
      }
      const scale = text.scale ?? known;
      out.duration = text.number * (scale ?? 1000);
      if (scale === undefined) out.unit = UNIT.guessed;
    },
  };
}

const SECONDS: Readonly<Record<string, number>> = { '': 1000, milli: 1, micro: 1e-3, nano: 1e-6 };

/** The unit that a remark names for `time-taken`, as the bookstore's own log does: ms per unit. */
function unitIn(remark: string): number | undefined {
  const found = /time-taken\b[^;,.]*?\b(milli|micro|nano|)seconds\b/i.exec(remark);
  return found === null ? undefined : SECONDS[(found[1] as string).toLowerCase()];
}
