/** Whether workers add up to one run: pure, on what is known of each. */

import { K6_EXIT, TO_THE_END } from '../../../lib/k6/exit-codes.ts';
import { compareFractions, type Fraction, fractionText, parseSegment, WHOLE_SEGMENT } from '../../../lib/k6/segment.ts';
import { largest } from '../../../lib/model/extremes.ts';
import { percent } from '../../../lib/model/figures.ts';
import type { WorkerFacts } from '../facts.ts';

export interface Problem {
  readonly kind: 'doubled' | 'missing' | 'mismatch' | 'killed' | 'apart';
  readonly message: string;
  readonly remedy: string;
}

export interface WorkerCheck {
  readonly problems: readonly Problem[];
  /** What could not be checked, in sentences. */
  readonly unchecked: readonly string[];
}

/** Checks two or more workers of one run; `empty` are files among theirs that hold no sample. */
export function checkWorkers(workers: readonly WorkerFacts[], empty: readonly string[] = []): WorkerCheck {
  const unchecked: string[] = [];
  const problems = [
    ...idle(workers, empty),
    ...killed(workers),
    ...doubled(workers),
    ...mismatched(workers),
    ...apart(workers),
  ];
  const segments = workers.map((worker) => worker.segment);
  if (segments.every((segment) => segment === undefined) && !workers.some((worker) => worker.manifest === true)) {
    unchecked.push('execution segments are unknown (no manifests): whether a worker is missing cannot be told');
  } else problems.push(...gaps(workers));
  return { problems, unchecked };
}

/** Workers that sent nothing while others did: they were killed before their first line was written. */
function idle(workers: readonly WorkerFacts[], empty: readonly string[]): Problem[] {
  const silent = workers.filter(({ requests, finished }) => requests === 0 && finished === 0);
  const paths = [...empty, ...(silent.length < workers.length ? silent.map((worker) => worker.path) : [])];
  return paths.map((path) => ({
    kind: 'killed',
    message: `${path} holds no request and no iteration: this worker was killed before it wrote any, or it never began.`,
    remedy: 'its part of the load is missing, so the union is not the run; run again',
  }));
}

/** Two workers of one run work at the same time. */
function apart(workers: readonly WorkerFacts[]): Problem[] {
  const first = workers.toSorted((a, b) => a.endMs - b.endMs)[0];
  const last = workers.toSorted((a, b) => b.startMs - a.startMs)[0];
  // Time stamps may be whole seconds.
  if (first === undefined || last === undefined || last.startMs < first.endMs + 1000) return [];
  return [
    {
      kind: 'apart',
      message: `${first.path} had ended ${((last.startMs - first.endMs) / 1000).toFixed(1)} s before ${last.path} began: the workers have no time in common, so this was no one run.`,
      remedy:
        'compare them as two runs (compare), or give the workers of one run; with clocks that far apart, synchronise them (NTP)',
    },
  ];
}

/** From this share on, requests in common are the same requests. */
const SAME_REQUESTS = 0.5;

/** Workers that lack a part of their samples. One Ctrl-C ends all alike: then the union is the run as far as it went. */
function killed(workers: readonly WorkerFacts[]): Problem[] {
  const ended = ({ ending }: WorkerFacts) =>
    ending === undefined || (ending.exitCode !== undefined && TO_THE_END.includes(ending.exitCode));
  const gently = ({ ending }: WorkerFacts) => ending?.exitCode === K6_EXIT.externalAbort;
  if (workers.every(gently)) return [];
  return workers
    .filter((worker) => !ended(worker))
    .map(({ path, ending }) => ({
      kind: 'killed' as const,
      message:
        ending?.exitCode === undefined
          ? `${path} was killed before it could say how it ended.`
          : `${path} did not run to its end (exit code ${ending.exitCode}).`,
      remedy: 'its samples are cut, so the union is not the run; run again',
    }));
}

