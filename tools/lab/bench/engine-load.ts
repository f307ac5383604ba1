/** What the embedded engine takes to begin with many VUs, and for a request, beside k6. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../base/user-error.ts';
import { startTarget } from './target.ts';

export interface StartCost {
  readonly vus: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

export interface RequestCost {
  readonly rate: number;
  /** Microseconds of processor time a request, start-up taken off. */
  readonly embeddedMicros: number;
  readonly k6Micros: number;
}

export interface EngineLoad {
  /** VUs of an empty script. */
  readonly starts: readonly StartCost[];
  /** VUs of the suite's mix; the goal is 5 s. */
  readonly mix: Omit<StartCost, 'cpuSeconds'>;
  readonly requests: readonly RequestCost[];
}

const VUS = [100, 200, 400, 800, 1000] as const;
const RATES = [100, 300, 1000] as const;
/** The rate at which processor time has a goal, in times k6's. */
export const GOAL_RATE = 300;
export const GOAL_RATIO = 1.5;
export const GOAL_MIX_SECONDS = 5;
const SECONDS = 15;
const TIME = '/usr/bin/time';

interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

/** Runs a program to its end; processes that it starts and waits for are counted with it. */
function timed(program: string, args: readonly string[], cwd: string): Promise<Taken> {
  return new Promise((done, fail) => {
    const child = spawn(TIME, ['-f', 'taken %e %U %S', program, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    child.once('error', fail);
    child.once('close', (code) => {
      const found = /^taken ([0-9.]+) ([0-9.]+) ([0-9.]+)$/m.exec(text);
      if (found === null || code !== 0) fail(new UserError(`bench engine: ${program} failed: ${text.slice(0, 300)}`));
      else done({ wall: Number(found[1]), cpu: Number(found[2]) + Number(found[3]) });
    });
  });
}

/** The rate at which the mix plans some thousand VUs. */
const MIX = ['-e', 'RATE=62', '-e', 'BASE_URL=http://127.0.0.1:1'];

/** From the start of the process until the engine says that it is ready; then it is ended. */
async function mixStart(cli: string, folder: string): Promise<EngineLoad['mix']> {
  const words = [cli, 'embedded'];
  const script = resolve('dist/bookstore-mix.js');
  const { stdout } = spawnSync(process.execPath, [...words, 'inspect', script, ...MIX], { encoding: 'utf8' });
  const { scenarios } = (JSON.parse(stdout) as { options: { scenarios: Record<string, { preAllocatedVUs: number }> } })
    .options;
  const barrier = join(folder, 'ready');
  const begun = performance.now();
  const child = spawn(process.execPath, [...words, 'run', script, ...MIX, '--start-barrier', barrier], {
    cwd: folder,
    stdio: 'ignore',
  });
  const end = new Promise((done) => child.once('exit', done));
  while (!existsSync(barrier) && child.exitCode === null) await sleep(10);
  const wallSeconds = (performance.now() - begun) / 1000;
  child.kill('SIGTERM');
  await end;
  if (!existsSync(barrier)) throw new UserError('bench engine: the mix did not start');
  return { vus: Object.values(scenarios).reduce((sum, one) => sum + one.preAllocatedVUs, 0), wallSeconds };
}

/** @param k6 path of k6, run in turns with the engine */
export async function engineLoad(k6: string, onStep: (what: string) => void): Promise<EngineLoad> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-load-'));
  const target = await startTarget();
  const cli = resolve('dist/cli.mjs');
  const script = (name: string, scenario: string, body: string) => {
    const file = join(folder, `${name}.js`);
    const head = `import http from 'k6/http';\nexport const options = { scenarios: { s: ${scenario} } };\n`;
    writeFileSync(file, `${head}export default function () { ${body} }\n`);
    return file;
  };
  const embedded = (file: string) => timed(process.execPath, [cli, 'embedded', 'run', file, '--no-summary'], folder);
  const started = async (vus: number, file: string): Promise<StartCost> => {
    onStep(`start of ${vus} VUs`);
    const { wall, cpu } = await embedded(file);
    return { vus, wallSeconds: wall, cpuSeconds: cpu };
  };
  try {
    const starts: StartCost[] = [];
    for (const vus of VUS) {
      const once = `{ executor: 'per-vu-iterations', vus: ${vus}, iterations: 1 }`;
      starts.push(await started(vus, script(`start${vus}`, once, '')));
    }
    onStep('start of the mix');
    const mix = await mixStart(cli, folder);
    const none = script('none', `{ executor: 'per-vu-iterations', vus: 60, iterations: 1 }`, '');
    const requests: RequestCost[] = [];
    for (const rate of RATES) {
      onStep(`${rate} requests/s`);
      const constant = `{ executor: 'constant-arrival-rate', rate: ${rate}, timeUnit: '1s', duration: '${SECONDS}s', preAllocatedVUs: 60, maxVUs: 200 }`;
      const file = script(`rate${rate}`, constant, `http.get('${target.url}/api/books', { tags: { name: 'list' } });`);
      const micros = async (run: (file: string) => Promise<Taken>) => {
        const empty = await run(none);
        target.reset();
        const full = await run(file);
        return ((full.cpu - empty.cpu) / target.requests) * 1e6;
      };
      const k6Micros = await micros((one) => timed(k6, ['run', '-q', '--summary-mode', 'disabled', one], folder));
      requests.push({ rate, k6Micros, embeddedMicros: await micros(embedded) });
    }
    return { starts, mix, requests };
  } finally {
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Goals that are missed, a sentence each. */
export function missedLoadGoals({ mix, requests }: EngineLoad): string[] {
  const missed = requests
    .filter(({ rate, embeddedMicros, k6Micros }) => rate === GOAL_RATE && embeddedMicros > GOAL_RATIO * k6Micros)
    .map(
      ({ rate, embeddedMicros, k6Micros }) =>
        `${rate} requests/s: ${(embeddedMicros / k6Micros).toFixed(1)} times the processor time of k6, the goal is ${GOAL_RATIO}`,
    );
  const slow = `${mix.vus} VUs of the mix: ${mix.wallSeconds.toFixed(1)} s, the goal is ${GOAL_MIX_SECONDS} s`;
  return mix.wallSeconds > GOAL_MIX_SECONDS ? [...missed, slow] : missed;
}

/** The result for a terminal. */
export function engineLoadText({ starts, mix, requests }: EngineLoad): string {
  const start = ({ vus, wallSeconds, cpuSeconds }: StartCost) =>
    `${vus} VUs of an empty script: ${wallSeconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU from start to end`;
  const mixed = `${mix.vus} VUs of the mix: ready after ${mix.wallSeconds.toFixed(1)} s (goal ${GOAL_MIX_SECONDS})`;
  const request = ({ rate, embeddedMicros, k6Micros }: RequestCost) =>
    `${rate} requests/s: ${embeddedMicros.toFixed(0)} us of CPU a request, k6 ${k6Micros.toFixed(0)}: ${(embeddedMicros / k6Micros).toFixed(2)} times`;
  return `${[...starts.map(start), mixed, ...requests.map(request)].join('\n')}\n`;
}
