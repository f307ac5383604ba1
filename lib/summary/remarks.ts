/** What a reader must know before believing the numbers, one sentence each. */

import { figure, percent } from '../model/figures.ts';
import { METRICS } from '../model/names.ts';
import type { Plan } from '../plan/planned.ts';
import { type Counters, counterRows } from './counters.ts';
import type { SummaryData } from './data.ts';
import { loadSeconds, measuredSeconds, nothingSent, stoppedEarly } from './planned-load.ts';
import { measured, populationsOf, requestRows, sessionRows, thresholdRows, tooFew } from './populations.ts';

export function remarksOf(data: SummaryData, plan: Plan, counters: Counters): string[] {
  if (nothingSent(data)) return ['nothing was sent and nothing measured: no objective was judged'];
  return [
    ...stopRemarks(data, plan),
    ...sessionRemarks(data, plan),
    ...answerRemarks(data, plan, counters),
    ...sampleRemarks(data, plan),
    ...(plan.test.shape === 'closed'
      ? [
          'a closed loop: a slow system is asked less often, so these percentiles flatter it; use an arrival rate to judge',
        ]
      : []),
  ];
}

function stopRemarks(data: SummaryData, plan: Plan): string[] {
  if (!stoppedEarly(data, plan)) return [];
  const { ran, planned } = loadSeconds(data, plan);
  return [
    `stopped early at ${figure(+ran.toFixed(1))} of ${figure(+planned.toFixed(1))} s: sessions are compared with what was due by then, and those open at the stop were cut off`,
  ];
}

function sessionRemarks(data: SummaryData, plan: Plan): string[] {
  const lines: string[] = [];
  const all = sessionRows(data, plan);
  const dropped = all.reduce((sum, row) => sum + row.dropped, 0);
  if (dropped > 0) {
    const due = all.reduce((sum, row) => sum + (row.due ?? 0), 0);
    lines.push(
      `${dropped} of ${due} sessions never started because no VU was free: the test, not the system, is at fault; raise PREALLOCATED_VUS (and MAX_VUS) or leave them out`,
    );
  }
  const exhausted = measured(data, METRICS.dataExhausted);
  const once = plan.pools.filter(({ law }) => law === 'once').map(({ name }) => name);
  if (exhausted > 0)
    lines.push(
      `${exhausted} times no row was left in a pool that gives each row once (${once.join(', ')}): those sessions ended there; shorten the run, give more rows, or see POOL`,
    );
  const errors = measured(data, METRICS.flowErrors, {}, 'passes');
  if (errors > 0) lines.push(`${errors} sessions ended with an exception; the log has the first of each VU`);
  return lines;
}

/** So many answers say something of those that did not come. */
const FEW = 10;

function answerRemarks(data: SummaryData, plan: Plan, counters: Counters): string[] {
  const lines: string[] = [];
  const listed = requestRows(data, plan).reduce((sum, { requests }) => sum + requests, 0);
  const more = measured(data, 'http_reqs') + measured(data, METRICS.steps) - listed;
  if (more > 0)
    lines.push(
      `${more} requests went to endpoints that no flow called when it was counted: they are in no row here, but in the samples`,
    );
  const answers = populationsOf(data, plan).filter((row) => row.phase === 'measure');
  for (const { endpoint, requests, failed, noResponse } of requestRows(data, plan)) {
    const unexpected = failed - noResponse;
    const redirected = answers.some((row) => row.endpoint === endpoint && row.statusClass === '3xx');
    // A 304 comes when it is asked for, so its absence is a mistake of the flow and shows nowhere else.
    if (plan.scope.classes?.[endpoint]?.includes('3xx') && !redirected && requests - failed >= FEW) {
      lines.push(
        `${endpoint}: none of ${requests} answers was a 3xx, which it expects: do the requests ask for it (If-None-Match)?`,
      );
    }
    const wrong = measured(data, 'checks', { name: endpoint }, 'fails');
    if (unexpected > 0) {
      const classes = answers
        .filter((row) => row.endpoint === endpoint && /[45]/.test(row.statusClass))
        .map((row) => `${row.n} ${row.statusClass}`);
      const detail = classes.length > 0 ? `; its answers have ${classes.join(' and ')}` : '';
      lines.push(
        `${endpoint}: ${unexpected} of ${requests} requests got an answer that is not expected (${percent(unexpected / requests)})${detail}`,
      );
    } else if (wrong > 0 && failed === 0) {
      const all = wrong + measured(data, 'checks', { name: endpoint }, 'passes');
      lines.push(`${endpoint}: ${wrong} of ${all} checks failed (${percent(wrong / all)})`);
    }
  }
  lines.push(...counterRows(data, counters).map(({ says }) => says));
  const limited = measured(data, METRICS.rateLimited);
  if (limited > 0)
    lines.push(
      `${limited} answers were 429: a rate limiter answered for the system, fast; switch it off or declare it`,
    );
  const silent = measured(data, METRICS.noResponse);
  if (silent > 0) lines.push(`${silent} requests got no answer; they are in no percentile`);
  return lines;
}

/** Percentiles that were judged on too few samples, and how long the same load must last to earn them. */
function sampleRemarks(data: SummaryData, plan: Plan): string[] {
  const ran = measuredSeconds(data, plan);
  return thresholdRows(data).flatMap(({ metric, expression, few }) => {
    if (few === undefined) return [];
    const needed = Math.ceil((ran * few.needed) / few.n);
    const length = ran > 0 && Number.isFinite(needed) ? `; the same load earns it with DURATION=${needed}s` : '';
    return [`${metric} ${expression} was judged on too few samples (${tooFew(few)})${length}`];
  });
}
