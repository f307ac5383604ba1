/** One cookie's value out of a logged Cookie header (`a=1; b=2`; IIS and CloudFront write the blank as `+` or `%20`). */
import { hasText, setSpan } from './bytes.ts';
import type { Span } from './raw-record.ts';

/** Sets `span` to the value of cookie `name`; leaves it alone when there is no such cookie. */
export function cookieInto(buf: Uint8Array, start: number, end: number, name: string, span: Span): void {
  let at = start;
  while (at < end) {
    let stop = at;
    while (stop < end && buf[stop] !== 59) stop++;
    while (at < stop && (buf[at] === 32 || buf[at] === 43)) at++;
    while (hasText(buf, at, stop, '%20')) at += 3;
    if (hasText(buf, at, stop, name) && buf[at + name.length] === 61) {
      setSpan(span, at + name.length + 1, stop);
      return;
    }
    at = stop + 1;
  }
}
