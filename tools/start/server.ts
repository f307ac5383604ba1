/** A server as a child process: started, awaited until it says where it listens, stopped for certain. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { EXIT } from '../base/exit-codes.ts';
import { UserError } from '../base/user-error.ts';
import { STOP_WITH_PARENT } from './stop-with-parent.ts';

export interface Server {
  readonly name: string;
  readonly url: string;
  /** Why it is no longer there; undefined while it runs. */
  readonly gone: () => string | undefined;
  /** Asks it to stop and waits; kills it when it does not. */
  readonly stop: () => Promise<void>;
}

export interface ServerSpec {
  /** For messages. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Longest wait until it listens, ms. */
  readonly readyMs: number;
}

/** A server gets this long to finish what it is doing, ms. */
const STOP_MS = 10_000;

/**
 * Starts a server that prints one JSON line with its `url` when it listens.
 * @param signal aborted: the server is stopped at once
 * @throws UserError when it ends or stays silent instead
 */
export async function startServer(spec: ServerSpec, signal: AbortSignal): Promise<Server> {
  signal.throwIfAborted();
  const child = spawn(spec.program, spec.args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, [STOP_WITH_PARENT]: '1' },
    // Ctrl-C must not reach it: the load generator still needs it to end in order.
    detached: true,
  });
  const ended = endOf(child);
  const abort = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const url = await ready(child, spec, ended);
    signal.throwIfAborted();
    return server(child, spec.name, url, ended);
  } catch (error) {
    child.kill('SIGKILL');
    await ended;
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function server(child: ChildProcess, name: string, url: string, ended: Promise<string>): Server {
  let gone: string | undefined;
  void ended.then((why) => {
    gone = why;
  });
  return {
    name,
    url,
    gone: () => gone,
    stop: async () => {
      child.stdin?.end();
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(kill);
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(signal === null ? `exit code ${code}` : `killed by ${signal}`));
  });
}

async function ready(child: ChildProcess, spec: ServerSpec, ended: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(
        new UserError(
          `the ${spec.name} was not ready within ${spec.readyMs / 1000} s; start it by hand to see why`,
          EXIT.noVerdict,
        ),
      );
    }, spec.readyMs);
  });
  const early = ended.then((why) => {
    throw new UserError(`the ${spec.name} could not be started (${why}); its message stands above`, EXIT.noVerdict);
  });
  try {
    return await Promise.race([firstUrl(child), late, early]);
  } finally {
    clearTimeout(timer);
    // What it prints later is nobody's business, but the pipe must not fill up.
    child.stdout?.resume();
  }
}

/** `url` of the first line that is a JSON object with one. */
function firstUrl(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    if (child.stdout === null) return;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const url = urlOf(line);
      if (url === undefined) return;
      done(url);
      lines.close();
    });
  });
}

function urlOf(line: string): string | undefined {
  try {
    const url = (JSON.parse(line) as { url?: unknown } | null)?.url;
    return typeof url === 'string' ? url : undefined;
  } catch {
    return undefined;
  }
}
