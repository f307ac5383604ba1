import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';

/** `bench engine`: how fast the embedded engine rehearses. */
export function engineBenchCommand() {
  return new Command('engine')
    .description(
      'Measure rehearsals (an hour and a day at 20 sessions/s, ten minutes at 200), the price of a call out of a script and of a VU, start-up with\n100 to 1,000 VUs, and processor time a request beside k6. Needs k6, loopback only; about ten minutes.',
    )
    .option('--share <n>', 'share of the rehearsals to run, above 0 to 1; goals shrink with it', '1')
    .action(async (flags, self) => {
      const share = Number(flags.share);
      if (!(share > 0 && share <= 1)) throw new UserError('bench engine: --share above 0 to 1');
      const { engineBench, engineBenchText, missedEngineGoals } = await import('../bench/engine.ts');
      const tell = process.stderr.isTTY === true;
      const result = await engineBench(
        process.env['K6_BIN'] || 'k6',
        share,
        (what) => void (tell && process.stderr.write(`\r\x1b[K${what}`)),
      );
      if (tell) process.stderr.write('\r\x1b[K');
      const missed = missedEngineGoals(result);
      // --json is read by `bench` itself even after the name of a part.
      process.stdout.write(
        (self.optsWithGlobals() as { json?: true }).json === true
          ? `${JSON.stringify({ schemaVersion: 1, ...result, missed })}\n`
          : engineBenchText(result),
      );
      process.exitCode = missed.length > 0 ? EXIT.regression : EXIT.ok;
    });
}
