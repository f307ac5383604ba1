/** Tables and the picture of the documentation that come from the code, so that they cannot disagree with it. */
import { K6_EXIT_CODES } from '../../../lib/k6/exit-codes.ts';
import { ownVariables } from '../../../lib/plan/own-variables.ts';
import { rangeOf, type Variable } from '../../../lib/plan/variable.ts';
import { VARIABLES } from '../../../lib/plan/variables.ts';
import { variables as bookstore } from '../../../scenarios/bookstore/variables.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { packageRoot } from '../../base/package.ts';
import { LOG_FORMATS } from '../../traffic/readers/formats/registry.ts';
import type { LogFormat } from '../../traffic/readers/log-format.ts';
import { importsOf, sourcesOf } from './imports.ts';
import { roomsPicture } from './picture.ts';
import { TREES } from './rooms.ts';

/** Tables by the name of their markers, `<!-- name:start -->` and `<!-- name:end -->`. */
export const TABLES: Readonly<Record<string, () => string>> = {
  env: variableTable,
  'exit-codes': exitCodeTable,
  rooms: () => {
    const root = packageRoot();
    return roomsPicture(
      importsOf(
        root,
        Object.keys(TREES).flatMap((tree) => sourcesOf(root, tree)),
      ),
    );
  },
  'log-formats': formatTable,
};

/** Every `-e` variable, those of the bookstore's own last: values, default, meaning. */
export function variableTable(variables: readonly Variable[] = [...VARIABLES, ...ofBookstore()]): string {
  return table(
    ['variable', 'values', 'default', 'meaning'],
    variables.map((variable) => [`\`${variable.name}\``, rangeOf(variable), defaultOf(variable), variable.help]),
  );
}

function ofBookstore(): Variable[] {
  return ownVariables(bookstore).map((variable) => ({
    ...variable,
    help: `Of the bookstore’s suite. ${variable.help}`,
  }));
}

function defaultOf(variable: Variable): string {
  if (variable.defaultText !== undefined) return variable.defaultText;
  const value = variable.default;
  if (value === undefined || value === '') return '-';
  if (typeof value === 'object') return `\`${value.law}\``;
  return variable.kind === 'duration' ? `\`${String(value)}s\`` : `\`${String(value)}\``;
}

const OWN_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'everything asked for was done, no objective was crossed; `analyse`, `merge`: the test is VALID, SUSPECT with reasons to read, or UNPROVEN with the facts that are missing; `gate`: nothing speaks against it and nothing is missing',
  regression:
    '`compare`: a regression was shown; `experiment cold-warm --noise`: a difference where there is none; `bench`: a goal was missed',
  usage: 'wrong usage: unknown command, option or value; nothing was run (of k6 itself: it crashed)',
  noVerdict: 'no verdict possible: the test is invalid, data are missing or cannot be used',
  thresholds:
    'a threshold was crossed (k6’s own code): an objective of the system, or a limit of the test such as `dropped_iterations`; the last lines say which',
};

/** Exit codes: our own, then k6's, which `run` and `start` pass on, then those of a killed process. */
export function exitCodeTable(): string {
  const own = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [EXIT[name], OWN_MEANINGS[name]] as const);
  const taken = new Set<number>(own.map(([code]) => code));
  const k6 = Object.entries(K6_EXIT_CODES)
    .map(([code, meaning]) => [Number(code), `\`run\`, \`start\`: ${meaning}`] as const)
    .filter(([code]) => !taken.has(code));
  const codes = [...own, ...k6].sort(([a], [b]) => a - b);
  const killed = [['128 + n', '`run`, `start`: k6 was killed by signal n (137: SIGKILL, often out of memory)']];
  return table(['exit code', 'meaning'], [...codes.map(([code, meaning]) => [String(code), meaning]), ...killed]);
}

/** Every format of access logs, in the order in which they are tried: its name, how its lines are found, who writes them. */
export function formatTable(formats: readonly LogFormat[] = LOG_FORMATS): string {
  return table(
    ['`--format`', 'lines', 'found by', 'written by'],
    formats.map((format) => [nameCell(format), format.lines, foundBy(format), format.writers]),
  );
}

function nameCell({ name, aliases = [], reader }: LogFormat): string {
  return reader === undefined ? 'the string itself' : [name, ...aliases].map((one) => `\`${one}\``).join(', ');
}

function foundBy({ reader, header }: LogFormat): string {
  if (reader === undefined) return '`--format` alone';
  if (header === undefined) return 'each line by itself';
  return header.kind === 'directive' ? 'its `#` header line' : 'its header line of column names';
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/**
 * The text with every table between its markers made anew.
 * @throws Error when a start marker has no end marker
 */
export function withTables(text: string): string {
  let result = text;
  for (const [name, make] of Object.entries(TABLES)) {
    const start = `<!-- ${name}:start -->`;
    const end = `<!-- ${name}:end -->`;
    const from = result.indexOf(start);
    if (from === -1) continue;
    const to = result.indexOf(end, from);
    if (to === -1) throw new Error(`${start} has no ${end}`);
    result = `${result.slice(0, from + start.length)}\n${make()}\n${result.slice(to)}`;
  }
  return result;
}
