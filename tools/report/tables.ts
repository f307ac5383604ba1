/** The report's tables as HTML; every text from a file is escaped. */

import { needed, percent, quantity } from '../../lib/model/figures.ts';
import { escapeMarkup as e } from '../../lib/model/markup.ts';
import { errorCodeMeaning } from '../verdict/error-codes.ts';
import type { Facts } from '../verdict/facts.ts';
import { planned } from '../verdict/planned.ts';
import { isExpected, isMeasured, type Population, type Quantile, quantileOf } from '../verdict/populations.ts';

/** A table with a caption in a box that scrolls sideways on its own. Cells are HTML. */
export function htmlTable(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) =>
    row.map((cell) => (cell.startsWith('<td') ? cell : `<td>${cell}</td>`)).join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption><span>${caption}</span></caption><thead><tr>${head
    .map((cell) => `<th scope="col">${cell}</th>`)
    .join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div>`;
}

/** Endpoint x class x phase with n, intervals and exact statuses: expected answers of the measured phase first, the rest below. */
export function populationTables(facts: Facts): string {
  const leads = (one: Population) => isExpected(one) && isMeasured(one);
  const rest = facts.populations.filter((one) => !leads(one));
  const main = populationTable(
    'Expected answers: latency in ms, with 95 % order-statistic intervals',
    facts.populations.filter(leads),
    facts,
  );
  const note =
    '<p class="dim">A dash: fewer than ten samples lie beyond it; below it the length of load that would earn it. Set-up time (waiting for a connection, connecting, TLS) is not part of the latency.</p>';
  const failures = rest.filter((one) => !isExpected(one));
  const others = rest.filter(isExpected);
  const apart = 'Apart from the above, and never mixed with it';
  return [
    main,
    failures.length === 0 ? '' : `<h3>Failures</h3>${populationTable(apart, failures, facts)}`,
    note,
    others.length === 0
      ? ''
      : `<details><summary>${others.length} populations of warm-up, set-up and teardown</summary>${populationTable(apart, others, facts)}</details>`,
  ].join('');
}

function populationTable(caption: string, populations: readonly Population[], facts: Facts): string {
  const rows = populations.map((one) => {
    const q = (p: number) => quantileCell(quantileOf(one, p));
    const at =
      one.latency === undefined
        ? ''
        : `<small>at ${((one.latency.maxAtMs - facts.window.startMs) / 1000).toFixed(1)} s</small>`;
    return [
      `${e(one.endpoint || '(no name)')}<small>${e([one.statusClass, isMeasured(one) ? '' : one.phase].filter((part) => part !== '').join(', '))}</small>`,
      ...one.by.map((value) => e(value || '-')),
      `${one.n.toLocaleString('en-US')}<small>${statuses(one)}</small>`,
      q(0.5),
      q(0.9),
      q(0.95),
      q(0.99),
      `${number(one.latency?.maxMs)}${at}`,
      number(one.latency?.minMs),
      `${number(one.setup.blockedMs)}<small>conn ${number(one.setup.connectingMs)}, TLS ${number(one.setup.tlsMs)}</small>`,
    ];
  });
  const head = ['endpoint', ...(facts.by ?? []).map(e), 'n', 'p50', 'p90', 'p95', 'p99', 'max', 'min', 'set-up, mean'];
  return htmlTable(caption, head, rows);
}

function statuses(population: Population): string {
  return e(
    population.statuses
      .map(
        (one) =>
          `${one.n} x ${one.status ?? '?'}${one.status === 0 ? ` (${one.errorCode} ${errorCodeMeaning(one.errorCode)})` : ''}`,
      )
      .slice(0, 4)
      .join(', '),
  );
}

function quantileCell(quantile: Quantile | undefined): string {
  if (quantile === undefined) return '-';
  if (!quantile.carried) {
    const earn = quantile.needSeconds === undefined ? '' : `<small>needs ${needed(quantile.needSeconds)}</small>`;
    return `<td class="weak">-${earn}</td>`;
  }
  return `${number(quantile.value)}<small>${number(quantile.low)} – ${number(quantile.high)}</small>`;
}

/** Planned against achieved: rate, mix, iterations. */
export function planTable(facts: Facts): string {
  const pairs = planned(facts);
  if (pairs.length === 0) {
    return htmlTable(
      'What each scenario did (no plan was given)',
      ['scenario', 'finished', 'dropped', 'requests', 'session p50'],
      facts.scenarios.map((one) => [
        e(one.name),
        String(one.finished),
        String(one.dropped),
        String(one.requests),
        one.iteration === undefined ? '-' : `${number(one.iteration.p50Ms)} ms`,
      ]),
    );
  }
  const all = pairs.reduce((sum, { plan }) => sum + (plan.iterations ?? 0), 0);
  const finished = pairs.reduce((sum, pair) => sum + pair.finished, 0);
  const rows = pairs.map(({ plan, finished: own, dropped }) => [
    e(plan.name === '*' ? 'whole run' : plan.name),
    `<td class="text">${e(plan.executor)}</td>`,
    plan.iterations === undefined ? '-' : String(Math.round(plan.iterations)),
    String(own),
    String(dropped),
    plan.iterations === undefined || !plan.seconds ? '-' : `${number(plan.iterations / plan.seconds)}/s`,
    plan.seconds ? `${number(own / plan.seconds)}/s` : '-',
    all > 0 && plan.iterations !== undefined ? percent(plan.iterations / all) : '-',
    finished > 0 ? percent(own / finished) : '-',
  ]);
  return htmlTable(
    'Planned against achieved',
    ['scenario', 'executor', 'planned', 'finished', 'dropped', 'rate planned', 'reached', 'share planned', 'reached'],
    rows,
  );
}

export function number(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '…';
  return quantity(value);
}
