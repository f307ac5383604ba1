/** `traffic solve`: reads shares and wishes, prints session shares, request shares and what a log of them shows. */

import { Command } from '@commander-js/extra-typings';
import { percent } from '../../../lib/model/figures.ts';
import type { OptionsOf } from '../../base/options.ts';
import { numberTable } from '../../base/terminal-table.ts';
import { namedDist, readSuiteFacts } from '../../results/suite-facts.ts';
import { countOf, type ExpectedLog, expectedLog } from '../../traffic/solve/expected-log.ts';
import { parseSessions } from '../../traffic/solve/sessions.ts';
import { fromSessions, type Solution, solveWishes } from '../../traffic/solve/solver.ts';
import { flowsOf, workloadOf } from '../../traffic/solve/source.ts';
import { parseWish } from '../../traffic/solve/wishes.ts';
import { BOOKSTORE_CATALOGUE } from './bookstore-catalogue.ts';

const declaration = () =>
  new Command('solve')
    .description(
      'Turn request shares of a log into session shares of scenarios, and back, for the flows of a workload.\n' +
        'A wish names a flow, which stands for the endpoints that only it asks for (NAME:all for all its requests),\n' +
        'or an endpoint, by its name or the step name that think times have.',
    )
    .option('--requests <wish...>', 'wanted share of requests, for example checkout=15% or order=5%,search=10%')
    .option('--sessions <shares>', 'session shares, for example 70,20,10 or browse=70,search=20,checkout=10')
    .option(
      '--workload <file>',
      "workload whose flows, session shares and popularity are taken, also another API's that traffic --out wrote",
      'data/workload.json',
    )
    .option('--suite <folder>', 'suite whose flows are known (default: the current folder, else the bookstore)')
    .option(
      '--total <n>',
      'show what a log of so many requests has: requests, distinct items, views of the top 10 to 1000',
    )
    .option('--catalogue <n>', 'items that exist (default: 40,000 for the bookstore, or what a popularity curve says)')
    .option('--json', 'print one JSON document');

export function solveCommand() {
  return declaration().action(runSolve);
}

type Flags = OptionsOf<typeof declaration>;

/** @throws UserError (exit 2) for shares, wishes and workloads that give no answer */
async function runSolve(flags: Flags): Promise<void> {
  const total = flags.total === undefined ? undefined : countOf(flags.total, '--total');
  const catalogue = flags.catalogue === undefined ? undefined : countOf(flags.catalogue, '--catalogue');
  const workload = await workloadOf(flags.workload);
  const suite = readSuiteFacts(namedDist(flags.suite));
  const flows = flowsOf(workload, flags.workload, suite);
  const given =
    flags.sessions === undefined
      ? undefined
      : parseSessions(
          flags.sessions,
          flows.map((flow) => flow.name),
        );
  const base =
    given?.shares ?? Object.fromEntries(Object.entries(workload.flows).map(([name, { share }]) => [name, share]));
  const wishes = (flags.requests ?? []).flatMap((text) => text.split(',')).map(parseWish);
  const solution = wishes.length === 0 ? fromSessions(flows, base) : solveWishes(flows, base, wishes, suite);
  const log =
    total === undefined ? undefined : expectedLog(solution, flows, workload, total, catalogue, BOOKSTORE_CATALOGUE);
  const from = given?.normalisedFrom;
  const answer = {
    ...(from === undefined ? {} : { normalisedFrom: from }),
    ...solution,
    ...(log === undefined ? {} : { log }),
  };
  process.stdout.write(flags.json === true ? `${JSON.stringify(answer, null, 2)}\n` : answerText(solution, log, from));
}

const whole = (x: number): string => Math.round(x).toLocaleString('en-US');

function answerText(solution: Solution, log: ExpectedLog | undefined, normalisedFrom: number | undefined): string {
  const flows = Object.entries(solution.sessions).map(([name, share]) => [
    name,
    percent(share),
    percent(solution.flows[name]?.own ?? 0),
    percent(solution.flows[name]?.all ?? 0),
  ]);
  return [
    ...(normalisedFrom === undefined ? [] : [`session shares normalised from ${normalisedFrom}`, '']),
    numberTable([['flow', 'of sessions', 'of requests, at its own endpoints', 'of requests, all'], ...flows], ''),
    ...(solution.how === undefined ? [] : [solution.how]),
    '',
    endpointTable(solution, log),
    '',
    `${solution.requestsPerSession.toFixed(3)} requests a session`,
    ...itemLines(log),
    '',
  ].join('\n');
}

function endpointTable(solution: Solution, log: ExpectedLog | undefined): string {
  const rows = Object.entries(solution.requests)
    .sort((a, b) => b[1] - a[1])
    .map(([name, share]) => {
      const one = log?.endpoints.find((endpoint) => endpoint.name === name);
      return one === undefined
        ? [name, percent(share)]
        : [name, percent(share), whole(one.requests), `${percent(one.range[0])} - ${percent(one.range[1])}`];
    });
  const head = log === undefined ? [] : [`in ${whole(log.requests)}`, '95 % of such logs'];
  return numberTable([['endpoint', 'of requests', ...head], ...rows], '');
}

function itemLines(log: ExpectedLog | undefined): string[] {
  const items = log?.items;
  if (items === undefined) return [];
  if ('unknown' in items) return ['', `popularity ${items.unknown}`];
  const [low, high] = items.distinctRange;
  return [
    '',
    `${whole(items.views)} views of ${items.endpoint}, ${items.law} over ${whole(items.items)} items: ${whole(items.distinct)} distinct (95 % of such logs: ${whole(low)} - ${whole(high)})`,
    `views of the items most viewed: ${items.top.map(({ top, share }) => `top ${top} ${percent(share)}`).join(', ')}`,
  ];
}
