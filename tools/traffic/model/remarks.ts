/** What is to be known of a log beside its numbers. */

import { percent } from '../../../lib/model/figures.ts';
import type { FileCounts } from '../pass/accounting.ts';
import { CLASSES } from '../pass/accounting.ts';
import type { LogFacts } from '../pass/analyse-log.ts';
import type { SessionResult } from '../pass/sessionizer.ts';
import { OTHER_ROUTE, pathOf } from '../templates/route-table.ts';

/** Above this share of records that nobody is known to have sent, sessions are not told. */
const MOST_NOBODY = 0.05;
/** A person repeats a request within a step of the stamps now and then. */
const MANY_REPEATED = 0.1;

/** Why nothing can be said of sessions; `undefined` when it can. */
export function sessionsRefused({ nobody, lines }: FileCounts): string | undefined {
  if (nobody <= MOST_NOBODY * lines.records) return undefined;
  return `${percent(nobody / lines.records, 0)} of the records name neither a session nor a client; log an address or a session id, or name its field with --client-field or --session-field`;
}

/** Fewer endpoints that nobody has learned are what any API has now and then. */
const MANY_LATE = 8;

/** Endpoints with requests whose path fits no template. */
function lateEndpoints({ routes, pass }: LogFacts): number {
  const paths = new Set(routes.names.filter((_, i) => routes.known[i] === true).map(pathOf));
  const late = new Set<number>();
  pass.total.endpoints.forEach((n, cell) => {
    const route = Math.floor(cell / CLASSES);
    const name = routes.names[route];
    if (n > 0 && name !== undefined && name !== OTHER_ROUTE && !paths.has(pathOf(name))) late.add(route);
  });
  return late.size;
}

export function remarksOf(facts: LogFacts): string[] {
  const { pass } = facts;
  const { sessions, total } = pass;
  const remarks: string[] = [];
  if (pass.partial) remarks.push('stopped before the end: everything here speaks of the part that was read');
  remarks.push(...facts.remarks);
  const stampless = total.timeless - total.stampsUnread;
  if (stampless > 0)
    remarks.push(`${stampless} records have no time stamp; they count in the mix and in nothing that needs time`);
  if (total.stampsUnread > 0) {
    remarks.push(
      `${total.stampsUnread} records have a time stamp that is not understood (field ${total.unreadStamp}); they count in the mix and in nothing that needs time, log it as 2025-03-10T09:00:04Z or in seconds since 1970`,
    );
  }
  if (total.zoneless > 0) {
    const others = total.zoneless < total.lines.records;
    remarks.push(
      `${total.zoneless} of ${total.lines.records} records name no time zone and were taken as UTC${others ? '; the others name theirs, so the two may lie hours apart' : ''}`,
    );
  }
  remarks.push(...durationRemarks(total));
  if (total.forwarded > 0) {
    remarks.push(
      `${total.forwarded} of ${total.lines.records} records count for the client whose address a proxy has passed on (X-Forwarded-For), not for the peer's, which is none of the internet or not wanted`,
    );
  }
  if (total.forwardedLeft > 0) {
    remarks.push(
      `${total.forwardedLeft} of ${total.lines.records} records name an address that a proxy has passed on and a public peer, which was taken; if the peers are your proxies, say --client-field forwarded`,
    );
  }
  if (total.joined > 0)
    remarks.push(
      `${total.joined} records were put together from two lines with the same request id, or from the parts that a container's runtime has made of a line`,
    );
  if (total.nobody > 0) {
    const effect = sessionsRefused(total) === undefined ? 'they count as one client' : 'no session is made of them';
    remarks.push(`${total.nobody} of ${total.lines.records} records name neither a session nor a client; ${effect}`);
  }
  if (sessions.shared.clients > 0) {
    remarks.push(
      `${sessions.shared.clients} addresses hold many users at once (${sessions.shared.requests} requests, ${percent(sessions.shared.requests / Math.max(1, sessions.requests))}); their sessions are not told apart and give no think times, log a session id to have them`,
    );
  }
  if (sessions.late > 0)
    remarks.push(`${sessions.late} records came later than the sorting window of 65,536 records allows`);
  if (sessions.sequencesLost > 0)
    remarks.push(`${sessions.sequencesLost} sessions of rare shapes are not in the table of shapes`);
  if (sessions.burstGaps > 0)
    remarks.push(`${sessions.burstGaps} gaps within bursts faster than a person were not taken as think times`);
  remarks.push(...facts.learned.remarks);
  if (sessions.repeated > MANY_REPEATED * sessions.requests && sessions.shared.requests < 0.5 * sessions.requests) {
    remarks.push(
      `${sessions.repeated} of ${sessions.requests} requests equal the one before of the same client in time, duration and endpoint: lines that were given twice (copies, exports that overlap) count twice and spoil think times and flows; give each line once`,
    );
  }
  remarks.push(...idRemarks(sessions));
  const late = lateEndpoints(facts);
  if (late >= MANY_LATE) {
    remarks.push(
      `${late} endpoints came up only after the beginning of the log, from which endpoints are learned, and stand under the names that their paths have; look through them before you hand them on, or pin templates with --templates`,
    );
  }
  for (const file of pass.files) for (const remark of file.counts.remarks) remarks.push(`${file.name}: ${remark}`);
  return remarks;
}

function durationRemarks(total: FileCounts): string[] {
  const told: readonly (readonly [number, string])[] = [
    [
      total.unitsGuessed,
      'durations stand in a field that names no unit and were taken as seconds; --duration-unit names it',
    ],
    [
      total.unitsGuessedMs,
      "durations stand in a field that names no unit and were taken as milliseconds, as Node's loggers write them; --duration-unit names it",
    ],
    [
      total.unitsOpen,
      'durations stand in a field that names no unit, nothing beside them tells it, and they were left out; --duration-unit names it',
    ],
    [
      total.durationsUnread,
      'durations cannot be read for sure and were left out: a comma in them may mark decimals or thousands, or they are in no known form; log them with a decimal point',
    ],
  ];
  return told.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`);
}

/** Requests without a session id beside others that have one; sessions that lie apart from the others. */
function idRemarks({ withoutId, byId, series }: SessionResult): string[] {
  const remarks: string[] = [];
  const all = withoutId.requests + byId.requests;
  if (withoutId.sessions > 0 && byId.sessions > 0) {
    remarks.push(
      withoutId.leftOut
        ? `${withoutId.requests} of ${all} requests carry no session id and begin no session; they count in the mix`
        : `${withoutId.requests} of ${all} requests carry no session id and count as ${withoutId.sessions} sessions by address`,
    );
  }
  if (series.outliers > 0) {
    remarks.push(
      `${series.outliers === 1 ? '1 session' : `${series.outliers} sessions`} before the first or after the last of those that do what others do: not in the arrival rate`,
    );
  }
  return remarks;
}
