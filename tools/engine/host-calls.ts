/** The engine's side of what a script calls: one function an operation, looked up by name. */

import { durationMs } from '../../lib/k6/duration.ts';
import { K6_EXIT } from '../../lib/k6/exit-codes.ts';
import type { MetricType } from '../../lib/k6/threshold.ts';
import type { Cancellation } from './cancellation.ts';
import { type Receive, wake } from './clock.ts';
import { EngineError } from './engine-error.ts';
import { HtmlSelections, RefusedSelector } from './html/selections.ts';
import { sendBatch } from './http/batch.ts';
import { urlEncoded } from './http/body.ts';
import { type ClientContext, prepareRequest } from './http/client.ts';
import { type CookieJar, cookieJar } from './http/cookies.ts';
import type { GuestAnswer, GuestRequest } from './http/exchange.ts';
import { isTarget, parseTarget } from './http/target.ts';
import { jsonComplaint } from './json-complaint.ts';
import { select } from './json-path.ts';
import type { Level } from './log.ts';
import { abortRun, type RunContext, runSeconds } from './run-context.ts';
import { b64decode, b64encode, digest, hexEncode, randomText } from './script-bytes.ts';
import { callJar } from './script-jars.ts';
import { shownOptions } from './shown-options.ts';
import type { HostAnswer, HostHandler, Slept } from './vm/script-vm.ts';

/** The VU that calls, as far as the operations need it. */
export interface CallingVu {
  readonly client: ClientContext;
  readonly cancellation: () => Cancellation;
  readonly pushSamples: HostHandler['samples'];
  readonly addSample: HostHandler['sample'];
  /** Of the run and the scenario. */
  readonly baseTags: () => Readonly<Record<string, string>>;
  readonly setTags: (tags: Readonly<Record<string, string>>) => void;
  readonly setMetadata: (metadata: Readonly<Record<string, string>>) => void;
  readonly scenarioName: () => string | undefined;
  /** Says what the script did wrong. */
  readonly complain: (text: string) => void;
  /** The script is about to abort the test. */
  readonly aborting: () => void;
}

/** k6's `batch` and `batchPerHost` where a script says nothing of them. */
const BATCH = 20;
const BATCH_PER_HOST = 6;

