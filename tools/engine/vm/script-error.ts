/** What a script did wrong, in the words that k6's log would use. */

/** An exception of the script; `message` is `Name: text`, `stack` the frames in k6's notation. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** Frames, one a line, each with a leading tab; empty when the thrown value was no Error. */
  readonly frames: string;
  /** Of a promise, which k6 says in other words. */
  readonly isOfPromise: boolean;

  constructor(message: string, frames: string, isOfPromise = false) {
    super(isOfPromise ? `Uncaught (in promise) ${message}` : message);
    this.frames = frames;
    this.isOfPromise = isOfPromise;
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

/** A recursion without end has more frames than anyone reads. */
const FRAMES_SHOWN = 10;

const INTERNAL_FRAME = /k6:|k6\/(http|data|execution|metrics)|\(native\)|<eval>|@?\(k6\)|at .* \(k6:/;

/** QuickJS prints `    at f (file:1:2)`, k6 a tab and the same. Frames of the engine itself are left out. */
export function framesOf(stack: unknown): string {
  if (typeof stack !== 'string') return '';
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !INTERNAL_FRAME.test(line))
    .slice(0, FRAMES_SHOWN)
    .map((line) => `\t${line}\n`)
    .join('');
}

/** A thrown value, dumped out of the virtual machine, as an error. Anything can be thrown, also nothing. */
export function scriptErrorOf(thrown: unknown): ScriptError {
  if (thrown !== null && typeof thrown === 'object' && 'message' in thrown) {
    const { name, message, stack } = thrown as { name?: unknown; message: unknown; stack?: unknown };
    if (name === 'SyntaxError') return new ScriptError(`SyntaxError: ${syntaxText(String(message))}`, framesOf(stack));
    return new ScriptError(`${String(name ?? 'Error')}: ${withK6Words(String(message))}`, framesOf(stack));
  }
  if (thrown !== null && typeof thrown === 'object') return new ScriptError('[object Object]', '');
  return new ScriptError(String(thrown), '');
}

/** An import that a k6 module here does not have may well exist in k6. */
function syntaxText(message: string): string {
  const missing = /^Could not find export '([^']+)' in module '(k6[^']*)'$/.exec(message);
  if (missing === null) return message;
  return `"${missing[1]}" of ${missing[2]} is not offered by the embedded engine; run this script with k6 (--engine k6)`;
}

/** The one engine message that logs are searched for: goja capitalises it. */
function withK6Words(message: string): string {
  return message.replace(/^cannot read property/, 'Cannot read property');
}
