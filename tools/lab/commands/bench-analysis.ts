import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';

/** `bench analysis`: the analysis against a bare scan of the same file. */
export function analysisBench() {
  return new Command('analysis')
    .description('Measure analyse (verdict and report included) against a bare DuckDB scan with the same quantiles.')
    .option('--samples <n>', 'rows of the made CSV', '10000000')
    .option('--repeat <n>', 'runs of each, in turns', '3')
    .option('--file <csv>', 'measure on this k6 CSV instead of a made one')
    .option('--json', 'print one JSON document')
    .option('--bare <csv>', 'only the bare scan of this file (what the bench starts as a process of its own)')
    .action(async (flags, self) => {
      const bench = await import('../bench/analysis.ts');
      if (flags.bare !== undefined) {
        await bench.bareScan(flags.bare);
        return;
      }
      const [samples, rounds] = [Number(flags.samples), Number(flags.repeat)];
      if (!(samples >= 1000) || !(rounds >= 1))
        throw new UserError('bench analysis: --samples from 1000, --repeat from 1');
      const result = await bench.analysisBench({
        samples,
        rounds,
        ...(flags.file === undefined ? {} : { file: flags.file }),
      });
      give(self.optsWithGlobals(), result, bench.benchText, result.missed.length === 0);
    });
}

/** `bench verdict`: broken runs and healthy ones, with the rules that speak. */
export function verdictBench() {
  return new Command('verdict')
    .description(
      'Run broken and healthy k6 tests on loopback and print which rules of the verdict speak. About eight minutes.',
    )
    .option('--json', 'print one JSON document')
    .option('--case <text>', 'only runs whose name or rule holds this text')
    .action(async (flags, self) => {
      const bench = await import('../bench/verdict/run.ts');
      const tell = process.stderr.isTTY === true;
      const result = await bench.verdictBench({
        k6: process.env['K6_BIN'] || 'k6',
        onCase: (name) => void (tell && process.stderr.write(`\r\x1b[K${name}`)),
        ...(flags.case === undefined ? {} : { only: flags.case }),
      });
      if (tell) process.stderr.write('\r\x1b[K');
      process.stdout.write(
        self.optsWithGlobals().json === true ? `${JSON.stringify(result)}\n` : bench.verdictTables(result),
      );
    });
}

/** `bench fuzz`: mutated result files, each of which must give an answer or a refusal. */
export function fuzzBench() {
  return new Command('fuzz')
    .description(
      'Analyse many mutated result files of every kind: each gives an answer or a refusal, none a crash.\nCtrl-C ends it with what was tried until then.',
    )
    .option('--json', 'print one JSON document')
    .option('--files <n>', 'how many', '1000')
    .option('--samples-share <n>', 'share of them that are raw samples, which take a hundred times as long', '0.3')
    .option('--seed <text>', 'seed of the mutations', '1')
    .option('--first <n>', 'number of the first file: with --files 1 a finding is made again', '0')
    .option('--keep <folder>', 'folder that gets the files that crashed', 'results/fuzz')
    .action(async (flags, self) => {
      const [files, first, samplesShare] = [flags.files, flags.first, flags.samplesShare].map(Number) as [
        number,
        number,
        number,
      ];
      if (!(files >= 1) || !(first >= 0) || !(samplesShare >= 0 && samplesShare <= 1))
        throw new UserError('bench fuzz: --files from 1, --first from 0, --samples-share from 0 to 1');
      const { fuzz, fuzzText } = await import('../bench/fuzz/run.ts');
      const tell = process.stderr.isTTY === true;
      const onFile = (n: number, crashes: number): void => {
        if (tell && n % 20 === 0) process.stderr.write(`\r\x1b[K${n - first + 1} of ${files}, ${crashes} crashes`);
      };
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      const result = await fuzz({
        stop: stop.signal,
        files,
        first,
        samplesShare,
        seed: flags.seed,
        keep: flags.keep,
        onFile,
      });
      if (tell) process.stderr.write('\r\x1b[K');
      give(self.optsWithGlobals(), result, fuzzText, result.findings.length === 0);
    });
}

/** `bench report`: the report of an hour's run in a browser. */
export function reportPageBench() {
  return new Command('report')
    .description(
      "Open the report of an hour's run in headless Chromium: time to its load event, console errors, width.",
    )
    .option('--json', 'print one JSON document')
    .option('--samples <n>', 'rows of the made run', '1000000')
    .option('--repeat <n>', 'how often it is opened', '5')
    .option('--file <html>', 'open this report instead')
    .option('--screenshots <folder>', 'keep pictures: light, dark, phone')
    .action(async (flags, self) => {
      const [samples, rounds] = [Number(flags.samples), Number(flags.repeat)];
      if (!(samples >= 1000) || !(rounds >= 1))
        throw new UserError('bench report: --samples from 1000, --repeat from 1');
      const { reportBench, reportBenchText } = await import('../bench/report-bench.ts');
      const { file, screenshots } = flags;
      const result = await reportBench({
        samples,
        rounds,
        ...(file !== undefined && { file }),
        ...(screenshots !== undefined && { screenshots }),
      });
      give(self.optsWithGlobals(), result, reportBenchText, result.missed.length === 0);
    });
}

/** Prints a result, as JSON where it is asked for; the exit code says whether its goals were met. */
function give<Result>(
  { json }: { readonly json?: true | undefined },
  result: Result,
  text: (result: Result) => string,
  met: boolean,
): void {
  process.stdout.write(json === true ? `${JSON.stringify(result)}\n` : text(result));
  process.exitCode = met ? EXIT.ok : EXIT.regression;
}
