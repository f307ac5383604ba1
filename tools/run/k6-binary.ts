/** Finds k6 and asks its version. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { UserError } from '../base/user-error.ts';

export interface K6Binary {
  readonly path: string;
  /** Such as `2.2.0`, without the leading v. */
  readonly version: string;
}

/** How to get k6, in one sentence. */
export const GET_K6 =
  'get k6 from https://grafana.com/docs/k6/latest/set-up/install-k6/ (one binary; for example `brew install k6`), ' +
  'put it on PATH or name it in K6_BIN';

/**
 * k6 by `K6_BIN`, else on `PATH`; undefined when there is none.
 * @throws UserError when `K6_BIN` names something that is not k6.
 */
export async function findK6(env: NodeJS.ProcessEnv = process.env): Promise<K6Binary | undefined> {
  const named = env['K6_BIN'];
  if (named !== undefined && named !== '') {
    const path = /[\\/]/.test(named) ? resolve(named) : (onPath(named, env) ?? resolve(named));
    if (!isExecutable(path)) throw new UserError(`K6_BIN=${named}: there is no such program; ${GET_K6}`);
    return { path, version: await k6Version(path, `K6_BIN=${named}`, env) };
  }
  const path = onPath('k6', env);
  return path === undefined ? undefined : { path, version: await k6Version(path, path, env) };
}

function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.exe`, name] : [name];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function k6Version(path: string, asked: string, env: NodeJS.ProcessEnv): Promise<string> {
  const output = await new Promise<string>((done) => {
    execFile(path, ['version'], { env, timeout: 20_000 }, (error, stdout, stderr) => {
      done(stdout || (error === null ? stderr : error.message));
    });
  });
  const version = /\bk6 v?([0-9]+\.[0-9]+\.[0-9][^\s]*)/.exec(output)?.[1];
  if (version !== undefined) return version;
  const answer = output.trim().split('\n')[0]?.slice(0, 120) ?? '';
  throw new UserError(`${asked} is not k6: \`k6 version\` answered ${JSON.stringify(answer)}; ${GET_K6}`);
}
