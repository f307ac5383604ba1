/** Why the engine ended a script, in a sentence; and where in the script an error came from. */
import { BrokenVmError } from '../vm/script-error.ts';
import { NotRewritable } from './parse.ts';

export type Broken = 'time' | 'memory' | 'interrupted' | undefined;

const FRAMES_SHOWN = 10;

/**
 * @param failed where code that cannot wait was to wait
 * @returns undefined for what the script itself threw
 */
export function breakdown(
  failed: string | undefined,
  thrown: unknown,
  broken: Broken,
  computeLimitMs: number,
): Error | undefined {
  if (failed !== undefined) {
    const place = /\((.*)\)|at (\S+)$/m.exec(failed.split('\n').slice(2).join('\n'));
    const where = place?.[1] ?? place?.[2] ?? 'somewhere';
    // Code that was made of a text says itself what is wrong.
    return new NotRewritable(where.includes(' ') ? where : `${where}: a callback of a built-in function waits`);
  }
  if (thrown instanceof NotRewritable) return thrown;
  if (broken === 'time') {
    return new BrokenVmError(
      `the script computed for more than ${computeLimitMs / 1000} s without a request or a sleep, so the engine ended it; look for a loop without an end`,
    );
  }
  if (broken === 'memory') {
    return new BrokenVmError(
      'the script took nearly all memory that this process may have, so the engine ended it; look for data that grows with every iteration',
    );
  }
  return undefined;
}

/** The frames in the script's own files, as k6 prints them. */
export function framesIn(modules: readonly string[], stack: unknown): string {
  if (typeof stack !== 'string') return '';
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && modules.some((name) => line.includes(name)))
    .slice(0, FRAMES_SHOWN)
    .map((line) => `\t${line.trim()}\n`)
    .join('');
}
