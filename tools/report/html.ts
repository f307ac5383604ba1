/** The report: one HTML file that needs no network. Verdict first, numbers in tables, charts as help for the eye. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { largest } from '../../lib/model/extremes.ts';
import { elapsed, percent } from '../../lib/model/figures.ts';
import { escapeMarkup as e } from '../../lib/model/markup.ts';
import { escapeJson } from '../base/escape.ts';
import type { Analysis } from '../verdict/analyse.ts';
import type { Facts } from '../verdict/facts.ts';
import { changeable, during, withoutAnswer } from '../verdict/phrases.ts';
import { QUANTILES } from '../verdict/populations.ts';
import type { Reason } from '../verdict/rule.ts';
import { CLIENT } from './client.ts';
import type { ChartData } from './data.ts';
import { objectiveGroups } from './objectives.ts';
import { STYLE } from './style.ts';
import { number, planTable, populationTables } from './tables.ts';

export interface ReportOptions {
  /** Heading; default: run id or file names. */
  readonly title?: string;
  /** Quantile spectrum of another run, drawn dashed into this one's. */
  readonly overlay?: ChartData['spectrum'];
}

const SAYING = {
  VALID: 'No rule speaks against this test.',
  SUSPECT: 'Read the numbers below with the reasons in mind.',
  UNPROVEN: 'No rule speaks against this test, but facts are missing that could.',
  INVALID: 'The numbers below do not describe the test that was meant.',
} as const;

export function reportHtml(analysis: Analysis, charts: ChartData | undefined, options: ReportOptions = {}): string {
  const { verdict, facts, objectives } = analysis;
  const title = options.title ?? facts.run?.runId ?? facts.files.map((file) => file.path.split('/').pop()).join(', ');
  const heading = title === '' ? 'k6 run' : title;
  const figure = (id: string, name: string, text: string) =>
    `<figure><figcaption><b>${name}</b> ${text}</figcaption><div class="chart" id="${id}"></div></figure>`;
  const warning = verdict.status === 'INVALID' ? ' <span class="invalid">(the test is invalid)</span>' : '';
  const parts = [
    `<header><h1>${e(heading)}</h1><p class="dim">${e(circumstances(analysis))}</p>`,
    `<section class="banner ${verdict.status}" role="status" aria-label="Verdict on the test"><strong>${verdict.status}</strong> <span>Verdict on the test. ${SAYING[verdict.status]}</span>${reasonList(verdict.reasons)}${missingList(verdict.missing)}</section></header>`,
    `<main id="main"><section class="cards" aria-label="Totals">${cards(analysis)}</section>`,
    objectiveGroups(objectives),
    facts.summaryOnly
      ? '<p>Only a summary was given: no populations, no charts.</p>'
      : `<h2>Populations${warning}</h2>${populationTables(facts)}${blendNote(analysis)}`,
    `<h2>Planned against achieved</h2>${planTable(facts)}`,
  ];
  if (charts !== undefined) {
    const step = elapsed(charts.binSeconds);
    const phases = charts.phases.length === 0 ? '' : ` Shaded: ${e(charts.phases.map((one) => one.phase).join(', '))}.`;
    parts.push(
      '<h2>Over time</h2>',
      figure('latency', 'Latency by status class', `median, p95 and maximum in steps of ${step}, log axis.${phases}`),
      figure('errors', 'Requests, failures and drops', 'per second.'),
      figure(
        'heat',
        'Heat map',
        'of all answers: the stronger the colour the more answers, log scale in both colour and latency.',
      ),
      '<h2>Distribution</h2>',
      figure(
        'spectrum',
        'Quantile spectrum',
        'of 2xx answers; a line ends where fewer than ten samples lie beyond it.',
      ),
    );
    if (facts.vus.length > 1)
      parts.push('<h2>Generator</h2>', figure('vus', 'Open sessions', 'busy VUs against those made and allowed.'));
    if (generatorSeries(analysis) !== undefined) parts.push(figure('generator', 'Generator', 'CPU and memory.'));
  }
  parts.push(notJudgedList(analysis), '</main>', `<footer>${footer(analysis)}</footer>`);
  const data = {
    charts,
    spectrumAt: QUANTILES,
    overlay: options.overlay,
    vus: facts.vus,
    vusMax: facts.vusMax,
    maxVUs: facts.plan?.maxVUs,
    generator: generatorSeries(analysis),
  };
  const script =
    charts === undefined
      ? ''
      : `<script type="application/json" id="data">${escapeJson(data)}</script><script>${library('uPlot.iife.min.js')}</script><script>${CLIENT}</script>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${verdict.status}: ${e(heading)}</title><style>${library('uPlot.min.css')}${STYLE}</style></head>
<body><a class="skip" href="#main">Skip to the numbers</a>${parts.join('\n')}${script}</body></html>\n`;
}

