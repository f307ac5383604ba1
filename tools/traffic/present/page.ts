/** One HTML page that needs no network: the table, and plots of popularity, think times, arrivals and the session graph. */

import { escapeMarkup } from '../../../lib/model/markup.ts';
import { popularityCdf } from '../../../lib/model/popularity.ts';
import { thinkTimeCdf } from '../../../lib/model/think-times.ts';
import type { PopularityLaw } from '../../../lib/model/workload.ts';
import { suiteAtHand } from '../../results/suite-facts.ts';
import type { ThinkFit } from '../fit/think-fit.ts';
import { FAMILIES, smearedDensity } from '../fit/think-laws.ts';
import type { StepTable } from '../model/flow-shapes.ts';
import type { TrafficModel } from '../model/model.ts';
import type { ThinkTimeModel } from '../model/think-model.ts';
import { sessionGraph } from './session-graph.ts';
import { plot } from './svg.ts';
import { lawText, textReport } from './text.ts';

const BLUE = '#1f6feb';
const RED = '#c93c37';
const GREEN = '#2da44e';

/** @param suite names the steps */
export function page(model: TrafficModel, suite: StepTable = suiteAtHand()): string {
  const plots = [popularityPlot(model), ...thinkPlots(model), ...arrivalPlots(model)].filter((part) => part !== '');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Workload from access logs</title>
<style>
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1180px;padding:0 1rem;color:#1f2328;background:#fff}
pre{overflow:auto;background:#f6f8fa;padding:1rem;font-size:12.5px}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:1.2rem}
svg{width:100%;height:auto;font:11px system-ui,sans-serif;fill:#57606a}
svg .title{font-weight:600;font-size:13px;fill:#1f2328}.grid{stroke:#d8dee4;stroke-width:.6}.axis{stroke:#57606a}.bar{fill:#b6d4fe}
@media (prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}pre{background:#161b22}svg{fill:#9198a1}svg .title{fill:#e6edf3}.grid{stroke:#30363d}.bar{fill:#1f3b63}}
</style></head><body>
<h1>Workload from access logs</h1>
${model.partial ? '<p><strong>Partial: the reading was stopped before the end.</strong></p>' : ''}
<div class="plots">${plots.join('\n')}</div>
<h2>Sessions</h2>${sessionGraph(model, suite)}
<h2>Everything in figures</h2>
<pre>${escapeMarkup(textReport(model))}</pre>
</body></html>
`;
}

function popularityPlot(model: TrafficModel): string {
  const p = model.popularity;
  if ('refused' in p) return '';
  const points = (law: PopularityLaw): [number, number][] => {
    const cdf = popularityCdf(law, p.catalogue);
    const list: [number, number][] = [];
    for (let rank = 1; rank <= p.catalogue; rank = Math.max(rank + 1, Math.floor(rank * 1.15))) {
      list.push([rank, p.views * (cdf(rank) - cdf(rank - 1))]);
    }
    return list;
  };
  const lines = p.families.map((one, i) => ({
    label: `${one.family} ${one.exponent.toFixed(3)}${i === 0 ? ' (better)' : ''}`,
    colour: i === 0 ? RED : GREEN,
    points: points(one.family === 'power' ? { law: 'power', g: one.exponent } : { law: 'zipf', s: one.exponent }),
  }));
  const observed = { label: 'observed', colour: BLUE, marks: true, points: p.rankCurve };
  return plot({
    title: `Popularity of ${p.endpoint}`,
    x: 'rank',
    y: 'views',
    logX: true,
    logY: true,
    lines: [observed, ...lines],
  });
}

function thinkPlots(model: TrafficModel): string[] {
  return model.thinkTimes.slice(0, 8).map((one) => thinkPlot(one, model.sessions.resolutionMs / 1000));
}

function thinkPlot(one: ThinkTimeModel, step: number): string {
  if (one.fit === undefined || one.histogram === undefined) return '';
  const { histogram, fit } = one;
  const from = histogram.from;
  const to = from + histogram.width * histogram.counts.length;
  const total = histogram.counts.reduce((sum, n) => sum + n, 0);
  const bars = histogram.counts.map((n, i): [number, number, number] => [
    from + i * histogram.width,
    from + (i + 1) * histogram.width,
    n / total / histogram.width,
  ]);
  const density = densityOf(fit, Math.max(step, (to - from) / 400), (to - from) / 60);
  const label = lawText(fit).replace(/ \[[^\]]*\]/g, '');
  const points = Array.from({ length: 200 }, (_, i): [number, number] => {
    const x = from + ((to - from) * i) / 199;
    return [x, density(x)];
  });
  const lines = [{ label, colour: RED, points }];
  return plot({ title: `Think time ${one.step}, n = ${one.n}`, x: 'seconds', y: 'density', lines, bars });
}

/** Density of the law that is written; of quantiles the mean over a window. */
function densityOf(fit: ThinkFit, step: number, window: number): (x: number) => number {
  const family = fit.families.find((candidate) => candidate.family === fit.best);
  if (family !== undefined) {
    const parameters = family.parameters.map((e) => e.value);
    return (x) => smearedDensity(FAMILIES[family.family], parameters, x, step);
  }
  const cdf = thinkTimeCdf(fit.law);
  const half = Math.max(step, window);
  return (x) => (cdf(x + half) - cdf(x - half)) / (2 * half);
}

function arrivalPlots(model: TrafficModel): string[] {
  const a = model.arrivals;
  if ('refused' in a) return [];
  const time = (from: string): number => Date.parse(from);
  const rates = plot({
    title: `Arrivals over time, ${a.from.slice(0, 10)}${a.from.slice(0, 10) === a.to.slice(0, 10) ? '' : ` to ${a.to.slice(0, 10)}`}`,
    x: 'time (UTC)',
    y: 'per second',
    timeX: true,
    lines: [
      { label: 'sessions', colour: BLUE, points: a.series.map((s) => [time(s.from), s.sessions]) },
      { label: 'requests', colour: GREEN, points: a.series.map((s) => [time(s.from), s.requests]) },
    ],
  });
  if (a.dispersion.length === 0) return [rates];
  const dispersion = plot({
    title: `Index of dispersion of session starts: ${a.process}`,
    x: 'window, s',
    y: 'index (Poisson 1)',
    logX: true,
    lines: [
      { label: 'log', colour: BLUE, points: a.dispersion.map((d) => [d.seconds, d.index]) },
      { label: '95 % of Poisson', colour: RED, points: a.dispersion.map((d) => [d.seconds, d.poisson[0]]) },
      { label: '', colour: RED, points: a.dispersion.map((d) => [d.seconds, d.poisson[1]]) },
    ],
  });
  return [rates, dispersion];
}
