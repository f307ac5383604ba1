/** The embedded engine behind the same seam as k6: a process of its own, whose CPU and memory can be watched. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../base/exit-codes.ts';
import { optional } from '../base/optional.ts';
import { packageRoot, packageVersion } from '../base/package.ts';
import { UserError } from '../base/user-error.ts';
import { confined } from '../engine/confinement.ts';
import { EMBEDDED_NOTICE } from '../engine/notice.ts';
import type { Engine, EngineResult, EngineSpec, Inspection, RunningEngine, StartBarrier } from './engine.ts';
import { runProcess } from './engine-process.ts';
import { k6RunArguments } from './k6-engine.ts';
import { SUMMARY_VARIABLES } from './suite.ts';

export function embeddedEngine(): Engine {
  return {
    name: 'embedded',
    version: packageVersion(),
    path: null,
    argv: (spec) => ['embedded', ...k6RunArguments(spec)],
    inspect,
    startBarrier,
    run,
  };
}

const POLL_MS = 25;

/** The engine makes a file when it is ready and begins when the file is gone. */
async function startBarrier(): Promise<StartBarrier> {
  const folder = await mkdtemp(join(tmpdir(), 'bookstore-load-'));
  const file = join(folder, 'ready');
  return {
    args: ['--start-barrier', file],
    ready: async (over) => {
      while (!existsSync(file) && !over.aborted) await sleep(POLL_MS);
    },
    release: () => rm(folder, { recursive: true, force: true }),
  };
}

function program(): string {
  return join(packageRoot(), 'dist', 'cli.mjs');
}

function environment(spec: EngineSpec): NodeJS.ProcessEnv {
  if (spec.samplesFile === undefined) return process.env;
  return { ...process.env, K6_CSV_FILENAME: spec.samplesFile, K6_CSV_TIME_FORMAT: 'unix_milli' };
}

/** What is wrong with the script, the engine says when it runs; here it is only unknown. */
function inspect(spec: EngineSpec): Promise<Inspection> {
  const [, ...args] = k6RunArguments(spec);
  const { settings, env, input } = confined([], environment(spec));
  return new Promise((done) => {
    const limits = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024, env };
    const child = execFile(
      process.execPath,
      [...settings, program(), 'embedded', 'inspect', ...args],
      limits,
      (error, stdout, stderr) => {
        if (error !== null) {
          const refused = error.code === EXIT.usage ? refusalOf(stderr, spec.script) : undefined;
          done({ options: null, requirements: null, ...optional('refused', refused) });
          return;
        }
        const { options, maxVUs, totalSeconds } = JSON.parse(stdout) as {
          options: Record<string, unknown>;
          maxVUs: number;
          totalSeconds: number;
        };
        done({ options, requirements: { maxVUs, totalSeconds } });
      },
    );
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** What a script that throws a bare sentence says of its variables; undefined for an Error of another kind. */
function refusalOf(stderr: string, script: string): string | undefined {
  const said = `bookstore-load: ${script}: `;
  const message = stderr.startsWith(said) ? stderr.slice(said.length).trim() : '';
  return message === '' || message.includes('\n') || /^\w*Error: /.test(message) ? undefined : message;
}

/** The folder of the run, and where its scripts' handleSummary writes. */
function writtenBy({ logFile, samplesFile, summaryExport, outputs, env, rest }: EngineSpec): string[] {
  const summaries = Object.values(SUMMARY_VARIABLES).map((name) => env[name] || process.env[name]);
  const barrier = rest.flatMap((word, i) => (rest[i - 1] === '--start-barrier' ? [word] : []));
  const others = outputs.map((text) => text.slice(text.indexOf('=') + 1));
  const files = [dirname(logFile), summaryExport, samplesFile, ...others, ...summaries, ...barrier];
  return ['.', ...files.filter((path) => path !== undefined)];
}

async function run(spec: EngineSpec, onStart: (running: RunningEngine) => void): Promise<EngineResult> {
  const { stdout, logFile, onLog } = spec;
  if (!spec.quiet) process.stderr.write(`${EMBEDDED_NOTICE}\n`);
  const { settings, env, input } = confined(writtenBy(spec), environment(spec));
  const args = [...settings, program(), 'embedded', ...k6RunArguments(spec)];
  try {
    return await runProcess({ program: process.execPath, args, env, input, stdout, logFile, onLog }, onStart);
  } catch (error) {
    throw new UserError(`the embedded engine could not be started (${(error as Error).message})`);
  }
}
