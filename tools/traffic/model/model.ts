/** The whole result as plain data: what `--json` prints and what table, page and workload.json are made from. */

import type { LineCounts } from '../pass/accounting.ts';
import { CLASSES, perRoute } from '../pass/accounting.ts';
import { type LogFacts, OWN_SHARE } from '../pass/analyse-log.ts';
import type { PassResult } from '../pass/full-pass.ts';
import { DEFAULT_DROPPED, NOISE, NOISE_RULES, type NoiseClass } from '../pass/noise.ts';
import { readableName } from '../templates/name-text.ts';
import { type Arrivals, arrivalsOf, withUnidentified } from './arrivals-choice.ts';
import { discoveredFlows } from './discovered-flows.ts';
import { type EndpointShare, shareInterval } from './endpoint-shares.ts';
import { type ClientCount, classesOf, type FileModel, fileModel } from './file-model.ts';
import { ownFlows } from './flow-shapes.ts';
import { type FlowsModel, givenFlows } from './flows-model.ts';
import { type KnownCatalogue, type PopularityModel, popularityModel, popularityRemarks } from './popularity-model.ts';
import { remarksOf, sessionsRefused } from './remarks.ts';
import { identificationRemarks, identifySessions, withoutSessionBoundaries } from './session-identification.ts';
import { type Sizing, sizingOf } from './sizing.ts';
import { type ThinkTimeModel, thinkTimeModels } from './think-model.ts';

const TRAFFIC_SCHEMA_VERSION = 1;

export interface TrafficModel {
  readonly tool: 'bookstore-load traffic';
  readonly schemaVersion: typeof TRAFFIC_SCHEMA_VERSION;
  readonly partial: boolean;
  readonly lines: LineCounts;
  /** Requests that the mix, sessions and views are made of (without noise), and when the first and the last began. */
  readonly used: { readonly requests: number; readonly from?: string; readonly to?: string };
  readonly endpoints: readonly EndpointShare[];
  readonly statusClasses: Readonly<Record<string, number>>;
  readonly clients: ClientCount;
  readonly sessions: {
    readonly count: number;
    readonly requestsPerSession: number;
    readonly meanSeconds: number;
    readonly gapSeconds: number;
    readonly gapReason: string;
    readonly shapes: readonly {
      readonly steps: readonly string[];
      readonly sessions: number;
      readonly share: number;
    }[];
    readonly sharedSessions: number;
    readonly late: number;
    readonly overlapping: number;
    readonly stamps: string;
    readonly resolutionMs: number;
    /** Why nothing can be said of sessions. */
    readonly refused?: string;
  };
  readonly flows: FlowsModel;
  readonly thinkTimes: readonly ThinkTimeModel[];
  readonly popularity: PopularityModel;
  readonly arrivals: Arrivals;
  readonly noise: readonly {
    readonly class: string;
    readonly records: number;
    readonly share: number;
    readonly leftOut: boolean;
    readonly rule: string;
  }[];
  readonly cdn: { readonly share: number; readonly known: number };
  readonly sizing: Sizing;
  readonly templates: readonly string[];
  readonly remarks: readonly string[];
  readonly files: readonly FileModel[];
}
const BY_REQUESTS =
  'sessions cannot be told apart here: their rate is what the flows need to send the requests counted, and steps that also lead from one session to the next have no think time from long sessions; log a session id to have the sessions themselves';

export interface ModelOptions {
  /** Items that exist; those of a known catalogue or an estimate when absent. */
  readonly catalogue?: number;
  readonly knownCatalogue?: KnownCatalogue;
  readonly compress?: number;
  /** Item ids are written out (digits only); otherwise items are ranks. */
  readonly items?: boolean;
  readonly replicates?: number;
}

/** What is left of the sessions where nothing can be said of them. */
const NO_SESSIONS = {
  sessions: 0,
  requests: 0,
  sequences: [],
  sequencesLost: 0,
  clusterGaps: [],
  transitions: [],
  shortTransitions: [],
  longTransitions: [],
  ends: { sessions: 0, requests: 0, ends: new Map<number, number>() },
};

