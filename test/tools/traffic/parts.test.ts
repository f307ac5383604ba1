/** Lines that a container's runtime has written in several parts. */
import { describe, expect, it } from 'vitest';
import { readLog, sumOfParts } from './helpers.ts';

const QUERY = `q=${'x'.repeat(40_000)}`;
const LINE = `203.0.113.7 - - [10/Mar/2025:09:00:04 +0000] "GET /a?${QUERY} HTTP/1.1" 200 5 "-" "ua"`;
const SHORT = LINE.replace(QUERY, 'q=1');
const OBJECT = JSON.stringify({ method: 'GET', uri: `/a?${QUERY}`, status: 200, remote_addr: '203.0.113.7' });
const AT = '2025-03-10T09:00:04.000Z';

function pieces(text: string, size = 16_384): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}

const cri = (text: string, stream = 'stdout', size?: number): string[] =>
  pieces(text, size).map((piece, i, all) => `${AT} ${stream} ${i < all.length - 1 ? 'P' : 'F'} ${piece}`);

const docker = (text: string, stream = 'stdout', size?: number): string[] =>
  pieces(`${text}\n`, size).map((log) => JSON.stringify({ log, stream, time: AT }));

/** One line of the first after one of the second. */
const mixed = (a: readonly string[], b: readonly string[]): string[] =>
  a.flatMap((line, i) => [line, ...b.slice(i, i + 1)]);

describe.each([
  ['CRI', cri],
  ['Docker', docker],
])('a line in parts of %s', (_, parts) => {
  it.each([
    ['common', LINE],
    ['JSON', OBJECT],
  ])('is one record: %s', (_, line) => {
    const { records, lines } = readLog(`${[...parts(SHORT), ...parts(line), ...parts(SHORT)].join('\n')}\n`);
    expect(lines).toMatchObject({ physical: 5, records: 3, other: 2 });
    expect(records[1]).toMatchObject({ client: '203.0.113.7', path: '/a', query: QUERY, status: 200, time: AT });
    expect(sumOfParts(lines)).toBe(5);
  });

  it('is apart from those of the other stream', () => {
    const errors = parts(`oops ${'y'.repeat(40_000)}`, 'stderr');
    const { records, lines } = readLog(mixed(parts(LINE), errors).join('\n'));
    expect(records).toMatchObject([{ query: QUERY }]);
    expect(lines).toMatchObject({ physical: 6, records: 1 });
    expect(sumOfParts(lines)).toBe(6);
  });

  it('may be short, and costs the lines after it nothing when its end is missing', () => {
    const { records } = readLog([...parts(SHORT, 'stdout', 40), ...parts(SHORT)].join('\n'));
    expect(records).toHaveLength(2);
    const cut = parts(LINE).slice(0, -1);
    const { lines } = readLog([...cut, ...parts(SHORT), ...parts(SHORT)].join('\n'));
    expect(lines.records).toBeGreaterThanOrEqual(1);
    expect(sumOfParts(lines)).toBe(4);
  });
});

describe('entries of a shipper that cuts line ends off', () => {
  it('are lines, not parts', () => {
    const entry = (log: string): string => JSON.stringify({ log, stream: 'stdout', time: AT });
    const long = SHORT.replace('"ua"', `"${'u'.repeat(20_000)}"`);
    const log = ['started', SHORT, 'ready', long, SHORT, 'stopped'].map(entry);
    expect(readLog(log.join('\n')).lines).toMatchObject({ records: 3, other: 3 });
  });
});

describe('parts that are no line together', () => {
  it('say so', () => {
    const { reasons } = readLog(cri('z'.repeat(20_000)).join('\n'));
    expect(Object.keys(reasons)).toEqual(['a line in several parts: no known log format']);
  });
});