function reasonList(reasons: readonly Reason[]): string {
  if (reasons.length === 0) return '';
  const item = (reason: Reason) =>
    `<li><details><summary><span class="tag ${reason.severity}">${reason.severity}</span> ${e(reason.message)}</summary><p><b>${e(reason.rule)}</b>. Limit: ${e(reason.limit)}. Remedy: ${e(reason.remedy)}.</p></details></li>`;
  return `<ul class="reasons">${reasons.map(item).join('')}</ul>`;
}

function missingList(missing: Analysis['verdict']['missing']): string {
  if (missing.length === 0) return '';
  const item = ({ fact, rules, bring }: (typeof missing)[number]) =>
    `<li><details><summary><span class="tag suspect">not known</span> ${e(fact)}</summary><p>${e(rules.join(', '))}. Bring it with ${e(bring)}.</p></details></li>`;
  return `<ul class="reasons">${missing.map(item).join('')}</ul>`;
}

function circumstances({ facts }: Analysis): string {
  const { run } = facts;
  const said = [
    facts.window.startMs > 0 ? new Date(facts.window.startMs).toISOString().replace('T', ' ').slice(0, 19) : undefined,
    run?.scenario,
    run?.engine,
    run?.target === undefined ? undefined : `target ${run.target}`,
    run?.sameHost === undefined || run.sameHost === null
      ? 'same host or not: unknown'
      : run.sameHost
        ? 'generator and system on the same host'
        : 'generator on another host',
    run?.tls === undefined ? undefined : run.tls ? 'with TLS' : 'without TLS',
    ...(run?.circumstances ?? []),
    run?.seed ? `seed ${run.seed}` : undefined,
    generatorPeak(facts),
  ];
  return said.filter((one) => one !== undefined).join(' · ');
}

function generatorPeak(facts: Facts): string | undefined {
  const generator = facts.run?.generator;
  if (generator === undefined || generator.cpuCores.length === 0) return undefined;
  return `generator's CPU at most ${number(largest(generator.cpuCores))} of ${generator.cores} cores`;
}

function cards({ facts, objectives }: Analysis): string {
  const card = (value: string, label: string) => `<div class="card"><b>${value}</b>${label}</div>`;
  const kept = objectives.filter((one) => one.outcome === 'kept').length;
  return [
    card(objectives.length === 0 ? 'none' : `${kept} of ${objectives.length}`, 'objectives kept'),
    card(facts.iterations.finished.toLocaleString('en-US'), `iterations, ${facts.iterations.dropped} dropped`),
    card(facts.requests.n.toLocaleString('en-US'), `requests${during(facts)}`),
    card(
      percent(facts.requests.failed / Math.max(1, facts.requests.n), 2),
      `failed (${facts.requests.failed})${withoutAnswer(facts)}`,
    ),
    facts.vus.length === 0 ? '' : card(String(largest(facts.vus.map((one) => one.value))), 'most open sessions'),
  ].join('');
}

function blendNote({ facts }: Analysis): string {
  const blend = facts.blends.find((one) => one.endpoint === '*')?.latency;
  if (blend === undefined || new Set(facts.populations.map((one) => one.statusClass)).size < 2) return '';
  const q = (p: number) => number(blend.quantiles.find((one) => one.p === p)?.value);
  return `<p class="dim">All answers in one pot would read p50 ${q(0.5)}, p95 ${q(0.95)}, p99 ${q(0.99)} ms: shown to show how a blend misleads, it is nobody's latency.</p>`;
}

function notJudgedList({ verdict }: Analysis): string {
  if (verdict.notJudged.length === 0) return '';
  const shown = changeable(verdict);
  const rest = verdict.notJudged.filter((one) => !shown.includes(one));
  const list = (rules: typeof shown) =>
    rules.length === 0
      ? ''
      : `<ul>${rules.map((one) => `<li><b>${e(one.rule)}</b>: ${e(one.why)}</li>`).join('')}</ul>`;
  const folded =
    rest.length === 0
      ? ''
      : `<details><summary>${rest.length} more found nothing to judge here, ${verdict.fine.length} nothing to say</summary>${list(rest)}</details>`;
  return `<h2>Not judged</h2>${list(shown)}${folded}`;
}

function footer({ facts }: Analysis): string {
  const files = facts.files.map(
    (file) => `${e(file.path.split('/').pop() ?? '')} (${file.format}, ${file.rows.toLocaleString('en-US')} rows read)`,
  );
  return `${files.join('; ')}. Percentiles by linear interpolation at p(n-1), as k6 has them.`;
}

function generatorSeries({ facts }: Analysis) {
  const generator = facts.run?.generator;
  if (generator === undefined || generator.timeMs.length < 2) return undefined;
  return {
    seconds: generator.timeMs.map((time) => (time - facts.window.startMs) / 1000),
    cpu: generator.cpuCores,
    machine: generator.machineCores,
    gb: generator.rssBytes.map((bytes) => bytes / 1e9),
  };
}

/** A file of the chart library, to be written into the page. */
function library(name: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(`uplot/dist/${name}`), 'utf8').replace(
    /<\/script/gi,
    '<\\/script',
  );
}
