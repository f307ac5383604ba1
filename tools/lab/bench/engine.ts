/** How fast the embedded engine rehearses, what a call out of a script costs, and what a VU takes. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UserError } from '../../base/user-error.ts';
import { SERVER_MODEL } from '../../engine/model/server-model.ts';
import { rehearse } from '../../rehearse/rehearse.ts';
import { SETTING } from '../../rehearse/young-generation.ts';
import { type EngineLoad, engineLoad, engineLoadText, missedLoadGoals } from './engine-load.ts';

/** A rehearsal that must be done in so many seconds of wall time and so many MB. */
export const REHEARSALS = [
  { minutes: 60, rate: 20, seconds: 60, megabytes: 1000 },
  { minutes: 10, rate: 200, seconds: 60, megabytes: 1000 },
  { minutes: 24 * 60, rate: 20, seconds: 120, megabytes: 1000 },
] as const;

export interface RehearsalCost {
  readonly minutes: number;
  readonly rate: number;
  readonly sessions: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly virtualPerSecond: number;
  readonly peakMegabytes: number;
  readonly goalSeconds: number;
  readonly goalMegabytes: number;
}

export interface EngineCost {
  /** Microseconds of processor time of a call that is answered at once, and of one that waits. */
  readonly callMicros: number;
  readonly waitMicros: number;
  /** Milliseconds and MB of memory of one more VU. */
  readonly vuMs: number;
  readonly vuMegabytes: number;
}

export interface EngineBench {
  /** Processes that wanted a core while the bench ran; above the number of cores all times are too long. */
  readonly busy: number;
  readonly rehearsals: readonly RehearsalCost[];
  readonly calls: EngineCost;
  readonly load: EngineLoad;
}

const TIME = '/usr/bin/time';

/** @param share of the goals' length, 0 to 1; goals shrink with it @throws UserError when the tool is not built */
export async function engineBench(k6: string, share: number, onStep: (what: string) => void): Promise<EngineBench> {
  const rehearsals = REHEARSALS.map((goal) => {
    onStep(`rehearsing ${goal.minutes} min at ${goal.rate} sessions/s`);
    return rehearsalCost(goal, share);
  });
  onStep('calls and VUs');
  const calls = await engineCost();
  const load = await engineLoad(k6, onStep);
  return { busy: loadavg()[0] ?? Number.NaN, rehearsals, calls, load };
}

/** Goals that are missed, a sentence each. */
export function missedEngineGoals({ rehearsals, load }: EngineBench): string[] {
  const missed = rehearsals.flatMap(({ minutes, rate, wallSeconds, peakMegabytes, goalSeconds, goalMegabytes }) => {
    const what = `${minutes} min at ${rate} sessions/s`;
    return [
      ...(wallSeconds > goalSeconds ? [`${what}: ${wallSeconds.toFixed(0)} s, the goal is ${goalSeconds} s`] : []),
      ...(peakMegabytes > goalMegabytes
        ? [`${what}: ${peakMegabytes.toFixed(0)} MB, the goal is ${goalMegabytes}`]
        : []),
    ];
  });
  return [...missed, ...missedLoadGoals(load)];
}

