/** The result as a table for people. */
import { percent } from '../../../lib/model/figures.ts';
import { numberTable } from '../../base/terminal-table.ts';
import { shorten, visibleAll } from '../../base/terminal-text.ts';
import { goodnessText } from '../fit/popularity-goodness.ts';
import type { ThinkFit } from '../fit/think-fit.ts';
import type { TrafficModel } from '../model/model.ts';
import { catalogueText } from '../model/popularity-model.ts';

const number = (n: number): string => n.toLocaleString('en-US');
/** Sessions per second; of slow ones the first three digits that say anything. */
const rate = (x: number): string => (x === 0 || x >= 0.1 ? x.toFixed(3) : x.toPrecision(3));
const short = (x: number): string => (Math.abs(x) >= 100 ? x.toFixed(0) : x.toPrecision(3));

/** Rows of think times, of all sessions and of single flows. */
const MOST_STEPS = 20;
/** All times are shown in UTC, whatever the zone of the log. */
const utc = (time: string): string => `${time.replace('T', ' ').replace(/\.000Z$|Z$/, '')} UTC`;

export function textReport(found: TrafficModel): string {
  const model = visibleAll(found);
  const parts = [
    lines(model),
    noise(model),
    endpoints(model),
    sessions(model),
    thinkTimes(model),
    popularity(model),
    arrivals(model),
    sizing(model),
  ];
  if (model.remarks.length > 0) parts.push(`Remarks\n${model.remarks.map((remark) => `  - ${remark}`).join('\n')}`);
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function lines(model: TrafficModel): string {
  const { lines: l } = model;
  const files = model.files.map((file) => {
    const formats = Object.entries(file.formats)
      .map(([name, n]) => `${name} ${number(n)}`)
      .join(', ');
    const packed = file.compression === 'none' ? '' : `, ${file.compression}`;
    const bad = file.firstMalformed.map((place) => `    line ${place.line}: ${place.reason}`);
    const more = file.lines.malformed - file.firstMalformed.length;
    if (more > 0) bad.push(`    and ${number(more)} more`);
    return [
      `  ${file.name}: ${number(file.lines.physical)} lines${packed}${formats === '' ? '' : ` (${formats})`}${file.from === undefined ? '' : `, ${utc(file.from)} to ${utc(file.to ?? file.from)}`}`,
      ...bad,
    ].join('\n');
  });
  return [
    `Lines ${number(l.physical)} = ${number(l.records)} records + ${number(l.withoutRequest)} without a request + ${number(l.blank)} blank + ${number(l.directive)} directives + ${number(l.other)} other + ${number(l.malformed)} malformed`,
    ...files,
    `  answers: ${Object.entries(model.statusClasses)
      .map(([name, n]) => `${name} ${number(n)}`)
      .join(', ')}`,
  ].join('\n');
}

function noise(model: TrafficModel): string {
  if (model.noise.length === 0) return '';
  const rows = model.noise.map((one) => [
    one.class,
    number(one.records),
    percent(one.share),
    one.leftOut ? 'left out' : 'kept',
    one.rule,
  ]);
  return `Noise (switch with --keep and --drop)\n${numberTable(rows)}`;
}

function endpoints(model: TrafficModel): string {
  const rows = [['endpoint', 'requests', 'share', '95 % interval', 'p50 ms', 'p95 ms']];
  for (const e of model.endpoints.slice(0, 40)) {
    rows.push([
      shorten(e.name),
      number(e.requests),
      percent(e.share),
      `${percent(e.interval[0])} - ${percent(e.interval[1])}`,
      e.latency === undefined ? '-' : short(e.latency.p50Ms),
      e.latency === undefined ? '-' : short(e.latency.p95Ms),
    ]);
  }
  const rest = model.endpoints.length - 40;
  return `Endpoints\n${numberTable(rows)}${rest > 0 ? `\n  and ${rest} more (--json has them all)` : ''}`;
}

function sessions(model: TrafficModel): string {
  const { sessions: s, flows } = model;
  if (s.refused !== undefined) return `Sessions refused: ${s.refused}`;
  const clients = `${model.clients.relativeError > 0 ? `~${number(model.clients.count)} (+-${percent(2 * model.clients.relativeError)})` : number(model.clients.count)} clients`;
  const rows = [
    ['flow', 'sessions', 'share', '95 % interval', flows.kind === 'given' ? 'seen whole' : 'most frequent form'],
  ];
  for (const flow of flows.flows) {
    rows.push([
      flow.name,
      number(flow.sessions),
      percent(flow.share),
      `${percent(flow.interval[0])} - ${percent(flow.interval[1])}`,
      flows.kind === 'given' ? number(flow.exact) : formText(flow),
    ]);
  }
  const residuals = flows.residuals.filter((one) => Math.abs(one.residual) > 0.01 * Math.max(1, one.requests));
  return [
    `Sessions ${number(s.count)} of ${clients}, ${s.requestsPerSession.toFixed(2)} requests and ${s.meanSeconds.toFixed(1)} s each`,
    `  a session ends after ${s.gapSeconds.toFixed(0)} s of silence: ${s.gapReason}`,
    `  time stamps: ${s.stamps}; step ${s.resolutionMs} ms`,
    ...(flows.flows.length === 0 ? [] : [numberTable(rows)]),
    ...residuals.map(
      (one) =>
        `  not explained by the flows: ${one.residual > 0 ? '+' : ''}${number(one.residual)} of ${number(one.requests)} requests of ${one.endpoint}`,
    ),
    // Of discovered flows they are among the remarks.
    ...(flows.kind === 'given' ? flows.warnings : []).map((warning) => `  note: ${warning}`),
  ].join('\n');
}

/** The most frequent form of a discovered flow, and how much of it that is. */
function formText({ steps, exact, sessions, sent }: TrafficModel['flows']['flows'][number]): string {
  const mean = `${(sent?.requestsPerSession ?? steps.length).toFixed(2)} requests`;
  if (steps.length === 0) return `(a chain), ${mean}`;
  const form = shorten(steps.join(' > '), 160);
  return exact === sessions ? form : `${form} (${percent(exact / sessions)} of them; ${mean})`;
}

export function lawText(fit: ThinkFit): string {
  const family = fit.families.find((one) => one.family === fit.best);
  if (family === undefined) return `empirical, median ${fit.median.toFixed(2)} s`;
  const names: Readonly<Record<string, string>> = { min: 's', max: 's', mean: 's', scale: 's' };
  return `${family.family} ${family.parameters.map((p) => `${p.name} ${p.value.toFixed(3)} [${p.interval[0].toFixed(3)}, ${p.interval[1].toFixed(3)}]${names[p.name] === undefined ? '' : ' s'}`).join(', ')}${family.strays === undefined ? '' : `, ${family.strays} strays left out`}`;
}

/** What the workload takes: laws of all sessions, and of a flow's own where those are others. */
function thinkTimes(model: TrafficModel): string {
  if (model.thinkTimes.length === 0) return '';
  const own = model.flows.flows.flatMap((flow) =>
    (flow.thinkTimes ?? [])
      .filter((one) => one.fit !== undefined)
      .map((one) => ({ ...one, step: `${one.step} in ${flow.name}` })),
  );
  const rows = [['step', 'gaps', 'mean s', 'law with 95 % intervals', 'distance D']];
  for (const one of [...model.thinkTimes.slice(0, MOST_STEPS), ...own.slice(0, MOST_STEPS)]) {
    if (one.fit === undefined) rows.push([one.step, number(one.n), '-', `refused: ${one.refused}`, '-']);
    else
      rows.push([
        one.step,
        // The intervals are those of the sample.
        one.fit.fitted < one.n ? `${number(one.fit.fitted)} of ${number(one.n)}` : number(one.n),
        one.fit.mean.toFixed(2),
        lawText(one.fit),
        (one.fit.families[0]?.distance ?? 0).toFixed(3),
      ]);
  }
  const rest = Math.max(0, model.thinkTimes.length - MOST_STEPS) + Math.max(0, own.length - MOST_STEPS);
  return `Think times\n${numberTable(rows)}${rest > 0 ? `\n  and ${rest} more (--json has them all)` : ''}`;
}

function popularity(model: TrafficModel): string {
  const p = model.popularity;
  if ('refused' in p) return `Popularity refused: ${p.refused}`;
  const rows = p.families.map((one) => [
    one.family === 'power' ? `power g (index = floor(N u^g))` : 'zipf s (k^-s)',
    one.exponent.toFixed(3),
    one.interval === undefined ? '' : `[${one.interval[0].toFixed(3)}, ${one.interval[1].toFixed(3)}]`,
    `log-likelihood ${one.logLikelihood.toFixed(1)}`,
  ]);
  const verdict = !p.powerLaw
    ? `not a power law: ${goodnessText(p.goodness)}; the curve itself is used`
    : p.family === 'either'
      ? `power and zipf cannot be told apart with ${number(p.views)} views; ${p.law.law} is written (${goodnessText(p.goodness)})`
      : `${p.family} it is: ${goodnessText(p.goodness)}`;
  return [
    `Popularity of ${p.endpoint}: ${number(p.views)} views of ${number(p.distinct)} items (${p.powerLaw ? `${number(Math.round(p.expectedDistinct))} expected, ` : ''}${percent(p.oneHit)} seen once), catalogue of ${catalogueText(p)}`,
    numberTable(rows),
    `  ${verdict}`,
    ...(p.top.length === 0
      ? []
      : [
          `  ${p.top.map((t) => `top ${t.top}: ${percent(t.share)}${p.powerLaw ? ` (${percent(t.expected)} expected)` : ''}`).join(', ')}`,
        ]),
    ...(p.drift === undefined
      ? []
      : [
          `  first against last ${number(p.drift.views)} views: ${p.drift.common} of the top ${p.drift.of} in common, ${p.drift.drifted ? `popularity drifts (p = ${p.drift.p.toPrecision(2)})` : `no drift shown (p = ${p.drift.p.toPrecision(2)})`}`,
        ]),
  ].join('\n');
}

function arrivals(model: TrafficModel): string {
  const a = model.arrivals;
  if ('refused' in a) return `Arrivals refused: ${a.refused}`;
  const rows = [
    ['window s', ...a.dispersion.map((d) => String(d.seconds))],
    ['index', ...a.dispersion.map((d) => d.index.toFixed(2))],
    ['Poisson', ...a.dispersion.map((d) => `${d.poisson[0].toFixed(2)}-${d.poisson[1].toFixed(2)}`)],
  ];
  return [
    `Arrivals ${rate(a.rate)} sessions/s [${rate(a.interval[0])}, ${rate(a.interval[1])}], ${number(a.sessions)} sessions in ${number(Math.round(a.seconds))} s`,
    ...(a.busiestHour === undefined
      ? []
      : [
          `  busiest of ${number(a.busiestHour.hours)} hours, from ${utc(a.busiestHour.from)}: ${rate(a.busiestHour.rate)} sessions/s [${a.busiestHour.interval.map(rate).join(', ')}]`,
        ]),
    ...(a.dispersion.length === 0 ? [] : [`  index of dispersion (1 is Poisson): ${a.process}`, numberTable(rows)]),
  ].join('\n');
}

function sizing(model: TrafficModel): string {
  const s = model.sizing;
  const parts: string[] = [];
  if (s.openSessions !== undefined) parts.push(`${s.openSessions.toFixed(0)} open sessions on average (Little's law)`);
  if (s.meanLatencyMs !== undefined)
    parts.push(`request duration mean ${short(s.meanLatencyMs)} ms, p95 ${short(s.p95LatencyMs ?? 0)} ms`);
  if (s.ordersPerHour !== undefined) parts.push(`stock for ${number(Math.ceil(s.ordersPerHour))} orders an hour`);
  if (model.cdn.known > 0) parts.push(`a cache in front answered ${percent(model.cdn.share)}`);
  return parts.length === 0 ? '' : `Sizing\n${parts.map((part) => `  ${part}`).join('\n')}`;
}
