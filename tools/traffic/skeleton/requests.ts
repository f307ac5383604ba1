/** The requests of a workload as entries of a suite's endpoint table, each with the name that its answers are logged under. */
import { METHODS, readEndpoint } from '../../../lib/model/endpoints.ts';
import { isPlaceholder } from '../templates/segments.ts';

export interface SuiteRequest {
  /** Step of the workload and key of the table. */
  readonly key: string;
  /** `GET /search?q={q}`. */
  readonly request: string;
  /** `GET /search?q=`. */
  readonly name: string;
  /** Names of the values that a call takes. */
  readonly placeholders: readonly string[];
}

export interface SuiteRequests {
  readonly requests: readonly SuiteRequest[];
  /** Sentences about what is sent in another form than it was logged, or not at all. */
  readonly remarks: readonly string[];
}

/** @param endpoints of a workload, `METHOD /path/{x}?key=` by step */
export function suiteRequests(endpoints: Readonly<Record<string, string>>): SuiteRequests {
  const requests: SuiteRequest[] = [];
  const remarks: string[] = [];
  for (const [key, logged] of Object.entries(endpoints)) {
    const request = requestOf(logged);
    if (request === undefined) {
      remarks.push(`${logged} cannot be sent: its step takes its think time and sends nothing`);
      continue;
    }
    const { name, path } = readEndpoint(key, request);
    const same = requests.find((one) => one.name === name);
    if (same !== undefined) {
      remarks.push(`${logged} is sent as ${name}, like ${same.key}: its step takes its think time and sends nothing`);
      continue;
    }
    if (name !== logged) remarks.push(`${logged} is sent as ${name}`);
    requests.push({ key, request, name, placeholders: [...new Set(path.filter((_, i) => i % 2 === 1))] });
  }
  return { requests, remarks };
}

/** The entry of an endpoint; undefined for what is no request of a path. */
function requestOf(logged: string): string | undefined {
  const space = logged.indexOf(' ');
  const method = logged.slice(0, space);
  const target = logged.slice(space + 1);
  if (!(METHODS as readonly string[]).includes(method) || !target.startsWith('/')) return undefined;
  const mark = target.indexOf('?');
  const path = (mark < 0 ? target : target.slice(0, mark))
    .split('/')
    .map((segment) => (isPlaceholder(segment) ? `{${placeholderName(segment.slice(1, -1))}}` : escaped(segment)))
    .join('/');
  if (mark < 0) return `${method} ${path}`;
  const [key = ''] = target.slice(mark + 1).split('=');
  return `${method} ${path}?${escaped(key)}={${placeholderName(key)}}`;
}

const placeholderName = (text: string): string => text.replace(/[^\w-]+/g, '_') || 'value';

/**
 * Percent-encodes what may not stand in a request line or in a tag of k6 (blanks, quotes, commas, letters beyond ASCII, a % that
 * begins no escape); the rest stays as it was logged.
 */
function escaped(text: string): string {
  return text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25').replace(/[^\x21-\x7e]+|["#,<>?\\^`{|}]/g, encodeURIComponent);
}
