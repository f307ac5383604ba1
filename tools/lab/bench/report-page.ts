/** Opens a report in headless Chromium: when it has loaded, and what its console says. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'undici';
import { writeOutput } from '../../base/output-file.ts';
import { UserError } from '../../base/user-error.ts';

export interface OpenedPage {
  /** From the navigation to the end of the load event, ms, by the page's own clock. */
  readonly loadMs: number;
  /** Errors: exceptions, console.error, refused loads. */
  readonly errors: readonly string[];
  /** Whether the page's script ran to its end. */
  readonly drawn: boolean;
  readonly canvases: number;
  /** Width of what is laid out beyond the window, px: a page that must be scrolled sideways. */
  readonly overflowPx: number;
}

export interface PageOptions {
  readonly width?: number;
  readonly dark?: boolean;
  /** Path of a PNG of the whole page. */
  readonly screenshot?: string;
}

/** Time that the browser has to close by itself, ms. */
const CLOSE_MS = 5_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Chromium by CHROMIUM_BIN, else on PATH; undefined when there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['CHROMIUM_BIN'];
  if (named) return existsSync(named) ? named : undefined;
  const folders = (env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((file) => existsSync(file));
}

/** Opens the page in a browser of its own. @throws UserError when the browser does not come up */
export async function openPage(chromium: string, file: string, options: PageOptions = {}): Promise<OpenedPage> {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run'];
  const child = spawn(
    chromium,
    [
      ...flags,
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      `--window-size=${options.width ?? 1280},900`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', () => done());
  });
  try {
    const session = await connect(await debuggerUrl(profile, () => child.exitCode !== null));
    try {
      return await visit(session, file, options);
    } finally {
      // Asked, it takes its own helpers along.
      void session.send('Browser.close');
      await Promise.race([ended, sleep(CLOSE_MS)]);
      session.close();
    }
  } finally {
    child.kill('SIGKILL');
    await ended;
    removeProfile(profile);
  }
}

/** A helper process may still be writing into it; then the system's own cleaning of its temporary folder is left to do it. */
function removeProfile(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch {
    // Nothing of ours is in it.
  }
}

/** The browser writes the port that it took into its profile. */
async function debuggerUrl(profile: string, isGone: () => boolean): Promise<string> {
  const file = join(profile, 'DevToolsActivePort');
  for (let tries = 0; tries < 600 && !isGone(); tries++) {
    const [port] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    if (port) {
      const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        type: string;
        webSocketDebuggerUrl: string;
      }[];
      const page = pages.find(({ type }) => type === 'page');
      if (page !== undefined) return page.webSocketDebuggerUrl;
    }
    await sleep(50);
  }
  throw new UserError('Chromium did not come up; name another with CHROMIUM_BIN');
}

interface Session {
  /** Sends a command of the DevTools protocol. */
  readonly send: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** Calls back for every event. */
  readonly on: (listener: (method: string, params: Record<string, unknown>) => void) => void;
  readonly close: () => void;
}

function connect(url: string): Promise<Session> {
  return new Promise((done, fail) => {
    const socket = new WebSocket(url);
    const waiting = new Map<number, (result: Record<string, unknown>) => void>();
    const listeners: ((method: string, params: Record<string, unknown>) => void)[] = [];
    let last = 0;
    socket.addEventListener('error', () => fail(new UserError('Chromium closed the connection')));
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as {
        id?: number;
        method?: string;
        params?: Record<string, unknown>;
        result?: Record<string, unknown>;
      };
      if (message.id !== undefined) waiting.get(message.id)?.(message.result ?? {});
      else if (message.method !== undefined)
        for (const listener of listeners) listener(message.method, message.params ?? {});
    });
    socket.addEventListener('open', () =>
      done({
        send: (method, params = {}) =>
          new Promise((answer) => {
            waiting.set(++last, answer);
            socket.send(JSON.stringify({ id: last, method, params }));
          }),
        on: (listener) => void listeners.push(listener),
        close: () => socket.close(),
      }),
    );
  });
}

/** Measured in the page after the load event. */
const ASK = `JSON.stringify({
  loadMs: performance.getEntriesByType('navigation')[0].loadEventEnd,
  drawn: document.documentElement.dataset.drawn === 'yes',
  canvases: document.querySelectorAll('canvas').length,
  overflowPx: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})`;

async function visit({ send, on }: Session, file: string, options: PageOptions): Promise<OpenedPage> {
  const errors: string[] = [];
  let loaded = (): void => undefined;
  const load = new Promise<void>((done) => {
    loaded = done;
  });
  on((method, params) => {
    if (method === 'Page.loadEventFired') loaded();
    const error = errorOf(method, params);
    if (error !== undefined) errors.push(error);
  });
  await Promise.all([send('Page.enable'), send('Runtime.enable'), send('Log.enable')]);
  const features = [{ name: 'prefers-color-scheme', value: options.dark === true ? 'dark' : 'light' }];
  await send('Emulation.setEmulatedMedia', { features });
  const size = {
    width: options.width ?? 1280,
    height: 900,
    deviceScaleFactor: 1,
    mobile: (options.width ?? 1280) < 600,
  };
  await send('Emulation.setDeviceMetricsOverride', size);
  await send('Page.navigate', { url: pathToFileURL(resolve(file)).href });
  await load;
  // The load event's own end is known only after its listeners have run.
  await sleep(100);
  const answer = await send('Runtime.evaluate', { expression: ASK, returnByValue: true });
  const found = JSON.parse((answer['result'] as { value: string }).value) as Omit<OpenedPage, 'errors'>;
  if (options.screenshot !== undefined) {
    const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true });
    writeOutput(options.screenshot, Buffer.from(data as string, 'base64'));
  }
  return { ...found, errors };
}

function errorOf(method: string, params: Record<string, unknown>): string | undefined {
  if (method === 'Runtime.exceptionThrown') {
    const { exceptionDetails } = params as { exceptionDetails: { text: string; exception?: { description?: string } } };
    return exceptionDetails.exception?.description ?? exceptionDetails.text;
  }
  if (method === 'Runtime.consoleAPICalled' && params['type'] === 'error') return JSON.stringify(params['args']);
  if (method === 'Log.entryAdded') {
    const { entry } = params as { entry: { level: string; text: string } };
    return entry.level === 'error' ? entry.text : undefined;
  }
  return undefined;
}
