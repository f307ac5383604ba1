/**
 * Requests that are told in two lines with one id: Fastify's own log names method, path and client when a request comes in, and
 * status and duration when it is done. The first is kept until the second comes.
 */

import type { Fields } from './field-names.ts';
import { plainKey } from './field-names.ts';
import { fieldNames } from './fields-record.ts';
import type { ReaderOptions, StandardField } from './raw-record.ts';

export interface RequestPairs {
  /**
   * @returns what is to be read as this line's record: its own fields, or those of both lines together; `undefined` when another
   *   line brings the record
   */
  read(fields: Fields): Fields | undefined;
  /** Whether the latest fields were those of two lines. */
  readonly joined: boolean;
}

/** Requests that may be under way; the oldest is given up then, as one whose end is in no log. */
const MOST_OPEN = 50_000;
const IDS = ['reqId', 'requestId', 'traceId'].map(plainKey);

export function requestPairs(options: ReaderOptions): RequestPairs {
  const names = fieldNames(options);
  const hasAny = (fields: Fields, field: StandardField): boolean => names[field].some((name) => fields.has(name));
  const open = new Map<string, Fields>();
  let joined = false;
  return {
    get joined() {
      return joined;
    },
    read(fields) {
      joined = false;
      const id = idOf(fields);
      if (id === undefined) return fields;
      const answered = hasAny(fields, 'status');
      if (fields.get('msg') === 'incoming request' && !answered) {
        const [oldest] = open.keys();
        if (open.size >= MOST_OPEN && oldest !== undefined) open.delete(oldest);
        open.set(id, fields);
        return undefined;
      }
      const begun = answered ? open.get(id) : undefined;
      if (begun === undefined) return fields;
      // An error is told with request and status of its own before the request is done.
      if (hasAny(fields, 'method') && !hasAny(fields, 'duration')) return undefined;
      open.delete(id);
      joined = true;
      return new Map([...begun, ...fields]);
    },
  };
}

/** Ids begin anew in each process. */
function idOf(fields: Fields): string | undefined {
  const id = IDS.map((name) => fields.get(name)).find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return id === undefined ? undefined : `${String(fields.get('hostname'))} ${String(fields.get('pid'))} ${String(id)}`;
}
