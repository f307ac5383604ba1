/** Whether workers add up to one run: pure, on what is known of each. */
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

/** Codes of workers that ran their part to its end. */
const TO_THE_END: readonly number[] = [0, 99, 101];

/** Workers that lack a part of their samples. One Ctrl-C ends all alike: then the union is the run as far as it went. */
function killed(workers: readonly WorkerFacts[]): Problem[] {
  const ended = ({ ending }: WorkerFacts) =>
    ending === undefined || (ending.exitCode !== undefined && TO_THE_END.includes(ending.exitCode));
  const gently = ({ ending }: WorkerFacts) => ending?.exitCode === 105;
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
          message: `${worker.path} and ${other.path} hold the same requests: ${(100 * sharedBy(worker, other)).toFixed(0)} % of the smaller one's stand in both, to the last digit of their durations.`,
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
  return Math.max(0, ...known.filter(({ path, of }) => path === of.path).map(({ share }) => share));
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
    .map((worker) => parseSegment(worker.segment ?? ''))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const problems: Problem[] = [];
  let reached = 0;
  for (const { from, to } of parts) {
    if (from > reached + 1e-9) problems.push(missing(reached, from));
    if (from < reached - 1e-9) problems.push(overlapping(from, Math.min(reached, to)));
    reached = Math.max(reached, to);
  }
  if (reached < 1 - 1e-9) problems.push(missing(reached, 1));
  return problems;
}

function overlapping(from: number, to: number): Problem {
  return {
    kind: 'doubled',
    message: `More than one worker ran the segment from ${fractionText(from)} to ${fractionText(to)}: that part of the load was sent twice.`,
    remedy: 'give the workers segments that follow each other, such as 0:1/2 and 1/2:1',
  };
}

function missing(from: number, to: number): Problem {
  return {
    kind: 'missing',
    message: `No worker ran the segment from ${fractionText(from)} to ${fractionText(to)}: that part of the load is missing.`,
    remedy: 'find the results of that worker; if it died, run again',
  };
}

/** `1/4:1/2` as numbers; a single value is the length from 0. */
export function parseSegment(segment: string): { from: number; to: number } {
  const number = (text: string) => {
    const [above = '0', below = '1'] = text.split('/');
    return above.endsWith('%') ? Number(above.slice(0, -1)) / 100 : Number(above) / Number(below);
  };
  const [from = '0', to] = segment.split(':');
  return to === undefined ? { from: 0, to: number(from) } : { from: number(from), to: number(to) };
}

function fractionText(value: number): string {
  for (let below = 1; below <= 64; below++) {
    const above = value * below;
    if (Math.abs(above - Math.round(above)) < 1e-9)
      return below === 1 ? String(Math.round(above)) : `${Math.round(above)}/${below}`;
  }
  return value.toFixed(4);
}
