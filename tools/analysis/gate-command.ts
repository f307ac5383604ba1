/** The command `gate`. */
import type { GateFlags } from '../commands/gate.ts';
import { UserError } from '../user-error.ts';
import { analyse } from './analyse.ts';
import { gate, printGate } from './gate.ts';
import { optional } from './plan.ts';

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
