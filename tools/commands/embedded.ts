/** `bookstore-load embedded`: the embedded engine with k6's own arguments, for scripts and for `run --engine embedded`. */
import { Command } from '@commander-js/extra-typings';
import { rerun } from '../base/rerun.ts';
import { specOfFlags, withRunOptions } from '../engine/command-line.ts';
import { CONFINED, emptyEnvironment, isConfined } from '../engine/confinement.ts';
import { inspectScript } from '../engine/inspect.ts';
import { runEmbedded } from '../engine/run.ts';

export function command() {
  const run = withRunOptions(new Command('run'))
    .description('Run a k6 script without k6; takes the arguments of `k6 run`.')
    .argument('<script>', 'bundle or plain ES module')
    .action(async (script, flags) => {
      if (!isConfined()) {
        process.exitCode = await rerun(CONFINED);
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
      const spec = specOfFlags(script, flags, process.env);
      emptyEnvironment();
      const result = await runEmbedded({ ...spec, signal: stop.signal });
      process.exitCode = result.exitCode;
    });
  const inspect = withRunOptions(new Command('inspect'))
    .description('Print the options of a script, consolidated, and what they need, as JSON.')
    .argument('<script>', 'bundle or plain ES module')
    .action(async (script, flags) => {
      if (!isConfined()) {
        process.exitCode = await rerun(CONFINED);
        return;
      }
      const spec = specOfFlags(script, flags, process.env);
      emptyEnvironment();
      process.stdout.write(`${JSON.stringify(await inspectScript(spec), undefined, 2)}\n`);
    });
  return new Command('embedded')
    .description('The embedded engine: run or inspect a k6 script without k6. For trying things; measure with k6.')
    .addCommand(run)
    .addCommand(inspect);
}
