/** Samples and item counts kept in WebAssembly, and the sorting window, against the same written plainly. */
import { describe, expect, it } from 'vitest';
import { hashSeed, type Random, sessionRandom } from '../../../lib/model/random.ts';
import { DOUBLES, type EventRows, eventWriter, ITEM, TIME } from '../../../tools/traffic/events/events.ts';
import { reservoir } from '../../../tools/traffic/events/reservoir.ts';
import { type SessionResult, sessionizer } from '../../../tools/traffic/pass/sessionizer.ts';
import { timeWindow } from '../../../tools/traffic/pass/time-window.ts';
import { sampleName } from '../../../tools/traffic/pass/transitions.ts';

interface Row {
  readonly time: number;
  readonly client?: number;
  readonly route?: number;
  readonly took?: number;
  readonly item?: number;
}

function blockOf(rows: readonly Row[]): { rows: EventRows; n: number } {
  const writer = eventWriter();
  for (const { time, client = 1, route = 0, took = 0, item = Number.NaN } of rows) {
    writer.push(time, client, 0, route, 200, took, item);
  }
  return writer.take();
}

function sessionsOf(rows: readonly Row[], samples: number): SessionResult {
  const sessions = sessionizer({ gap: 600_000, resolution: 1, samples });
  const block = blockOf(rows);
  sessions.add(block.rows, block.n);
  return sessions.result();
}

function randomOf(seed: string): { random: Random; below: (n: number) => number } {
  const random = sessionRandom(hashSeed(seed), 0);
  return { random, below: (n) => Math.floor(random() * n) };
}

describe('samples of think times', () => {
  it.each([
    ['routes that are sampled in WebAssembly', 3, 7],
    ['the last of them', 31, 31],
    ['routes that are not', 31, 32],
  ])('of %s are those of the plain reservoir', (_, from, to) => {
    const { below } = randomOf('samples');
    const rows: Row[] = [];
    // Enough for many to be replaced, over more than one chunk of 1024.
    const plain = reservoir(1500, sampleName(from, to));
    for (let i = 0; i < 20_000; i++) {
      const gap = 1000 + below(50_000);
      rows.push({ time: i * 3_600_000, route: from }, { time: i * 3_600_000 + gap, route: to });
      plain.add(Math.fround(gap / 1000));
    }
    const { transitions } = sessionsOf(rows, 1500);
    expect(transitions).toHaveLength(1);
    expect(transitions[0]).toMatchObject({ from, to, gaps: { n: 20_000 } });
    expect(Array.from(transitions[0]?.gaps.values ?? [])).toEqual(Array.from(plain.values));
  });
});

describe('item counts', () => {
  it('are those of a map, through growth, zeros and the largest keys', () => {
    const { random, below } = randomOf('items');
    const special = [0, 1, 2 ** 53 - 1, 2 ** 32, 2 ** 32 + 1, 9_780_000_000_000];
    const rows: Row[] = [];
    const views: number[] = [];
    for (let i = 0; i < 120_000; i++) {
      const kind = random();
      const item =
        kind < 0.3 ? Number.NaN : kind < 0.4 ? (special[below(special.length)] as number) : below(60_000) * 65_536;
      rows.push({ time: i, client: below(50), item });
      if (!Number.isNaN(item)) views.push(item);
    }
    const counts = new Map<number, number>();
    for (const item of views) counts.set(item, (counts.get(item) ?? 0) + 1);
    const { items } = sessionsOf(rows, 10);
    const sorted = (map: ReadonlyMap<number, number>): [number, number][] => [...map].sort((a, b) => a[0] - b[0]);
    expect(counts.size).toBeGreaterThan(30_000);
    expect(sorted(items.counts)).toEqual(sorted(counts));
    expect(items.views).toBe(views.length);
    expect([...items.early]).toEqual(views.slice(0, 20_000));
    expect([...items.recent]).toEqual(views.slice(-20_000));
  });

  it('of a short log give each half of its views to one end', () => {
    const items = Array.from({ length: 101 }, (_, i) => i * 3);
    const result = sessionsOf(
      items.map((item, i) => ({ time: i, item })),
      10,
    ).items;
    expect([...result.early]).toEqual(items.slice(0, 50));
    expect([...result.recent]).toEqual(items.slice(-50));
    expect(sessionsOf([{ time: 1 }], 10).items).toMatchObject({
      views: 0,
      early: new Float64Array(),
      recent: new Float64Array(),
    });
  });
});

describe('the sorting window', () => {
  /** What comes out, in parts of uneven size. */
  function through(rows: readonly Row[], stampIs: 'start' | 'end', capacity: number): { time: number; item: number }[] {
    const out: { time: number; item: number }[] = [];
    const window = timeWindow(
      stampIs,
      ({ doubles }, n) => {
        for (let i = 0; i < n; i++) {
          out.push({ time: doubles[i * DOUBLES + TIME] as number, item: doubles[i * DOUBLES + ITEM] as number });
        }
      },
      capacity,
    );
    for (let at = 0, i = 1; at < rows.length; i++) {
      const block = blockOf(rows.slice(at, at + 37 * i));
      window.add(block);
      at += block.n;
    }
    window.flush();
    return out;
  }

  it('puts requests in order of their start, equal ones as they came, and leaves out those without a time', () => {
    const { below, random } = randomOf('window');
    const rows = Array.from({ length: 20_000 }, (_, i): Row => {
      const took = below(300);
      return { time: random() < 0.01 ? Number.NaN : i + took, took: random() < 0.1 ? Number.NaN : took, item: i };
    });
    const due = rows
      .filter(({ time }) => !Number.isNaN(time))
      .map(({ time, took = 0, item = 0 }) => ({ time: Number.isNaN(took) ? time : time - took, item }))
      .sort((a, b) => a.time - b.time || a.item - b.item);
    expect(through(rows, 'end', 4096)).toEqual(due);
  });

  it('hands on what comes too late as it comes', () => {
    const rows = Array.from({ length: 1000 }, (_, i): Row => ({ time: i === 900 ? 5 : i, item: i }));
    const out = through(rows, 'start', 64);
    expect(out).toHaveLength(1000);
    expect(out.findIndex(({ item }) => item === 900)).toBeGreaterThan(800);
  });
});
