/** `traffic` in this process, with the codes that the command line gives: it spares each case the start of another Node. */
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { vi } from 'vitest';
import { UserError } from '../../../tools/base/user-error.ts';
import { command } from '../../../tools/commands/traffic/command.ts';

export async function traffic(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += text;
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      stderr += text;
      return true;
    }),
  ];
  const listeners = process.listeners('SIGINT');
  try {
    await neverExit(command()).parseAsync(args, { from: 'user' });
    return { code: 0, stdout, stderr };
  } catch (error) {
    // Commander has said it on standard error.
    if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : 2, stdout, stderr };
    if (!(error instanceof UserError)) throw error;
    return { code: error.exitCode, stdout, stderr: `${stderr}bookstore-load: ${error.message}\n` };
  } finally {
    for (const spy of spies) spy.mockRestore();
    // A command that ends with an error leaves its own to the end of the process.
    for (const one of process.listeners('SIGINT')) if (!listeners.includes(one)) process.removeListener('SIGINT', one);
  }
}

function neverExit(one: CommandUnknownOpts): CommandUnknownOpts {
  one.exitOverride();
  for (const child of one.commands) neverExit(child);
  return one;
}