export function hostCalls(run: RunContext, vu: CallingVu): HostHandler {
  const { clock, registry } = run;
  const json = (value: unknown): HostAnswer => `=${JSON.stringify(value)}`;
  const documents = new HtmlSelections();
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
      const [path, binary, folder] = JSON.parse(text) as [string, boolean, string | null];
      // As JSON, since plain text ends at its first NUL.
      return json(run.source.open(path, binary, folder ?? undefined));
    },
    jar: (text) => json(callJar(vu.client.jar, JSON.parse(text), clock.now())),
    select: (text) => {
      const [body, path] = JSON.parse(text) as [string, string];
      const found = select(body, path);
      return found === undefined ? undefined : json(found);
    },
    html: (text) => {
      const [isNew, id, operation, given] = JSON.parse(text) as [number, number, string, unknown[]];
      if (isNew === 1) documents.clear();
      try {
        return json(
          operation === 'parse'
            ? documents.parse(String(given[0]))
            : documents.call(
                id,
                operation,
                given.map((one) => one ?? undefined),
              ),
        );
      } catch (error) {
        if (error instanceof RefusedSelector) return json({ refused: error.message });
        throw error;
      }
    },
    utf8: (text) => json(Buffer.from(String(JSON.parse(text)), 'latin1').toString('utf8')),
    urlEncoded: (text) => json(urlEncoded(JSON.parse(text) as [string, string][])),
    explainJson: (text) => json(jsonComplaint(JSON.parse(text) as string)),
    noRequest: (text) => {
      const [title, error] = JSON.parse(text) as [string, string];
      if (vu.client.throwErrors) throw new Error(error);
      run.log('warning', title, { error });
      return undefined;
    },
    b64encode: (text) => json(b64encode(...(JSON.parse(text) as Parameters<typeof b64encode>))),
    b64decode: (text) => json(b64decode(...(JSON.parse(text) as Parameters<typeof b64decode>))),
    digest: (text) => json(digest(...(JSON.parse(text) as Parameters<typeof digest>))),
    durationMs: (text) => json(durationMs(text) ?? null),
    hexEncode: (text) => json(hexEncode(JSON.parse(text))),
    randomBytes: (size) => (clock.virtual ? undefined : json(randomText(Number(size)))),
    baseTags: () => json(vu.baseTags()),
    vuMetadata: (text) => {
      vu.setMetadata(JSON.parse(text) as Record<string, string>);
      return undefined;
    },
    vuTags: (text) => {
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
    options: () => json(shownOptions(run.options)),
    uncaught: (text) => {
      const [message, frames] = JSON.parse(text) as [string, string];
      vu.complain(`Uncaught (in promise) ${message}${frames === '' ? '' : `\n${frames}`}`);
      return undefined;
    },
    abort: (text) => {
      const [reason, init] = JSON.parse(text) as [string, boolean];
      const message = reason === '' ? 'test aborted' : `test aborted: ${reason}`;
      vu.aborting();
      abortRun(run, new EngineError(message, K6_EXIT.scriptAborted));
      return init ? undefined : '~';
    },
    end: (text) => {
      const [message, code, init] = JSON.parse(text) as [string, number, boolean];
      abortRun(run, new EngineError(message, code));
      // The init code has no iteration that could be ended; it throws, and whoever loads it looks for the reason.
      return init ? undefined : '~';
    },
    refused: (text) => {
      const [what, init] = JSON.parse(text) as [string, boolean];
      abortRun(run, EngineError.notOffered(what));
      return init ? undefined : '~';
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
        // What this engine has not got ends the run, whatever the script makes of it.
        if (error instanceof EngineError) abortRun(run, error);
        return `!${error instanceof Error ? error.message : String(error)}`;
      }
    },
    sleep: (ms, done) => wake(clock, ms, vu.cancellation(), () => done({ now: virtualNow() })),
    http: (request, done) => {
      const jar = request.jar === undefined ? undefined : cookieJar(request.jar.text);
      const send = prepareRequest(vu.client, request, jar);
      const cancellation = vu.cancellation();
      run.pacer.pass(run.options['rps'], cancellation, () =>
        send(cancellation, (answer) => {
          if (answer instanceof Error) return done(answer);
          return done(stamped(answer, virtualNow(), jar === undefined ? undefined : [jar]));
        }),
      );
    },
    batch: (requests, done) => {
      const { batch, batchPerHost } = run.options;
      const limits = { all: numberOr(batch, BATCH), perHost: numberOr(batchPerHost, BATCH_PER_HOST) };
      const jars: CookieJar[] = [];
      const jarOf = ({ jar }: GuestRequest) => {
        if (jar === undefined) return undefined;
        jars[jar.id] ??= cookieJar(jar.text);
        return jars[jar.id];
      };
      const cancellation = vu.cancellation();
      // All choose their cookies before the first is sent.
      const ready = requests.map((request) => {
        const send = prepareRequest(vu.client, request, jarOf(request));
        const target = parseTarget(request.url);
        const host = isTarget(target) ? target.origin : '';
        const paced = (received: Receive<GuestAnswer | Error>) =>
          run.pacer.pass(run.options['rps'], cancellation, () => send(cancellation, received));
        return { host, send: paced };
      });
      sendBatch(ready, limits, (list) =>
        done(list instanceof Error ? list : stamped({ list }, virtualNow(), jars.length === 0 ? undefined : jars)),
      );
    },
  };
}

const numberOr = (given: unknown, otherwise: number) => (typeof given === 'number' ? given : otherwise);

/** Adds the virtual time, and what the script's own jars hold now. */
function stamped<T extends object>(
  answer: T & { now?: number | undefined; jars?: readonly string[] },
  now: number | undefined,
  jars: readonly CookieJar[] | undefined,
): T & Slept {
  answer.now = now;
  if (jars !== undefined) answer.jars = jars.map((jar) => jar.text());
  return answer as T & Slept;
}
