/**
 * The everyday shape of a common or combined line, read in one pass over the bytes with the hashes computed on the way.
 * Anything unusual (escapes, extra fields, a vhost prefix, blanks in the user name, an odd request) is left to the general
 * reader of ncsa.ts; both give the same record, which a test checks.
 */

import { HASH_SEED_1, HASH_SEED_2 } from './hashes.ts';
import { type RawRecord, resetRecord } from './raw-record.ts';
import { clfTime } from './time.ts';

const SPACE = 32;
const QUOTE = 34;
const DASH = 45;
const NEWLINE = 10;
const RETURN = 13;

/** 1 for the bytes at which a quoted field ends or stops being simple. */
const ENDS = new Uint8Array(256);
for (const byte of [QUOTE, 92, NEWLINE]) ENDS[byte] = 1;

export interface NcsaFast {
  /**
   * Reads the line at `pos`; the buffer must hold a newline at or after it.
   * @returns place after the line's newline, or -1 when the line is not of the everyday shape
   */
  read(b: Uint8Array, pos: number, out: RawRecord): number;
}

export function ncsaFast(): NcsaFast {
  // The day, hour and minute of the line before, as bytes, and their time; most lines share them.
  const known = new Uint8Array(26);
  let minute = Number.NaN;

  function timeAt(b: Uint8Array, at: number): number {
    let same = true;
    for (let i = 0; i < 18; i++) {
      if (b[at + i] !== known[i]) {
        same = false;
        break;
      }
    }
    for (let i = 20; same && i < 26; i++) if (b[at + i] !== known[i]) same = false;
    if (!same) {
      const time = clfTime(b, at, at + 26);
      if (Number.isNaN(time)) return Number.NaN;
      for (let i = 0; i < 26; i++) known[i] = b[at + i] as number;
      minute = time - (time % 60_000);
      if (time < 0) return time;
    }
    const second = ((b[at + 18] as number) - 48) * 10 + ((b[at + 19] as number) - 48);
    return second >= 0 && second < 60 ? minute + second * 1000 : Number.NaN;
  }

  return {
    read(b, pos, out) {
      let i = pos;
      let c = b[i] as number;
      // Address: no blank, comma or bracket.
      while (c > SPACE && c !== 44 && c !== 91 && c !== QUOTE) c = b[++i] as number;
      if (c !== SPACE || i === pos || b[i + 1] !== DASH || b[i + 2] !== SPACE) return -1;
      const clientEnd = i;
      if (b[pos] === DASH) return -1;
      i += 3;
      const userStart = i;
      c = b[i] as number;
      while (c > SPACE) c = b[++i] as number;
      if (c !== SPACE || b[i + 1] !== 91) return -1;
      const userEnd = i;
      i += 2;
      const time = timeAt(b, i);
      if (Number.isNaN(time) || b[i + 20] !== SPACE || b[i + 26] !== 93 || b[i + 27] !== SPACE || b[i + 28] !== QUOTE)
        return -1;
      i += 29;
      const methodStart = i;
      c = b[i] as number;
      while (c >= 65 && c <= 90) c = b[++i] as number;
      if (c !== SPACE || i === methodStart || i - methodStart > 20 || b[i + 1] !== 47) return -1;
      const methodEnd = i;
      i++;
      const pathStart = i;
      let h1 = HASH_SEED_1;
      let h2 = HASH_SEED_2;
      c = b[i] as number;
      while (c > SPACE && c !== 63 && c !== QUOTE && c !== 92 && c !== 35) {
        h1 = Math.imul(h1 ^ c, 0x01000193);
        h2 = Math.imul(h2 ^ c, 0x5bd1e995);
        h2 ^= h2 >>> 13;
        c = b[++i] as number;
      }
      const pathEnd = i;
      let queryStart = i;
      if (c === 63) {
        c = b[++i] as number;
        queryStart = i;
        while (c > SPACE && c !== QUOTE && c !== 92 && c !== 35) c = b[++i] as number;
      }
      if (c !== SPACE) return -1;
      const queryEnd = i;
      if (b[i + 1] !== 72 || b[i + 2] !== 84 || b[i + 3] !== 84 || b[i + 4] !== 80 || b[i + 5] !== 47) return -1;
      i += 6;
      c = b[i] as number;
      while (c > SPACE && c !== QUOTE && c !== 92) c = b[++i] as number;
      if (c !== QUOTE || b[i + 1] !== SPACE) return -1;
      i += 2;
      const s1 = (b[i] as number) - 48;
      const s2 = (b[i + 1] as number) - 48;
      const s3 = (b[i + 2] as number) - 48;
      if (!(s1 >= 1 && s1 <= 9 && s2 >= 0 && s2 <= 9 && s3 >= 0 && s3 <= 9) || b[i + 3] !== SPACE) return -1;
      i += 4;
      c = b[i] as number;
      if (c === DASH) c = b[++i] as number;
      else while (c >= 48 && c <= 57) c = b[++i] as number;
      let agentStart = 0;
      let agentEnd = 0;
      let h = HASH_SEED_1;
      if (c === SPACE) {
        if (b[i + 1] !== QUOTE) return -1;
        i += 2;
        while (
          ((ENDS[b[i] as number] as number) |
            (ENDS[b[i + 1] as number] as number) |
            (ENDS[b[i + 2] as number] as number) |
            (ENDS[b[i + 3] as number] as number)) ===
          0
        ) {
          i += 4;
        }
        c = b[i] as number;
        while (ENDS[c] === 0) c = b[++i] as number;
        if (c !== QUOTE || b[i + 1] !== SPACE || b[i + 2] !== QUOTE) return -1;
        i += 3;
        agentStart = i;
        // Four bytes a round, as hashWide does it, as long as none of them ends the field.
        for (;;) {
          const c0 = b[i] as number;
          const c1 = b[i + 1] as number;
          const c2 = b[i + 2] as number;
          const c3 = b[i + 3] as number;
          if (((ENDS[c0] as number) | (ENDS[c1] as number) | (ENDS[c2] as number) | (ENDS[c3] as number)) !== 0) break;
          h = Math.imul(h ^ (c0 | (c1 << 8) | (c2 << 16) | (c3 << 24)), 0x5bd1e995);
          h ^= h >>> 15;
          i += 4;
        }
        c = b[i] as number;
        while (ENDS[c] === 0) {
          h = Math.imul(h ^ c, 0x01000193);
          c = b[++i] as number;
        }
        if (c !== QUOTE) return -1;
        agentEnd = i;
        c = b[++i] as number;
        if (agentEnd - agentStart === 1 && b[agentStart] === DASH) {
          agentStart = agentEnd;
          h = HASH_SEED_1;
        }
      }
      if (c === RETURN) c = b[++i] as number;
      if (c !== NEWLINE) return -1;
      resetRecord(out, b);
      out.time = time;
      out.status = s1 * 100 + s2 * 10 + s3;
      out.client.start = pos;
      out.client.end = clientEnd;
      if (!(userEnd - userStart === 1 && b[userStart] === DASH)) {
        out.user.start = userStart;
        out.user.end = userEnd;
      }
      out.method.start = methodStart;
      out.method.end = methodEnd;
      out.path.start = pathStart;
      out.path.end = pathEnd;
      out.query.start = queryStart;
      out.query.end = queryEnd;
      out.agent.start = agentStart;
      out.agent.end = agentEnd;
      out.pathHash1 = h1;
      out.pathHash2 = h2;
      out.agentHash = h;
      out.hashed = true;
      return i + 1;
    },
  };
}
