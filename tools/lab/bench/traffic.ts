/**
 * How fast `traffic` reads a combined log beside GoAccess and a mawk one-liner, interleaved in one run: ratios of the same
 * minutes count, absolute figures are the machine's.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { UserError } from '../../base/user-error.ts';
import { type Spread, spread } from './spread.ts';

export interface TrafficBenchOptions {
  /** Size of the log, MB. */
  readonly megabytes: number;
  readonly rounds: number;
  readonly clients: number;
  readonly threads: readonly number[];
  readonly onRun?: (what: string) => void;
}

export interface TrafficBenchRow {
  readonly what: string;
  /** MB of log per second of wall time. */
  readonly rate: Spread;
  /** MB of log per second of processor time, which other work on the machine disturbs less. */
  readonly cpuRate: Spread;
  readonly peakMegabytes: number;
}

const TIME = '/usr/bin/time';

/** @throws UserError when the tool is not built */
export async function benchTraffic(options: TrafficBenchOptions): Promise<TrafficBenchRow[]> {
  const cli = resolve('dist/lab/traffic-pass.mjs');
  if (!existsSync(cli)) throw new UserError('bench traffic: run npm run build first');
  const folder = await mkdtemp(join(tmpdir(), 'traffic-bench-'));
  try {
    const log = join(folder, 'access.log');
    options.onRun?.('writing the log');
    const bytes = await writeLog(log, options.megabytes * 1e6, options.clients);
    const commands: [string, string, string[]][] = [
      ...options.threads.map((n): [string, string, string[]] => [
        `traffic, ${n} thread${n === 1 ? '' : 's'}`,
        process.execPath,
        [cli, log, String(n)],
      ]),
      ['mawk counting statuses', 'mawk', ['{n[$9]++} END {for (k in n) print k, n[k]}', log]],
      [
        'goaccess',
        'goaccess',
        [log, '--log-format=COMBINED', '--no-progress', '--no-global-config', '-o', join(folder, 'out.json')],
      ],
    ];
    const usable = commands.filter(
      ([, command]) => command === process.execPath || spawnSync('which', [command]).status === 0,
    );
    const results = new Map<string, { wall: number[]; cpu: number[]; peak: number }>();
    for (let round = 0; round < options.rounds; round++) {
      for (const [what, command, args] of usable) {
        if (what === 'goaccess' && round > 0) continue;
        options.onRun?.(`round ${round + 1}: ${what}`);
        const run = measure(command, args);
        const result = results.get(what) ?? { wall: [], cpu: [], peak: 0 };
        results.set(what, result);
        result.wall.push(bytes / 1e6 / run.wall);
        result.cpu.push(bytes / 1e6 / run.cpu);
        result.peak = Math.max(result.peak, run.peak);
      }
    }
    return [...results].map(([what, { wall, cpu, peak }]) => ({
      what,
      rate: spread(wall),
      cpuRate: spread(cpu),
      peakMegabytes: peak,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Wall and processor time and peak memory of a command, start-up included, as GNU time tells them. */
function measure(command: string, args: readonly string[]): { wall: number; cpu: number; peak: number } {
  const result = spawnSync(TIME, ['-f', '%e %U %S %M', command, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const [wall = 0, user = 0, system = 0, peak = 0] = (result.stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  if (result.status !== 0 || !(wall > 0)) {
    throw new UserError(
      `bench traffic: ${command} failed: ${(result.error?.message ?? result.stderr).slice(0, 300)} (GNU time must be at ${TIME})`,
    );
  }
  return { wall, cpu: user + system, peak: peak / 1024 };
}

const AGENTS = Array.from(
  { length: 90 },
  (_, i) =>
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${90 + (i % 30)}.0.${i}.0 Safari/537.36`,
);
/** Requests of a browsing, searching and buying session. */
const STEPS = [3, 2, 4];
const MONTH_DAY = '04/Mar/2024:';

/** A combined log of sessions as the brief describes them, 200 a second; the number of bytes written. */
async function writeLog(file: string, size: number, clients: number): Promise<number> {
  const random = sessionRandom(hashSeed('traffic bench'), 0);
  const out = createWriteStream(file);
  const due = new Map<number, { client: number; step: number; kind: number }[]>();
  let bytes = 0;
  for (let second = 0; bytes < size; second++) {
    for (let i = 0; i < 200; i++)
      plan(second, {
        client: Math.floor(random() * clients),
        step: 0,
        kind: random() < 0.7 ? 0 : random() < 0.67 ? 1 : 2,
      });
    const lines: string[] = [];
    for (const visit of due.get(second) ?? []) {
      lines.push(line(second, visit.client, target(visit.kind, visit.step, random), random));
      const more = visit.step + 1 < (STEPS[visit.kind] ?? 0);
      if (more) plan(second + 2 + Math.floor(random() * 6), { ...visit, step: visit.step + 1 });
    }
    due.delete(second);
    const text = lines.join('');
    bytes += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return bytes;

  function plan(second: number, visit: { client: number; step: number; kind: number }): void {
    const list = due.get(second);
    if (list === undefined) due.set(second, [visit]);
    else list.push(visit);
  }
}

function target(kind: number, step: number, random: () => number): string {
  const details = `GET /api/books/979${String(Math.floor(40_000 * random() ** 3)).padStart(9, '0')}4`;
  if (kind === 0) return step === 0 ? `GET /api/books?category=fiction&page=${1 + Math.floor(random() * 5)}` : details;
  if (kind === 1) return step === 0 ? 'GET /api/books?search=harbour' : details;
  const cart = Math.floor(random() * 2 ** 44)
    .toString(16)
    .padStart(12, '0');
  return [
    details,
    'POST /api/carts',
    `PUT /api/carts/6f9619ff-8b86-4011-b42d-${cart}/items/9790000000014`,
    'POST /api/orders',
  ][step] as string;
}

function line(second: number, client: number, request: string, random: () => number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const clock = `${two(Math.floor(second / 3600) % 24)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
  const address = `198.${18 + (client >> 16)}.${(client >> 8) & 255}.${client & 255}`;
  return `${address} - - [${MONTH_DAY}${clock} +0000] "${request} HTTP/1.1" 200 ${100 + Math.floor(random() * 5000)} "https://shop.example.com/" "${AGENTS[client % 90]}"\n`;
}
