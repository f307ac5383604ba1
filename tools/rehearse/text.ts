/** The forecast as people read it. */
import type { RehearsalForecast } from './forecast-types.ts';

export function forecastText(forecast: RehearsalForecast, title: string): string {
  const percent = (share: number | null) => (share === null ? '-' : `${(share * 100).toFixed(1)} %`);
  const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
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
    ...Object.entries(requests.byEndpoint).map(
      ([name, { n, share, classes }]) =>
        `  ${name.padEnd(34)} ${number(n).padStart(10)} ${percent(share).padStart(7)}  ${Object.entries(classes)
          .map(([key, count]) => `${key} ${number(count)}`)
          .join(', ')}`,
    ),
    `cache      cold minute ${percent(cache.cold)} (closed form ${percent(cache.coldTheory)}), steady ${percent(cache.steady)} (closed form ${percent(cache.steadyTheory)})`,
    `stock      ${stock.tightest === null ? 'nothing sold' : `${number(stock.left)} of ${number(stock.perBook)} left of the tightest book, ${stock.tightest}`}`,
    `cost       ${number(cost.rows)} samples, about ${number(cost.csvBytes / 1e6)} MB as CSV; k6 keeps ${number(cost.trendBytes / 1e6)} MB of Trend values`,
  ];
  if (forecast.objectives.length > 0) {
    lines.push('objectives');
    for (const { name, threshold, samples, earned, secondsNeeded } of forecast.objectives) {
      const best = earned === null ? 'none' : `p(${earned})`;
      const needed = secondsNeeded === null ? '' : `, ${threshold} needs ${number(secondsNeeded)} s`;
      lines.push(`  ${name} ${threshold}: ${number(samples)} samples, highest percentile earned ${best}${needed}`);
    }
  }
  for (const warning of forecast.warnings) lines.push(`warning: ${warning}`);
  return `${lines.join('\n')}\n`;
}