function rehearsalCost(goal: (typeof REHEARSALS)[number], share: number): RehearsalCost {
  const cli = resolve('dist/cli.mjs');
  if (!existsSync(cli)) throw new UserError('bench engine: run it in the folder of the project, after npm run build');
  const seconds = Math.round(goal.minutes * 60 * share);
  const command = ['rehearse', 'bookstore-mix', '--duration', `${seconds}s`, '--rate', String(goal.rate), '--json'];
  const result = spawnSync(TIME, ['-f', '%e %U %S %M', process.execPath, SETTING, cli, ...command], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const last = result.stderr?.trim().split('\n').at(-1) ?? '';
  const [wall = 0, user = 0, system = 0, peak = 0] = last.split(' ').map(Number);
  if (!(wall > 0) || result.stdout === '') {
    const why = result.error?.message ?? result.stderr;
    throw new UserError(`bench engine: the rehearsal failed: ${why.slice(0, 300)} (GNU time must be at ${TIME})`);
  }
  const plan = JSON.parse(result.stdout) as { seconds: number; sessions: { finished: number } };
  return {
    minutes: seconds / 60,
    rate: goal.rate,
    sessions: plan.sessions.finished,
    wallSeconds: wall,
    cpuSeconds: user + system,
    virtualPerSecond: plan.seconds / wall,
    peakMegabytes: peak / 1024,
    goalSeconds: goal.seconds * share,
    goalMegabytes: goal.megabytes,
  };
}

/** Enough for a second or two of each. */
const ITERATIONS = 50;
const CALLS = 4000;
const [FEW, MANY] = [50, 1050];

async function engineCost(): Promise<EngineCost> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'));
  const model = SERVER_MODEL.parse({ endpoints: { '*': { latency: { law: 'fixed', ms: 10 } } } });
  /** Seconds of processor time, which other work on the machine disturbs less, and bytes that a rehearsal of this script takes. */
  const cost = async (name: string, vus: number, iterations: number, body: string) => {
    const script = join(folder, `${name}.js`);
    const options = `{ scenarios: { s: { executor: 'per-vu-iterations', vus: ${vus}, iterations: ${iterations}, maxDuration: '24h' } } }`;
    const head = "import { sleep } from 'k6';\nimport exec from 'k6/execution';\n";
    writeFileSync(script, `${head}export const options = ${options};\nexport default function () { ${body} }\n`);
    const rss = process.memoryUsage().rss;
    const before = process.cpuUsage();
    await rehearse({ script, env: {}, model, seed: 1 });
    const { user, system } = process.cpuUsage(before);
    return { seconds: (user + system) / 1e6, bytes: process.memoryUsage().rss - rss };
  };
  const loop = (call: string) => `for (let i = 0; i < ${CALLS}; i++) ${call};`;
  const micros = async (name: string, call: string) => {
    const empty = await cost('empty', 1, ITERATIONS, loop('Math.abs(i)'));
    const full = await cost(name, 1, ITERATIONS, loop(call));
    return ((full.seconds - empty.seconds) / (ITERATIONS * CALLS)) * 1e6;
  };
  try {
    await cost('warm', 2, ITERATIONS, loop('sleep(0.001)'));
    const callMicros = await micros('call', 'exec.instance.vusActive');
    const waitMicros = await micros('wait', 'sleep(0.001)');
    const some = await cost('some', FEW, 1, 'sleep(1)');
    const more = await cost('more', MANY, 1, 'sleep(1)');
    return {
      callMicros,
      waitMicros,
      vuMs: ((more.seconds - some.seconds) / (MANY - FEW)) * 1000,
      vuMegabytes: Math.max(0, more.bytes - some.bytes) / (MANY - FEW) / 1e6,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The result for a terminal. */
export function engineBenchText({ busy, rehearsals, calls, load }: EngineBench): string {
  const met = (value: number, goal: number, unit: string) =>
    `${value.toFixed(0)} ${unit} (goal ${goal}: ${value <= goal ? 'met' : 'MISSED'})`;
  const lines = rehearsals.map(
    (r) =>
      `${r.minutes} min at ${r.rate} sessions/s: ${r.sessions} sessions in ${met(r.wallSeconds, r.goalSeconds, 's')}, ${r.cpuSeconds.toFixed(0)} s of CPU, ${r.virtualPerSecond.toFixed(0)} virtual seconds a second, ${met(r.peakMegabytes, r.goalMegabytes, 'MB')}`,
  );
  const { callMicros, waitMicros, vuMs, vuMegabytes } = calls;
  const cost = `${callMicros.toFixed(1)} us a call, ${waitMicros.toFixed(1)} us one that waits, ${vuMs.toFixed(2)} ms and ${vuMegabytes.toFixed(2)} MB a VU of a small script`;
  return `${[...lines, cost, `load average ${busy.toFixed(1)}`].join('\n')}\n${engineLoadText(load)}`;
}
