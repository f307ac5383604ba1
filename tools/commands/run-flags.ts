import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { RESULTS_FOLDER } from '../results/files.ts';
import { ENGINE_NAMES } from '../run/engine.ts';
import { collect } from './values.ts';

/** Options that `run` and `start` share. */
export function runFlags<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  return command
    .configureOutput({ outputError: (text, write) => write(hinted(text)) })
    .option('-e, --env <name=value>', 'variable for the script; repeat for more', collect, [])
    .option('--tag <name=value>', "tag of every sample, besides the script's own; repeat for more", collect, [])
    .option('-o, --out <output>', 'further k6 output, besides samples.csv; repeat for more', collect, [])
    .addOption(
      new Option('--engine <name>', 'what executes the script; default: k6 if found, else embedded').choices(
        ENGINE_NAMES,
      ),
    )
    .option('--results <folder>', 'folder that gets one folder a run', RESULTS_FOLDER)
    .option('--no-samples', 'write no samples.csv (cheaper, but nothing can be analysed afterwards)')
    .option('-q, --quiet', 'no progress, only what k6 prints at the end')
    .option('--json', "print one JSON document at the end; k6's own output goes to standard error");
}

/** Who knows k6 writes its options where those of this command stand. */
function hinted(text: string): string {
  return text.startsWith("error: unknown option '") ? `${text.trimEnd()}\n(k6's own options follow after --)\n` : text;
}
