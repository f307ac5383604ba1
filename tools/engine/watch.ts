/** What happens beside the load: the VU gauges every second, thresholds that may end the run every two. */

import { K6_EXIT } from '../../lib/k6/exit-codes.ts';
import type { Timer } from './clock.ts';
import { EngineError } from './engine-error.ts';
import { evaluateThreshold } from './metrics/thresholds.ts';
import type { Sink, Threshold } from './metrics/types.ts';
import { abortRun, type RunContext, runSeconds } from './run-context.ts';

const GAUGES_EVERY_MS = 1000;
const THRESHOLDS_EVERY_MS = 2000;

/** @returns the end of watching */
export function watchRun(run: RunContext): () => void {
  const { clock, registry, counts } = run;
  const tags = registry.tags(run.runTags);
  const stopGauges = every(run, GAUGES_EVERY_MS, () => {
    registry.push(registry.get('vus'), clock.now(), counts.activeVus, tags);
    registry.push(registry.get('vus_max'), clock.now(), counts.initialisedVus, tags);
  });
  const stopThresholds = every(run, THRESHOLDS_EVERY_MS, () => abortOnFail(run));
  return () => {
    stopGauges();
    stopThresholds();
  };
}

function every(run: RunContext, ms: number, action: () => void): () => void {
  let next = run.startTime + ms;
  let timer: Timer;
  const arm = () => {
    timer = run.clock.at(next, () => {
      next += ms;
      arm();
      action();
    });
  };
  arm();
  return () => timer.cancel();
}

interface Judged {
  readonly name: string;
  readonly sink: Sink;
  readonly thresholds: readonly Threshold[];
}

function judgedOf(run: RunContext): Judged[] {
  return run.registry.metrics
    .flatMap((metric): Judged[] => [metric, ...metric.submetrics])
    .filter(({ thresholds }) => thresholds.length > 0);
}

/** During the run an empty population is not judged; at its end it is. */
function abortOnFail(run: RunContext): void {
  const seconds = runSeconds(run);
  const failed = (judged: Judged, wanted: (threshold: Threshold) => boolean) =>
    judged.sink.samples > 0 &&
    judged.thresholds.some((threshold) => wanted(threshold) && !evaluateThreshold(threshold, judged.sink, seconds));
  // A percentile is a sort of all values: only those are judged on the way that could end the run.
  const ends = ({ abortOnFail: aborts, delayAbortEval }: Threshold) => aborts && seconds * 1000 >= delayAbortEval;
  const all = judgedOf(run);
  if (!all.some((judged) => failed(judged, ends))) return;
  const crossed = all.filter((judged) => failed(judged, () => true)).map(({ name }) => name);
  const metrics = crossed.sort().join(', ');
  const message = `thresholds on metrics '${metrics}' were crossed; at least one has abortOnFail enabled, stopping test prematurely`;
  abortRun(run, new EngineError(message, K6_EXIT.thresholdsCrossed));
}

/** Judges all thresholds for the last time. @returns metrics with a crossed one, in order */
export function crossedThresholds(run: RunContext): string[] {
  const seconds = runSeconds(run);
  return judgedOf(run)
    .filter(({ sink, thresholds }) => thresholds.filter((t) => !evaluateThreshold(t, sink, seconds)).length > 0)
    .map(({ name }) => name)
    .sort();
}
