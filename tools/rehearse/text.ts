/** The forecast as people read it. */

import { thresholdOf } from '../../lib/k6/threshold.ts';
import { percent } from '../../lib/model/figures.ts';
import { textTable } from '../../lib/model/text-table.ts';
import type { RehearsalForecast } from './forecast-types.ts';

/** @param item what the server sells is called */
export function forecastText(forecast: RehearsalForecast, title: string, item = 'item'): string {
  const shareText = (share: number | null) => (share === null ? '-' : percent(share));
  const { sessions, requests, vus, cache, stock, cost } = forecast;
  const lines = [
    `REHEARSAL of ${title}: ${number(forecast.seconds)} s of virtual time against a model of the server; nothing was sent`,
    '',
    `sessions   ${number(sessions.finished)} finished, ${number(sessions.dropped)} dropped; mean ${Object.entries(
      sessions.meanSeconds,
    )
      .map(([flow, seconds]) => `${flow} ${seconds.toFixed(2)} s`)
      .join(', ')}`,
    `busy VUs   mean ${vus.busyMean.toFixed(1)}, most ${vus.busyMost}; Little's law says ${vus.busyByLittle.toFixed(1)}`,
    `VUs        ${vus.preallocated} preallocated, at most ${vus.limit}; needed ${vus.recommended}, when the system is degraded ${vus.recommendedDegraded}`,
    `requests   ${number(requests.total)}`,
    ...textTable(
      Object.entries(requests.byEndpoint).map(([name, { n, share, classes }]) => [
        name,
        number(n),
        shareText(share),
        Object.entries(classes)
          .map(([key, count]) => `${key} ${number(count)}`)
          .join(', '),
      ]),
      { goesRight: (column) => column === 1 || column === 2 },
    ),
    `cache      cold minute ${shareText(cache.cold)} (closed form ${shareText(cache.coldTheory)}), steady ${shareText(cache.steady)} (closed form ${shareText(cache.steadyTheory)})`,
    ...(stock === undefined ? [] : [`stock      ${stockText(stock, item)}`]),
    `cost       ${number(cost.rows)} samples, about ${number(cost.csvBytes / 1e6)} MB as CSV; k6 keeps ${number(cost.trendBytes / 1e6)} MB of Trend values`,
  ];
  if (forecast.objectives.length > 0) {
    lines.push('objectives');
    for (const { name, threshold, samples, earned, decidable, secondsNeeded } of forecast.objectives) {
      const percentile = thresholdOf(threshold)?.percentile !== undefined;
      const best = !percentile ? '' : `, highest percentile earned ${earned === null ? 'none' : `p(${earned})`}`;
      const needed = secondsNeeded === null ? '' : `, ${threshold} needs ${number(secondsNeeded)} s`;
      lines.push(`  ${decidable ? '' : 'undecided: '}${name} ${threshold}: ${number(samples)} samples${best}${needed}`);
    }
  }
  for (const warning of forecast.warnings) lines.push(`warning: ${warning}`);
  return `${lines.join('\n')}\n`;
}

function stockText({ tightest, left, perBook }: NonNullable<RehearsalForecast['stock']>, item: string): string {
  if (tightest === null) return 'nothing sold';
  return `${number(left)} of ${number(perBook)} left of the tightest ${item}, ${tightest}`;
}

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
