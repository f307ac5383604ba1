/** `conformance`: scripts that nobody here wrote, in k6 and in the embedded engine. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import { findK6 } from '../../run/k6-binary.ts';

export function command() {
  return new Command('conformance')
    .description(
      'Run the scripts of a folder (files, and snippets of Markdown) in k6 and in the embedded engine, against a stand-in on loopback, and print what is the same, refused and different. The folder is brought from elsewhere, such as examples/ of the k6 repository, and is left as it is.',
    )
    .argument('<folder>', 'scripts and documents')
    .option('--only <text>', 'those whose place holds this text')
    .option('--embedded <file>', 'the program to try', 'bin/bookstore-load.mjs')
    .option('--json', 'print one JSON document')
    .action(async (folder, flags) => {
      const k6 = await findK6();
      if (k6 === undefined) throw new UserError('conformance: k6 is needed; put it on PATH or name it in K6_BIN');
      const { conformance, conformanceText } = await import('../conformance/conformance.ts');
      const tell = process.stderr.isTTY === true;
      const results = await conformance({
        folder,
        only: flags.only ?? '',
        k6: { program: k6.path, arguments: ['run', '--no-usage-report'] },
        embedded: { program: process.execPath, arguments: [resolve(flags.embedded), 'embedded', 'run'] },
        atOnce: Math.min(2, availableParallelism()),
        onDone: (done, of) => void (tell && process.stderr.write(`\r\x1b[K${done} of ${of}`)),
      });
      if (tell) process.stderr.write('\r\x1b[K');
      process.stdout.write(flags.json === true ? `${JSON.stringify(results)}\n` : conformanceText(results));
      process.exitCode = results.some(({ outcome }) => outcome === 'differs') ? EXIT.regression : EXIT.ok;
    });
}
