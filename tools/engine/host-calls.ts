/** The engine's side of what a script calls: one function an operation, looked up by name. */

import { K6_EXIT } from '../../lib/k6/exit-codes.ts';
import type { MetricType } from '../../lib/k6/threshold.ts';
import type { Cancellation } from './cancellation.ts';
import { type Receive, wake } from './clock.ts';
import { EngineError } from './engine-error.ts';
import { type ClientContext, sendRequest } from './http/client.ts';
import type { GuestAnswer, GuestRequest } from './http/exchange.ts';
import type { Level } from './log.ts';
import { abortRun, type RunContext, runSeconds } from './run-context.ts';
import type { HostAnswer, HostHandler, Slept } from './vm/script-vm.ts';

/** The VU that calls, as far as the operations need it. */
export interface CallingVu {
  readonly client: ClientContext;
  readonly cancellation: () => Cancellation;
  readonly pushSamples: HostHandler['samples'];
  readonly addSample: HostHandler['sample'];
  readonly setTags: (tags: Readonly<Record<string, string>>) => void;
  readonly scenarioName: () => string | undefined;
  /** The script is about to abort the test. */
  readonly aborting: () => void;
}

/** Requests of a batch on their way at the same time (k6's `batch` option). */
const BATCH_WIDTH = 20;

export function hostCalls(run: RunContext, vu: CallingVu): HostHandler {
  const { clock, registry } = run;
  const json = (value: unknown): HostAnswer => `=${JSON.stringify(value)}`;
  const virtualNow = () => (clock.virtual ? Math.floor(clock.now()) : undefined);
  const operations: Readonly<Record<string, (text: string) => HostAnswer>> = {
    now: () => json({ t: clock.now() }),
    log: (text) => {
      const [level, message, fromConsole, error] = JSON.parse(text) as [Level, string, boolean?, string?];
      const fields = error !== undefined ? { error } : fromConsole === false ? {} : { source: 'console' };
      run.log(level, message, fields);
      return undefined;
    },
    metric: (text) => {
      const [type, name, isTime] = JSON.parse(text) as [MetricType, string, boolean];
      return json(registry.register(name, type, isTime).id);
    },
    builtins: () => json(Object.fromEntries(registry.metrics.slice(0, 20).map(({ name, id }) => [name, id]))),
    sharedLength: (name) => {
      const texts = run.shared.get(name);
      return texts === undefined ? undefined : json(texts.length);
    },
    sharedStore: (text) => {
      const [name, texts] = JSON.parse(text) as [string, string[]];
      if (!run.shared.has(name)) run.shared.set(name, texts);
      return json(run.shared.get(name)?.length ?? 0);
    },
    sharedGet: (text) => {
      const colon = text.indexOf(':');
      return `$${run.shared.get(text.slice(colon + 1))?.[Number(text.slice(0, colon))] ?? 'undefined'}`;
    },
    open: (text) => {
      const [path, binary] = JSON.parse(text) as [string, boolean];
      return `$${run.source.open(path, binary)}`;
    },
    tags: (text) => {
      vu.setTags(JSON.parse(text) as Record<string, string>);
      return undefined;
    },
    progress: () => json(run.progress.get(vu.scenarioName() ?? '')?.() ?? 0),
    instance: () =>
      json({
        vusActive: run.counts.activeVus,
        vusInitialized: run.counts.initialisedVus,
        currentTestRunDuration: runSeconds(run) * 1000,
        iterationsCompleted: run.counts.completed,
        iterationsInterrupted: run.counts.interrupted,
      }),
    options: () => json(run.options),
    abort: (reason) => {
      const message = reason === '' ? 'test aborted' : `test aborted: ${reason}`;
      vu.aborting();
      abortRun(run, new EngineError(message, K6_EXIT.scriptAborted));
      return '~';
    },
    fail: (reason) => {
      run.markedFailed = true;
      run.log('error', reason === '' ? 'test marked as failed' : `test marked as failed: ${reason}`);
      return undefined;
    },
  };
  return {
    samples: vu.pushSamples,
    sample: vu.addSample,
    texts: (name) => run.shared.get(name) ?? [],
    ask: (name, text) => {
      const operation = operations[name];
      if (operation === undefined) return `!the engine knows no operation "${name}"`;
      try {
        return operation(text);
      } catch (error) {
        return `!${error instanceof Error ? error.message : String(error)}`;
      }
    },
    sleep: (ms, done) => wake(clock, ms, vu.cancellation(), () => done({ now: virtualNow() })),
    http: (request, done) =>
      sendRequest(vu.client, request, vu.cancellation(), (answer) =>
        done(answer instanceof Error ? answer : stamped(answer, virtualNow())),
      ),
    batch: (requests, done) => {
      const cancellation = vu.cancellation();
      const send = (request: GuestRequest, received: Receive<GuestAnswer | Error>) =>
        sendRequest(vu.client, request, cancellation, received);
      sendAll(requests, send, (list) => done(list instanceof Error ? list : { list, now: virtualNow() }));
    },
  };
}

function stamped(answer: GuestAnswer & { now?: number | undefined }, now: number | undefined): GuestAnswer & Slept {
  answer.now = now;
  return answer as GuestAnswer & Slept;
}

/** Sends some at a time, in order. `done` hears all answers, or the first error, after which the rest is sent nevertheless. */
function sendAll(
  requests: readonly GuestRequest[],
  send: (request: GuestRequest, received: Receive<GuestAnswer | Error>) => void,
  done: Receive<readonly GuestAnswer[] | Error>,
): void {
  const list: GuestAnswer[] = [];
  let next = 0;
  let left = requests.length;
  let failed = false;
  const worker = () => {
    for (let i = next++; i < requests.length; i = next++) {
      let begins = true;
      let atOnce = false;
      send(requests[i] as GuestRequest, (answer) => {
        if (answer instanceof Error) {
          if (failed) return true;
          failed = true;
          return done(answer);
        }
        list[i] = answer;
        left--;
        if (left === 0) return done(list);
        if (begins) atOnce = true;
        else worker();
        return true;
      });
      begins = false;
      if (!atOnce) return;
    }
  };
  if (left === 0) done(list);
  for (let i = 0; i < Math.min(BATCH_WIDTH, requests.length); i++) worker();
}
