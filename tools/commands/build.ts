/** `build`: a suite's folder becomes bundles that k6 runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { UserError } from '../base/user-error.ts';
import { collect } from './values.ts';

export function command() {
  return new Command('build')
    .description(
      'Check a suite (types, data, objectives, flows) and bundle its load tests for k6.\nA suite is a folder with scenarios/*.ts, a suite.ts that defines its API, data/workload.json and thresholds/*.json.',
    )
    .option('--suite <folder>', 'folder of the suite', '.')
    .option('--outdir <folder>', 'where the bundles go; default: dist in the folder of the suite')
    .option('--workload <file>', "another workload than the suite's data/workload.json")
    .option('--thresholds <folder>', "another folder than the suite's thresholds/")
    .option('--pool <name=file>', 'another file for a pool; repeat for more', collect, [])
    .option('--jslib', 'print the summary with k6-jslib-summary, which k6 then imports from its URL')
    .option('--metafile', 'show what each bundle is made of')
    .option('--watch', 'build again whenever a file changes')
    .option('--skip-check', 'leave out the check of the types')
    .action(async (flags) => {
      const { suite, outdir = join(suite, 'dist') } = flags;
      const { buildSuite, sourcesOf } = await import('../build/main.ts');
      const sources = sourcesOf(suite);
      const settings = {
        ...sources,
        pools: Object.fromEntries(flags.pool.map(poolFile)),
        workload: flags.workload ?? sources.workload,
        thresholds: flags.thresholds ?? sources.thresholds,
        outdir,
        jslib: flags.jslib === true,
        metafile: flags.metafile === true,
        watch: flags.watch === true,
        types: flags.skipCheck !== true,
      };
      try {
        await buildSuite(settings);
      } catch (error) {
        // What esbuild finds it prints itself.
        const reason = Array.isArray((error as { errors?: unknown }).errors)
          ? 'the bundles cannot be made, see above'
          : undefined;
        if (reason === undefined && !(error instanceof UserError)) throw error;
        // A build that fails leaves what the last good one made.
        const old = existsSync(join(outdir, 'lib', 'lifecycle.js'));
        const left = old ? `\nbuild: ${outdir} still holds the bundles of the last build that went well` : '';
        throw new UserError(`${reason ?? (error as Error).message}${left}`, 1);
      }
    });
}

function poolFile(text: string): [string, string] {
  const mark = text.indexOf('=');
  if (mark <= 0 || mark === text.length - 1) throw new UserError(`--pool ${text}: write it as name=file`);
  return [text.slice(0, mark), text.slice(mark + 1)];
}
