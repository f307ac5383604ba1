/** What a run begins with. */
import { Cancellation } from './cancellation.ts';
import { realClock } from './clock.ts';
import { undiciTransport } from './http/undici-transport.ts';
import type { Log } from './log.ts';
import { MetricRegistry } from './metrics/registry.ts';
import type { Output } from './outputs/output.ts';
import { RequestPacer } from './request-pacer.ts';
import { metricIds, newCounts, type RunContext } from './run-context.ts';
import { stripingOf } from './segment.ts';
import type { EmbeddedSpec } from './spec.ts';
import { CheckTree } from './summary/groups.ts';
import { scriptSource } from './vm/script-source.ts';

const COMPUTE_LIMIT_MS = 10_000;

/** @param outputs opened later; looked at with every sample */
export function newContext(spec: EmbeddedSpec, log: Log, outputs: Output[]): RunContext {
  const clock = spec.clock ?? realClock();
  const registry = new MetricRegistry(outputs, spec.observer);
  const source = scriptSource(spec.script);
  const run: RunContext = {
    clock,
    log,
    registry,
    ids: metricIds(registry),
    source,
    env: spec.env,
    options: {},
    systemTags: new Set(),
    runTags: {},
    striping: stripingOf(undefined, undefined),
    newTransport:
      spec.newTransport ??
      (() =>
        // Asked for late: the VU that reads the options exists before them.
        undiciTransport(() => ({
          insecureSkipTLSVerify: run.options['insecureSkipTLSVerify'] === true,
          noConnectionReuse: run.options['noConnectionReuse'] === true,
          noVUConnectionReuse: run.options['noVUConnectionReuse'] === true,
          onAnswer: (duration) => run.lateness?.taken(duration),
          destinations: {
            hosts: (run.options['hosts'] ?? {}) as Readonly<Record<string, string>>,
            blocked: (run.options['blockHostnames'] ?? []) as readonly string[],
          },
        }))),
    pacer: new RequestPacer(clock),
    checks: new CheckTree(),
    shared: new Map(),
    tagCaches: new WeakMap(),
    counts: newCounts(),
    lateness: undefined,
    limits: { memory: spec.memoryLimit, computeMs: spec.computeLimitMs ?? COMPUTE_LIMIT_MS },
    seed: spec.seed ?? 0,
    program: undefined,
    setupData: undefined,
    startTime: clock.now(),
    abort: new Cancellation(),
    abortReason: undefined,
    markedFailed: false,
    progress: new Map(),
  };
  return run;
}
