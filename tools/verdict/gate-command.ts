/** The command `gate`. */
import { optional } from '../base/optional.ts';
import { UserError } from '../base/user-error.ts';
import { analyse } from './analyse.ts';
import { gate, printGate } from './gate.ts';

/** Options of the command line; `tools/commands/` says what each means. */
export interface GateFlags {
  readonly rules?: string;
  readonly summary?: string;
  readonly plan?: string;
  readonly log?: string;
  readonly undecided: 'refuse' | 'fail' | 'pass';
  readonly json?: boolean;
}

export async function gateCommand(paths: readonly string[], flags: GateFlags): Promise<number> {
  if (paths.length === 0 && flags.summary === undefined)
    throw new UserError('gate: name result files, a results folder, or --summary FILE');
  const analysis = await analyse({
    paths,
    ...optional('rules', flags.rules),
    ...optional('summary', flags.summary),
    ...optional('plan', flags.plan),
    ...optional('log', flags.log),
  });
  const result = gate(analysis, flags.undecided);
  process.stdout.write(flags.json === true ? `${JSON.stringify(result)}\n` : printGate(result));
  return result.exitCode;
}