function doubled(workers: readonly WorkerFacts[]): Problem[] {
  const problems: Problem[] = [];
  for (const [index, worker] of workers.entries()) {
    for (const other of workers.slice(index + 1)) {
      const overlap = worker.startMs <= other.endMs && other.startMs <= worker.endMs;
      if (worker.fingerprint === other.fingerprint) {
        problems.push({
          kind: 'doubled',
          message: `${worker.path} and ${other.path} hold the same samples.`,
          remedy: 'name each worker once',
        });
      } else if (sharedBy(worker, other) >= SAME_REQUESTS) {
        problems.push({
          kind: 'doubled',
          message: `${worker.path} and ${other.path} hold the same requests: ${percent(sharedBy(worker, other), 0)} of the smaller one's stand in both, to the last digit of their durations.`,
          remedy: 'name each worker once; one of them is a part or a copy of the other',
        });
      } else if (worker.segment !== undefined && worker.segment === other.segment) {
        problems.push({
          kind: 'doubled',
          message: `${worker.path} and ${other.path} both ran the segment ${worker.segment}.`,
          remedy: 'keep one of them; a restarted worker sends its load twice',
        });
      } else if (overlap && worker.worker === other.worker && worker.worker !== worker.path) {
        problems.push({
          kind: 'doubled',
          message: `${worker.path} and ${other.path} both call themselves worker ${worker.worker} and ran at the same time.`,
          remedy: 'keep one of them, or give each worker a tag of its own',
        });
      }
    }
  }
  return problems;
}

function sharedBy(one: WorkerFacts, other: WorkerFacts): number {
  const known = [
    ...(one.overlaps ?? []).map((found) => ({ ...found, of: other })),
    ...(other.overlaps ?? []).map((found) => ({ ...found, of: one })),
  ];
  return largest(
    known.filter(({ path, of }) => path === of.path).map(({ share }) => share),
    0,
  );
}

function mismatched(workers: readonly WorkerFacts[]): Problem[] {
  const differing = (
    what: string,
    value: (worker: WorkerFacts) => string | null | undefined,
    remedy: string,
  ): Problem[] => {
    const [first] = workers;
    const known = workers.filter((worker) => value(worker) !== undefined);
    if (first === undefined || known.length < 2) return [];
    const odd = known.find((worker) => value(worker) !== value(known[0] ?? worker));
    if (odd === undefined) return [];
    return [
      {
        kind: 'mismatch',
        message: `${odd.path} ran with another ${what} (${value(odd) ?? 'none'}) than ${known[0]?.path} (${value(known[0] ?? odd) ?? 'none'}).`,
        remedy,
      },
    ];
  };
  return [
    ...differing('seed', (worker) => worker.seed, 'give all workers the same SEED'),
    ...differing(
      'script',
      (worker) => worker.scriptSha?.slice(0, 12),
      'build once and give all workers the same bundle',
    ),
    ...differing('target', (worker) => worker.target, 'give all workers the same BASE_URL'),
    ...differing(
      'load',
      (worker) => worker.load,
      'give all workers the same scenario and settings; segments share it out',
    ),
    ...differing(
      'segment sequence',
      (worker) => worker.sequence,
      'give all workers the same --execution-segment-sequence',
    ),
  ];
}

function gaps(workers: readonly WorkerFacts[]): Problem[] {
  const without = workers.filter((worker) => worker.segment === undefined);
  if (without.length > 0) {
    return [
      {
        kind: 'mismatch',
        message: `${without[0]?.path} ran without an execution segment, so it sent the whole load itself.`,
        remedy: 'give every worker its --execution-segment',
      },
    ];
  }
  const parts = workers
    .map((worker) => parseSegment(worker.segment ?? '') ?? WHOLE_SEGMENT)
    .sort((a, b) => compareFractions(a.from, b.from) || compareFractions(a.to, b.to));
  const problems: Problem[] = [];
  let reached = WHOLE_SEGMENT.from;
  for (const { from, to } of parts) {
    const apart = compareFractions(from, reached);
    const further = compareFractions(to, reached) > 0;
    if (apart > 0) problems.push(missing(reached, from));
    if (apart < 0) problems.push(overlapping(from, further ? reached : to));
    if (further) reached = to;
  }
  if (compareFractions(reached, WHOLE_SEGMENT.to) < 0) problems.push(missing(reached, WHOLE_SEGMENT.to));
  return problems;
}

function overlapping(from: Fraction, to: Fraction): Problem {
  return {
    kind: 'doubled',
    message: `More than one worker ran the segment from ${fractionText(from)} to ${fractionText(to)}: that part of the load was sent twice.`,
    remedy: 'give the workers segments that follow each other, such as 0:1/2 and 1/2:1',
  };
}

function missing(from: Fraction, to: Fraction): Problem {
  return {
    kind: 'missing',
    message: `No worker ran the segment from ${fractionText(from)} to ${fractionText(to)}: that part of the load is missing.`,
    remedy: 'find the results of that worker; if it died, run again',
  };
}
