/** Makes workload.json of a model. */
import { largest } from '../../../lib/model/extremes.ts';
import { percent } from '../../../lib/model/figures.ts';
import type { Flow, ThinkTimeLaw, Workload } from '../../../lib/model/workload.ts';
import { WORKLOAD_SCHEMA_VERSION } from '../../../lib/model/workload.ts';
import type { SuiteFacts } from '../../../lib/plan/suite-facts.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import { suiteAtHand } from '../../results/suite-facts.ts';
import { goodnessText } from '../fit/popularity-goodness.ts';
import { THINK_MINIMUM } from '../fit/think-fit.ts';
import { discoveredParts } from './discovered-out.ts';
import { ownFlows } from './flow-shapes.ts';
import type { TrafficModel } from './model.ts';
import { catalogueText } from './popularity-model.ts';
import { ASSUMED_THINK, type FlowParts, lawNote } from './workload-parts.ts';

export interface WorkloadOptions {
  /** Session rate of the busiest hour instead of the mean. */
  readonly peak: boolean;
  /** Shown as the source; file names stay out unless the user gives one. */
  readonly source?: string;
  /** The suite at hand by default. */
  readonly suite?: SuiteFacts;
}

/**
 * @throws UserError (exit 3) when the log lacks a part that a workload cannot do without
 */
export function toWorkload(model: TrafficModel, options: WorkloadOptions): Workload {
  const { arrivals, popularity } = model;
  const suite = options.suite ?? suiteAtHand();
  const notes: string[] = [];
  if (model.partial) notes.push('partial: the reading was stopped before the end of the logs');
  if ('refused' in arrivals) throw noWorkload(`no arrival rate: ${arrivals.refused}`);
  if (model.flows.refused !== undefined) throw noWorkload(model.flows.refused);
  if (model.flows.flows.length === 0)
    throw noWorkload('no flow: no session was found; give logs with time stamps and clients');
  const peak = options.peak ? arrivals.busiestHour : undefined;
  if (options.peak && peak === undefined) notes.push('no busiest hour: the log is shorter than two hours');
  const law = 'refused' in popularity ? ({ law: 'uniform' } as const) : popularity.law;
  if ('refused' in popularity) notes.push(`popularity uniform for want of data: ${popularity.refused}`);
  else notes.push(popularityNote(popularity));
  const { rate, interval, sessions, seconds } = peak === undefined ? arrivals : { ...peak, seconds: 3600 };
  const [low, high] = interval;
  notes.push(
    `arrival rate ${peak === undefined ? 'over the whole log' : `of the busiest of ${peak.hours} hours`}, ${sessions} sessions in ${Math.round(seconds)} s, 95 % interval ${low.toPrecision(4)} to ${high.toPrecision(4)}; process ${arrivals.process}`,
  );
  for (const flow of model.flows.flows) {
    notes.push(
      `${flow.name}: ${percent(flow.share)} of sessions, 95 % interval ${percent(flow.interval[0])} to ${percent(flow.interval[1])}, n = ${flow.sessions}`,
    );
  }
  const shares = roundedShares(model.flows.flows.map((flow) => flow.share));
  if (model.flows.kind === 'discovered') notes.push(...model.flows.warnings);
  const { flows, endpoints } =
    model.flows.kind === 'discovered'
      ? discoveredParts(model, shares, notes, suite)
      : givenParts(model, shares, notes, suite);
  const latency = model.sizing.meanLatencyMs;
  if (latency === undefined) notes.push('latency assumed (20 ms healthy, 1 s degraded): the log has no durations');
  const healthyMs = latency === undefined ? 20 : Math.max(0.1, round(latency));
  return {
    schemaVersion: WORKLOAD_SCHEMA_VERSION,
    provenance: {
      source: `${options.source ?? 'access log'}: ${usedOf(model)}`,
      notes,
    },
    arrivals: {
      rate: round(rate),
      process: 'poisson',
      // One stage says no more than the rate.
      ...(arrivals.stages.length > 1 ? { stages: arrivals.stages } : {}),
    },
    ...(endpoints === undefined ? {} : { endpoints }),
    flows,
    popularity: law,
    latency: { healthyMs, degradedMs: Math.max(1000, healthyMs * 10) },
    cdnShare: round(model.cdn.share),
  };
}

/** What the workload is made of; the rest of the requests is noise. */
function usedOf({ used, lines, partial }: TrafficModel): string {
  const share = used.requests === lines.records ? `${used.requests}` : `${used.requests} of ${lines.records}`;
  return `${share} requests from ${used.from} to ${used.to}${partial ? ', a part of the logs' : ''}`;
}

function popularityNote(p: Exclude<TrafficModel['popularity'], { refused: string }>): string {
  const best = p.families[0];
  const interval = best?.interval?.map((x) => x.toPrecision(4)).join(' to ');
  const base = `popularity from ${p.views} views of ${p.distinct} items, catalogue of ${catalogueText(p)}`;
  if (!p.powerLaw) return `${base}: no power law (${goodnessText(p.goodness)}), the curve itself is used`;
  return `${base}: ${best?.family} ${best?.exponent.toPrecision(4)}, 95 % interval ${interval}${p.family === 'either' ? '; power and zipf cannot be told apart here' : ''}`;
}

function givenParts(model: TrafficModel, shares: readonly number[], notes: string[], suite: SuiteFacts): FlowParts {
  const own = ownFlows(suite);
  const flows: Record<string, Flow> = {};
  model.flows.flows.forEach((flow, i) => {
    const thinks = own.find(({ name }) => name === flow.name)?.thinks ?? [];
    flows[flow.name] = { share: shares[i] as number, thinkTimes: thinkTimesOf(thinks, model, notes) };
  });
  return { flows };
}

/** @param thinks steps that the flow thinks at as it runs */
function thinkTimesOf(thinks: readonly string[], model: TrafficModel, notes: string[]): Record<string, ThinkTimeLaw> {
  const laws: Record<string, ThinkTimeLaw> = {};
  for (const step of thinks) {
    if (laws[step] !== undefined) continue;
    const found = model.thinkTimes.find((one) => one.step === step);
    if (found?.fit !== undefined) {
      laws[step] = found.fit.law;
      addOnce(notes, `${step}: ${lawNote(found.fit, found.n)}`);
    } else {
      laws[step] = ASSUMED_THINK;
      const why = found?.refused ?? `the log has no such gaps and a law takes ${THINK_MINIMUM}`;
      addOnce(notes, `${step}: think time assumed 1-5 s, ${why}`);
    }
  }
  return laws;
}

function addOnce(notes: string[], note: string): void {
  if (!notes.includes(note)) notes.push(note);
}

/** Six places that add up to exactly one. */
function roundedShares(shares: readonly number[]): number[] {
  const rounded = shares.map((share) => Math.round(share * 1e6) / 1e6);
  const rest = 1 - rounded.reduce((sum, share) => sum + share, 0);
  const main = rounded.indexOf(largest(rounded));
  rounded[main] = Number(((rounded[main] as number) + rest).toFixed(6));
  return rounded;
}

function noWorkload(why: string): UserError {
  return new UserError(`no workload can be made of this log, ${why}`, EXIT.noVerdict);
}
function round(x: number): number {
  return Number(x.toPrecision(5));
}
