/** `traffic solve`: reads the wishes, prints both kinds of shares. */
import { readFile } from 'node:fs/promises';
import { parseWorkload } from '../schemas/workload.ts';
import { UserError } from '../user-error.ts';
import { ownFlows } from './model/flow-shapes.ts';
import { table } from './present/text.ts';
import { fromSessions, parseWish, type Solution, solveWishes } from './solve.ts';

export interface SolveFlags {
  readonly requests?: readonly string[];
  readonly sessions?: string;
  readonly workload: string;
  readonly json?: boolean;
}

export async function runSolve(flags: SolveFlags): Promise<void> {
  const flows = ownFlows();
  const names = flows.map((flow) => flow.name);
  const base = flags.sessions === undefined ? await sharesOf(flags.workload) : parseSessions(flags.sessions, names);
  const wishes = (flags.requests ?? []).flatMap((text) => text.split(',')).map(parseWish);
  const solution = wishes.length === 0 ? fromSessions(flows, base) : solveWishes(flows, base, wishes);
  process.stdout.write(flags.json === true ? `${JSON.stringify(solution, null, 2)}\n` : solutionText(solution));
}

async function sharesOf(file: string): Promise<Record<string, number>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UserError(
      `${file} cannot be read; give session shares with --sessions 70,20,10 or a file with --workload`,
    );
  });
  const workload = parseWorkload(text, file);
  return Object.fromEntries(Object.entries(workload.flows).map(([name, flow]) => [name, flow.share]));
}

/** `70,20,10` in the flows' order or `browse=70,checkout=30`. @throws UserError */
export function parseSessions(text: string, names: readonly string[]): Record<string, number> {
  const parts = text.split(',').map((part) => part.trim());
  const shares: Record<string, number> = {};
  for (const [i, part] of parts.entries()) {
    const [first = '', second] = part.split('=');
    const name = second === undefined ? names[i] : first.trim();
    const value = Number((second ?? first).replace('%', ''));
    if (name === undefined || !names.includes(name) || !(value >= 0)) {
      throw new UserError(
        `--sessions "${text}": "${part}" is no share of a flow; write ${names.map((_, k) => [70, 20, 10][k] ?? 0).join(',')} in the order ${names.join(', ')}, or NAME=SHARE`,
      );
    }
    shares[name] = value;
  }
  if (!(Object.values(shares).reduce((sum, share) => sum + share, 0) > 0))
    throw new UserError('--sessions: at least one share must be above 0');
  return shares;
}

function solutionText(solution: Solution): string {
  const percent = (x: number): string => `${(100 * x).toFixed(1)} %`;
  const flows = Object.entries(solution.sessions).map(([name, share]) => [
    name,
    percent(share),
    percent(solution.flows[name]?.own ?? 0),
    percent(solution.flows[name]?.all ?? 0),
  ]);
  const endpoints = Object.entries(solution.requests)
    .sort((a, b) => b[1] - a[1])
    .map(([name, share]) => [name, percent(share)]);
  return [
    `${table([['flow', 'of sessions', 'of requests, at its own endpoints', 'of requests, all'], ...flows], '')}`,
    '',
    table([['endpoint', 'of requests'], ...endpoints], ''),
    '',
    `${solution.requestsPerSession.toFixed(3)} requests a session`,
    '',
  ].join('\n');
}