export function buildModel(facts: LogFacts, options: ModelOptions = {}): TrafficModel {
  const { pass, learned, routes } = facts;
  const { total } = pass;
  const nameOf = (route: number): string => readableName(routes.names[route] ?? '?');
  const refused = sessionsRefused(total);
  const sessions = refused === undefined ? pass.sessions : { ...pass.sessions, ...NO_SESSIONS };
  const { sequences } = sessions;
  const requests = new Map<string, number>();
  const kept = perRoute(total);
  const counted = [...kept.values()].reduce((sum, n) => sum + n, 0);
  for (const [route, n] of kept) requests.set(nameOf(route), (requests.get(nameOf(route)) ?? 0) + n);
  const own = ownFlows(facts.suite);
  const ownRequests = own
    .flatMap((flow) => Object.keys(flow.requests))
    .filter((name, i, all) => all.indexOf(name) === i);
  const ownShare = ownRequests.reduce((sum, name) => sum + (requests.get(name) ?? 0), 0) / Math.max(1, counted);
  const timing = {
    nameOf,
    stepSeconds: learned.resolution / 1000,
    cutSeconds: learned.gap.ms / 1000,
    suite: facts.suite,
  };
  const flows =
    ownShare >= OWN_SHARE
      ? givenFlows(own, requests, sequences, nameOf)
      : discoveredFlows({ ...sessions, sharedSessions: sessions.shared.sessions }, timing);
  const identification = identifySessions(sessions, flows.kind === 'given' ? own : undefined, nameOf);
  const { identified } = identification;
  const found: Arrivals =
    refused === undefined ? arrivalsOf(sessions, flows, identification, counted, options.compress) : { refused };
  const arrivals = 'refused' in found ? undefined : found;
  const byRequests = arrivals?.basis === 'requests';
  const oneUsers = byRequests
    ? withoutSessionBoundaries(identification, sessions, own, nameOf)
    : identification.transitions;
  const gaps = refused === undefined ? oneUsers : [];
  const popularity = popularityModel(facts, options);
  const endpoints: EndpointShare[] = [...kept]
    .sort((a, b) => b[1] - a[1])
    .map(([route, n]) => {
      const latency = pass.latencies.of(route);
      return {
        name: nameOf(route),
        requests: n,
        share: n / counted,
        interval: shareInterval(route, n, counted, sequences),
        statusClasses: classesOf(total.endpoints.slice(route * CLASSES, (route + 1) * CLASSES)),
        ...(latency === undefined
          ? {}
          : {
              latency: {
                n: latency.n,
                meanMs: latency.meanMs,
                p50Ms: latency.quantileMs(0.5),
                p95Ms: latency.quantileMs(0.95),
              },
            }),
      };
    });
  const perSession = (amount: number): number =>
    refused === undefined && identified.sessions > 0 ? amount / identified.sessions : 0;
  const clients = { ...sessions.clients, shared: sessions.shared.clients };
  const sequenceTotal = sequences.reduce((sum, sequence) => sum + sequence.n, 0);
  return {
    tool: 'bookstore-load traffic',
    schemaVersion: TRAFFIC_SCHEMA_VERSION,
    partial: pass.partial,
    lines: total.lines,
    used: { requests: counted, ...spanOf(pass.sessions) },
    endpoints,
    statusClasses: classesOf(total.statusClasses),
    clients,
    sessions: {
      count: refused === undefined ? identified.sessions : 0,
      requestsPerSession: perSession(identified.requests),
      meanSeconds: perSession(identified.length) / 1000,
      gapSeconds: learned.gap.ms / 1000,
      gapReason: learned.gap.reason,
      shapes: sequences.slice(0, 20).map((sequence) => ({
        steps: sequence.cut ? ['(longer)'] : sequence.steps.map(nameOf),
        sessions: sequence.n,
        share: sequence.n / Math.max(1, sequenceTotal),
      })),
      sharedSessions: identification.unidentified.sessions,
      late: sessions.late,
      overlapping: sessions.overlapping,
      stamps: learned.stampReason,
      resolutionMs: learned.resolution,
      ...(refused === undefined ? {} : { refused }),
    },
    flows,
    thinkTimes: thinkTimeModels(gaps, timing),
    popularity,
    arrivals: found,
    noise: NOISE.slice(1)
      .map((name, i) => ({
        class: name,
        records: total.noise[i + 1] ?? 0,
        share: (total.noise[i + 1] ?? 0) / Math.max(1, total.lines.records),
        leftOut: facts.dropped[i + 1] === 1,
        rule: NOISE_RULES[name as Exclude<NoiseClass, 'none'>],
      }))
      .filter((one) => one.records > 0 || one.leftOut !== DEFAULT_DROPPED.includes(one.class as NoiseClass)),
    cdn: { share: total.cacheKnown > 0 ? total.cacheHits / total.cacheKnown : 0, known: total.cacheKnown },
    sizing: sizingOf(facts, arrivals, identification, requests),
    templates: endpoints.map((endpoint) => endpoint.name),
    remarks: [
      ...remarksOf(facts),
      ...(refused === undefined
        ? identificationRemarks(
            identification,
            byRequests,
            Math.round(withUnidentified(identification) - identified.sessions),
          )
        : []),
      ...(byRequests ? [BY_REQUESTS] : []),
      ...popularityRemarks(popularity),
      ...(flows.kind === 'discovered' ? flows.warnings : []),
    ],
    files: pass.files.map((file, i) => ({
      ...fileModel(file.name, facts.sources[i]?.compression ?? 'none', file.counts, nameOf),
      ...(pass.files.length === 1 ? { clients } : {}),
    })),
  };
}

function spanOf({ firstRequest, lastRequest }: PassResult['sessions']): { from?: string; to?: string } {
  return firstRequest <= lastRequest
    ? { from: new Date(firstRequest).toISOString(), to: new Date(lastRequest).toISOString() }
    : {};
}
