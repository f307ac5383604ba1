/**
 * AWS Application Load Balancer access logs. Columns are counted from the left and more may follow on the right: the format
 * has grown several times, and each time readers that wanted the whole line failed.
 */
import { decimal, dropDash, hasText, QUOTE, SPACE, setClient, setSpan, statusOf } from '../bytes.ts';
import type { LogFormat } from '../log-format.ts';
import { type LineKind, type LineReader, malformed, resetRecord } from '../raw-record.ts';
import { setRequest } from '../request-line.ts';
import { isoTime } from '../time.ts';

const TYPES = ['http ', 'https ', 'h2 ', 'ws ', 'wss ', 'grpcs '];
/** The first columns, the last of which may be missing: type time elb client target request-time target-time response-time elb-status ... "request" "agent". */
const FIRST_COLUMNS = 14;
/** When the request came in; logged since 2018. */
const CREATED = 21;
const COLUMNS = CREATED + 1;

export const ALB: LogFormat = {
  name: 'alb',
  lines: 'AWS load balancers',
  writers: 'AWS Application Load Balancer',
  reader: albReader,
};

function albReader(): LineReader {
  const starts = new Int32Array(COLUMNS);
  const ends = new Int32Array(COLUMNS);
  return {
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      if (!TYPES.some((type) => hasText(buf, start, end, type))) return malformed(out, 'no load balancer type first');
      let n = 0;
      let i = start;
      while (i < end && n < COLUMNS) {
        if (buf[i] === QUOTE) {
          let close = i + 1;
          while (close < end && !(buf[close] === QUOTE && (close + 1 >= end || buf[close + 1] === SPACE))) {
            close += buf[close] === 92 ? 2 : 1;
          }
          starts[n] = i + 1;
          ends[n++] = Math.min(close, end);
          i = close + 2;
        } else {
          const from = i;
          while (i < end && buf[i] !== SPACE) i++;
          starts[n] = from;
          ends[n++] = i++;
        }
      }
      if (n < FIRST_COLUMNS - 1) return malformed(out, 'fewer than 13 load balancer columns');
      const at = (column: number): number => starts[column] as number;
      const to = (column: number): number => ends[column] as number;
      out.time = isoTime(buf, at(1), to(1));
      if (Number.isNaN(out.time)) return malformed(out, 'the time cannot be read');
      setClient(buf, at(3), to(3), out);
      const parts = [5, 6, 7].map((column) => decimal(buf, at(column), to(column)));
      // -1 stands for a part that did not come to its end: what was waited for until then is in no part.
      if (parts.every((seconds) => seconds >= 0))
        out.duration = 1000 * parts.reduce((sum, seconds) => sum + seconds, 0);
      else if (n > CREATED) out.duration = out.time - isoTime(buf, at(CREATED), to(CREATED));
      if (out.duration < 0) out.duration = Number.NaN;
      const absent = to(8) - at(8) === 1 && buf[at(8)] === 45;
      const status = absent ? 0 : statusOf(buf, at(8), to(8));
      if (status < 0) return malformed(out, 'the status is no three-digit number');
      out.status = status;
      if (n > 13) setSpan(out.agent, at(13), to(13));
      dropDash(buf, out.agent);
      return setRequest(out, at(12), to(12));
    },
  };
}
