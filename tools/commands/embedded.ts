/** `bookstore-load embedded`: the embedded engine with k6's own arguments, for scripts and for `run --engine embedded`. */
import { Command } from '@commander-js/extra-typings';
import { rerun } from '../base/rerun.ts';
import { specOfFlags, withRunOptions } from '../engine/command-line.ts';
import { confined, environment, isConfined } from '../engine/confinement.ts';
import { EMBEDDED_NOTICE } from '../engine/notice.ts';
import type { EmbeddedSpec } from '../engine/spec.ts';

/** The engine itself is loaded only by the process that runs it. */
function again(writable: readonly string[]): Promise<number> {
  const { settings, env, input } = confined(writable, process.env);
  return rerun(settings, env, input);
}

/** The files of a run, and where handleSummary writes. */
function writtenBy({ outputs = [], summaryExport }: EmbeddedSpec, barrier: string | undefined): string[] {
  const files = [...outputs.map(({ path }) => path), summaryExport, barrier];
  return ['.', ...files.filter((path) => path !== undefined)];
}

export function command() {
  const run = withRunOptions(new Command('run'))
    .description('Run a k6 script without k6; takes the arguments of `k6 run`.')
    .argument('<script>', 'bundle or plain ES module')
    .action(async (script, flags) => {
      const spec = specOfFlags(script, flags, environment());
      if (!isConfined()) {
        process.stderr.write(`${EMBEDDED_NOTICE}\n`);
        process.exitCode = await again(writtenBy(spec, flags.startBarrier));
        return;
      }
      const stop = new AbortController();
      let signals = 0;
      const onSignal = (name: NodeJS.Signals) => {
        signals++;
        if (signals > 1) process.exit(105);
        stop.abort(name === 'SIGTERM' ? 'terminated' : 'interrupt');
      };
      process.on('SIGINT', onSignal);
      process.on('SIGTERM', onSignal);
      const { runEmbedded } = await import('../engine/run.ts');
      const result = await runEmbedded({ ...spec, signal: stop.signal });
      process.exitCode = result.exitCode;
    });
  const inspect = withRunOptions(new Command('inspect'))
    .description('Print the options of a script, consolidated, and what they need, as JSON.')
    .argument('<script>', 'bundle or plain ES module')
    .action(async (script, flags) => {
      const spec = specOfFlags(script, flags, environment());
      if (!isConfined()) {
        process.exitCode = await again([]);
        return;
      }
      const { inspectScript } = await import('../engine/inspect.ts');
      process.stdout.write(`${JSON.stringify(await inspectScript(spec), undefined, 2)}\n`);
    });
  return new Command('embedded')
    .description('The embedded engine: run or inspect a k6 script without k6. For trying things; measure with k6.')
    .addCommand(run)
    .addCommand(inspect);
}
