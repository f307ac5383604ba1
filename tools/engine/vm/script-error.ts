/** What a script did wrong, in the words that k6's log would use. */

/** An exception of the script; `message` is `Name: text`, `stack` the frames in k6's notation. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** Frames, one a line, each with a leading tab; empty when the thrown value was no Error. */
  readonly frames: string;

  constructor(message: string, frames: string) {
    super(message);
    this.frames = frames;
  }
}

/** The engine ended the call: the iteration's time is over. Leaves no trace in any metric, as in k6. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** The virtual machine is beyond repair (endless loop, memory, stack); the VU needs a new one. */
export class BrokenVmError extends Error {
  override readonly name = 'BrokenVmError';
}

const INTERNAL_FRAME = /k6:|k6\/(http|data|execution|metrics)|\(native\)|<eval>|@?\(k6\)|at .* \(k6:/;

/** QuickJS prints `    at f (file:1:2)`, k6 a tab and the same. Frames of the engine itself are left out. */
export function framesOf(stack: unknown): string {
  if (typeof stack !== 'string') return '';
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !INTERNAL_FRAME.test(line))
    .map((line) => `\t${line}\n`)
    .join('');
}

/** A thrown value, dumped out of the virtual machine, as an error. Anything can be thrown, also nothing. */
export function scriptErrorOf(thrown: unknown): ScriptError {
  if (thrown !== null && typeof thrown === 'object' && 'message' in thrown) {
    const { name, message, stack } = thrown as { name?: unknown; message: unknown; stack?: unknown };
    return new ScriptError(`${String(name ?? 'Error')}: ${withK6Words(String(message))}`, framesOf(stack));
  }
  if (thrown !== null && typeof thrown === 'object') return new ScriptError('[object Object]', '');
  return new ScriptError(String(thrown), '');
}

/** The one engine message that logs are searched for: goja capitalises it. */
function withK6Words(message: string): string {
  return message.replace(/^cannot read property/, 'Cannot read property');
}
