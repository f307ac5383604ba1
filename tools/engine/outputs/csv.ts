/** k6's CSV: a header that follows the enabled system tags, one line a sample, the rest of the tags as `k=v&k=v`. */
import { K6_EXIT } from '../../../lib/k6/exit-codes.ts';
import { EngineError } from '../engine-error.ts';
import type { Metadata, Metric, TagSet } from '../metrics/types.ts';
import { fileWriter } from './file-writer.ts';
import { ALL_SYSTEM_TAGS, type Output } from './output.ts';

export type CsvTimeFormat = 'unix' | 'unix_milli' | 'unix_micro' | 'unix_nano' | 'rfc3339' | 'rfc3339_nano';

const TIME_FORMATS: Readonly<Record<CsvTimeFormat, (ms: number) => string>> = {
  unix: (ms) => String(Math.floor(ms / 1000)),
  unix_milli: (ms) => String(Math.floor(ms)),
  unix_micro: (ms) => String(Math.floor(ms * 1000)),
  unix_nano: (ms) => `${Math.floor(ms * 1000)}000`,
  rfc3339: (ms) => rfc3339(ms, 0),
  rfc3339_nano: (ms) => rfc3339(ms, 6),
};

/** @throws EngineError (255, as k6) for an unknown format; case does not matter */
export function csvTimeFormat(text: string | undefined): CsvTimeFormat {
  const format = (text ?? 'unix').toLowerCase();
  if (format in TIME_FORMATS) return format as CsvTimeFormat;
  throw new EngineError(
    `unknown CSV time format "${text}"; use one of ${Object.keys(TIME_FORMATS).join(', ')}`,
    K6_EXIT.generic,
  );
}

export function csvOutput(options: {
  readonly path: string;
  readonly systemTags: readonly string[];
  readonly timeFormat: CsvTimeFormat;
  readonly saveIntervalMs: number;
}): Output {
  const columns = options.systemTags.filter((tag) => tag !== 'vu' && tag !== 'iter').sort();
  const formatTime = TIME_FORMATS[options.timeFormat];
  const file = fileWriter(options.path, 'csv', options.saveIntervalMs);
  const header = ['metric_name', 'timestamp', 'metric_value', ...columns, 'extra_tags', 'metadata'];
  file.write(`${header.join(',')}\n`);
  // All that follows from the tags alone, once per tag set.
  const tails: string[] = [];
  let lastTime = Number.NaN;
  let lastTimeText = '';
  const tailOf = ({ id, tags }: TagSet) => {
    let tail = tails[id];
    if (tail === undefined) {
      const extra = Object.keys(tags)
        .filter((tag) => !ALL_SYSTEM_TAGS.includes(tag))
        .map((tag) => `${tag}=${tags[tag]}`)
        .join('&');
      tail = `${columns.map((tag) => quote(tags[tag] ?? '')).join(',')},${quote(extra)},`;
      tails[id] = tail;
    }
    return tail;
  };
  return {
    sample(metric: Metric, time: number, value: number, tags: TagSet, metadata: Metadata | undefined) {
      if (time !== lastTime) {
        lastTime = time;
        lastTimeText = formatTime(time);
      }
      file.write(`${metric.name},${lastTimeText},${valueText(value)},${tailOf(tags)}${metadataText(metadata)}\n`);
    },
    async close() {
      file.close();
    },
  };
}

/** Six decimals, and the words that Go prints for what has none. */
function valueText(value: number): string {
  if (value === 1) return '1.000000';
  if (value === 0) return '0.000000';
  if (Number.isFinite(value)) return value.toFixed(6);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function metadataText(metadata: Metadata | undefined): string {
  if (metadata === undefined) return '';
  return quote(
    Object.entries(metadata)
      .map(([key, value]) => `${key}=${value}`)
      .join('&'),
  );
}

function quote(text: string): string {
  if (text === '') return '';
  return /[",\r\n]/.test(text) || /^[ \t]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Local time with the zone's offset, `2026-11-29T20:08:09.357726+01:00`, `Z` in UTC. @param digits of the second */
export function rfc3339(ms: number, digits: number): string {
  const date = new Date(ms);
  const offset = -date.getTimezoneOffset();
  const local = new Date(Math.floor(ms) + offset * 60_000).toISOString().slice(0, 19);
  const micros = Math.floor(ms * 1000) - Math.floor(ms / 1000) * 1_000_000;
  const fraction = digits === 0 ? '' : `.${String(micros).padStart(6, '0')}`.replace(/\.?0+$/, '');
  const pad = (n: number) => String(n).padStart(2, '0');
  const size = Math.abs(offset);
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  return `${local}${fraction}${zone}`;
}
