import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import type { Part } from '../bench/bench.ts';
import { analysisBench, fuzzBench, reportPageBench, verdictBench } from './bench-analysis.ts';
import { engineBenchCommand } from './bench-engine.ts';

/** `bench`: what the suite costs the load generator, against a ten-line script. */
export function command() {
  const bench = new Command('bench')
    .enablePositionalOptions()
    .addCommand(analysisBench())
    .addCommand(verdictBench())
    .addCommand(engineBenchCommand())
    .addCommand(fuzzBench())
    .addCommand(reportPageBench())
    .description(
      'Measure what the suite costs the load generator: processor time per request, memory per VU and start-up against a\nten-line script, in turns, and the price of each feature. Needs k6, loopback only.',
    )
    .option('--rounds <n>', 'how often each script runs, in turns', integer, 3)
    .option('--seconds <n>', 'length of each run that measures processor time', integer, 60)
    .option('--rate <n>', 'requests per second of every script', integer, 600)
    .option('--only <parts>', 'comma-separated: cpu, vus, features', parts, [...PARTS])
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code 1 when a goal is missed. The full bench takes about half an hour.')
    .action(async (flags) => {
      const root = resolve('.');
      if (!existsSync(resolve(root, 'dist/bookstore-mix.js')) || !existsSync(resolve(root, 'lib/model/random.ts'))) {
        throw new UserError('bench: run it in the folder of the project, after npm run build');
      }
      const { bench } = await import('../bench/bench.ts');
      const { missedGoals, reportText } = await import('../bench/report.ts');
      const { rounds, seconds, rate, only } = flags;
      const tell = process.stderr.isTTY === true && flags.json !== true;
      const result = await bench({
        k6: process.env['K6_BIN'] || 'k6',
        root,
        rounds,
        seconds,
        rate,
        parts: only,
        onRun: (what) => void (tell && process.stderr.write(`\r\x1b[K${what}`)),
      });
      if (tell) process.stderr.write('\r\x1b[K');
      const missed = missedGoals(result);
      if (flags.json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, ...result, missed }, null, 2)}\n`);
      else process.stdout.write(`${reportText(result)}${missed.map((sentence) => `\nMISSED ${sentence}`).join('')}\n`);
      process.exitCode = missed.length > 0 ? EXIT.regression : EXIT.ok;
    });
  bench
    .command('traffic')
    .description('Measure how fast access logs are read, beside GoAccess and mawk, in turns.')
    .option('--megabytes <n>', 'size of the log', integer, 1000)
    .option('--rounds <n>', 'how often each program runs, in turns (GoAccess once)', integer, 3)
    .option('--clients <n>', 'different clients in the log', integer, 50_000)
    .option('--json', 'print one JSON document')
    .action(async (flags) => {
      const { benchTraffic } = await import('../bench/traffic.ts');
      const { trafficBenchText } = await import('../bench/traffic-report.ts');
      const tell = process.stderr.isTTY === true;
      const rows = await benchTraffic({
        ...flags,
        threads: [1, 2],
        onRun: (what) => void (tell && process.stderr.write(`\r\x1b[K${what}`)),
      });
      if (tell) process.stderr.write('\r\x1b[K');
      process.stdout.write(
        flags.json ? `${JSON.stringify({ schemaVersion: 1, rows }, null, 2)}\n` : trafficBenchText(rows),
      );
    });
  return bench;
}

function integer(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100_000)
    throw new InvalidArgumentError('give a whole number from 1.');
  return value;
}

const PARTS: readonly Part[] = ['cpu', 'vus', 'features'];

function parts(text: string): Part[] {
  return text.split(',').map((word) => {
    const part = PARTS.find((one) => one === word.trim());
    if (part === undefined) throw new InvalidArgumentError(`"${word}" is none of ${PARTS.join(', ')}.`);
    return part;
  });
}
