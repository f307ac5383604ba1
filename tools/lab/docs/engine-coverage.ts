/** docs/engine-coverage.md: every module, function, option, variable and flag of k6, and whether the embedded engine has it. */
import { Command } from '@commander-js/extra-typings';
import { withRunOptions } from '../../engine/command-line.ts';
import { refusedFlagNames } from '../../engine/refused-flags.ts';
import { CARRIED_VARIABLES, REFUSED_VARIABLES, RUN_OPTIONS, UNKNOWN_TO_K6 } from '../../engine/run-options.ts';
import { OFFERED_MODULES } from '../../engine/vm/guest.ts';
import { type DeclaredExport, declaredModules } from './declared-k6.ts';
import { type Offered, offeredNames } from './offered-k6.ts';

/** Modules that k6 has and its declarations do not name. */
const UNDECLARED = ['k6/experimental/redis', 'k6/x/...', 'https://...'];

export async function engineCoverage(): Promise<string> {
  const modules = Object.keys(OFFERED_MODULES);
  const offered = await offeredNames(modules);
  const declared = declaredModules();
  const lines = declared.flatMap(({ name, exports }) =>
    modules.includes(name)
      ? exports.map((one) => exportLine(name, one, offered))
      : [`| \`${name}\` | all of it | refused where it is imported |`],
  );
  const others = UNDECLARED.map((name) => `| \`${name}\` | all of it | refused where it is imported |`);
  return [
    '# What the embedded engine has of k6',
    '',
    "Made from the engine, k6's type declarations and its flags; `npx vitest run test/tools/lab/engine-coverage.test.ts --update` renews it.",
    '*Refused* means: the run ends with one sentence that names it, and exit code 104 (or 107 where a module is imported).',
    '',
    '## Modules',
    '',
    ...table(['module', 'export', 'in the embedded engine'], [...lines, ...others]),
    '',
    '## Options',
    '',
    ...table(['option', 'environment', 'in the embedded engine'], optionLines()),
    '',
    `Declared, and unknown to k6 v2.2 as to this engine, which warn of them: ${UNKNOWN_TO_K6.map((name) => `\`${name}\``).join(', ')}.`,
    '',
    '## Environment',
    '',
    `Read beside the options: ${CARRIED_VARIABLES.map((name) => `\`K6_${name}\``).join(', ')}.`,
    `Refused: ${REFUSED_VARIABLES.map((name) => `\`K6_${name}\``).join(', ')}.`,
    'Variables of outputs and of the cloud, which only other programs than this engine have, are left alone.',
    '',
    '## Flags of `k6 run`',
    '',
    `Carried: ${carriedFlags()
      .map((flag) => `\`${flag}\``)
      .join(', ')}.`,
    '',
    `Refused: ${refusedFlagNames()
      .map((flag) => `\`${flag}\``)
      .join(', ')}.`,
    '',
  ].join('\n');
}

/** Long names of the flags that `embedded run` takes. */
export function carriedFlags(): string[] {
  const refused = refusedFlagNames();
  return withRunOptions(new Command('run'))
    .options.map(({ long }) => long ?? '')
    .filter((long) => !refused.includes(long) && long !== '--start-barrier');
}

/** Names that scripts could import or call and that are neither run nor refused by name: there should be none. */
export async function unknownNames(): Promise<string[]> {
  const offered = await offeredNames(Object.keys(OFFERED_MODULES));
  return declaredModules()
    .filter(({ name }) => name in OFFERED_MODULES)
    .flatMap(({ name, exports }) =>
      exports
        .filter(({ kind }) => kind === 'function')
        .map((one) => `${name}.${one.name}`)
        .filter((key) => offered[key] === undefined),
    );
}

function exportLine(module: string, { name, kind, members }: DeclaredExport, offered: Offered): string {
  const key = `${module}.${name}`;
  const carried = offered[key] ?? (kind === 'class' ? 'refused' : 'not there');
  const refused = members.filter((member) => offered[`${key}.${member}`] === undefined);
  const hasMembers = members.some((member) => offered[`${key}.${member}`] !== undefined);
  const but =
    carried === 'runs' && hasMembers && refused.length > 0
      ? `runs, but ${refused.map((one) => `\`${one}\``).join(', ')}: refused`
      : carried;
  return `| \`${module}\` | \`${name}\` | ${but} |`;
}

function optionLines(): string[] {
  return Object.entries(RUN_OPTIONS).map(
    ([name, { carried, variable }]) =>
      `| \`${name}\` | ${variable === undefined ? '' : `\`K6_${variable}\``} | ${carried} |`,
  );
}

const table = (head: readonly string[], rows: readonly string[]) => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows,
];
