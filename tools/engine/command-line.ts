/** k6's `run` arguments, as far as the embedded engine has them, as a spec. */
import {
  Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { None, OptionsOf } from '../base/options.ts';
import { UserError } from '../base/user-error.ts';
import { environment } from './confinement.ts';
import { environmentOptions } from './environment.ts';
import { refusedFlagNames, withRefusedFlags } from './refused-flags.ts';
import { refusedOptionNames } from './run-options.ts';
import type { EmbeddedSpec, OutputSpec } from './spec.ts';
import { startBarrier } from './start-barrier.ts';

/**
 * Adds k6's run options to a command.
 * @see specOfFlags
 */
export function withRunOptions<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  withRefusedFlags(command as CommandUnknownOpts);
  command.addHelpText('after', `\nFlags of k6 run that are refused by name: ${refusedFlagNames().join(', ')}.`);
  command.addHelpText('after', `Options of scripts that are refused by name: ${refusedOptionNames().join(', ')}.`);
  return command
    .option('-e, --env <NAME=value>', 'variable for the script, repeatable', pairs, {})
    .option('--tag <name=value>', 'tag of every sample, repeatable; replaces options.tags', pairs)
    .option('-o, --out <type=file>', 'write every sample: csv=FILE or json=FILE, repeatable', outputs, [])
    .option('-u, --vus <n>', 'virtual users', whole)
    .option('-i, --iterations <n>', 'iterations over all virtual users', whole)
    .option('-d, --duration <time>', 'length of the test, such as 30s')
    .option('-s, --stage <time:target>', 'ramp of virtual users, repeatable', stages)
    .option('--execution-segment <from:to>', 'share of the work that this instance does, such as 0:1/4')
    .option('--execution-segment-sequence <list>', 'borders of all segments, such as 0,1/4,1')
    .option('--summary-export <file>', "write the end-of-test data in k6's export shape")
    .option('--summary-trend-stats <list>', 'columns of Trends, such as avg,p(99)', list)
    .option('--summary-time-unit <unit>', 's, ms or us')
    .option('--summary-mode <mode>', 'compact, full or disabled')
    .option('--system-tags <list>', 'system tags to keep', list)
    .option('--discard-response-bodies', 'do not read bodies')
    .option('--insecure-skip-tls-verify', 'accept any certificate')
    .option('--user-agent <text>', 'User-Agent header')
    .option('--max-redirects <n>', 'redirects to follow', whole)
    .option('--batch <n>', 'requests of a batch at the same time', whole)
    .option('--batch-per-host <n>', 'those to one host, 0 for no limit', whole)
    .option('-w, --throw', 'throw when a request fails')
    .option('--include-system-env-vars [flag]', 'pass the environment to the script (default true)', flag)
    .option('--no-thresholds', 'do not judge thresholds')
    .option('--no-setup', 'skip setup()')
    .option('--no-teardown', 'skip teardown()')
    .option('--no-summary', 'no end-of-test summary')
    .option('--rps <n>', 'requests a second over all virtual users, at most', whole)
    .option('--min-iteration-duration <time>', 'shortest time from one iteration of a virtual user to its next')
    .option('--block-hostnames <list>', 'names that requests may not go to, such as *.example.com', list)
    .option('--no-connection-reuse', 'a new connection for every request')
    .option('--no-vu-connection-reuse', 'new connections for every iteration')
    .option('-q, --quiet', 'accepted for likeness: there is no progress bar')
    .option('--no-color', 'accepted for likeness: nothing is coloured')
    .option('--no-usage-report', 'accepted for likeness: nothing is reported')
    .option('-v, --verbose', 'accepted for likeness: everything is said')
    .addOption(new Option('--start-barrier <file>', 'make this file when ready and wait until it is gone').hideHelp());
}

type Flags = OptionsOf<typeof withRunOptions<[], None, None>>;

/** The spec that parsed flags describe. @param environment process environment: variables of the script, CSV settings */
export function specOfFlags(script: string, flags: Flags, environment: NodeJS.ProcessEnv): EmbeddedSpec {
  const included = flags.includeSystemEnvVars ?? environment['K6_INCLUDE_SYSTEM_ENV_VARS'] !== 'false';
  const system = included ? environment : {};
  const env = Object.fromEntries(
    Object.entries({ ...system, ...flags.env }).filter(([, value]) => value !== undefined),
  );
  const options = {
    vus: flags.vus,
    iterations: flags.iterations,
    duration: flags.duration,
    stages: flags.stage,
    tags: flags.tag,
    executionSegment: flags.executionSegment,
    executionSegmentSequence: flags.executionSegmentSequence,
    summaryTrendStats: flags.summaryTrendStats,
    summaryTimeUnit: flags.summaryTimeUnit,
    systemTags: flags.systemTags,
    discardResponseBodies: flags.discardResponseBodies,
    insecureSkipTLSVerify: flags.insecureSkipTlsVerify,
    userAgent: flags.userAgent,
    maxRedirects: flags.maxRedirects,
    batch: flags.batch,
    batchPerHost: flags.batchPerHost,
    throw: flags.throw,
    rps: flags.rps,
    minIterationDuration: flags.minIterationDuration,
    blockHostnames: flags.blockHostnames,
    // k6's flags say no; without them the script's own options stand.
    ...(!flags.connectionReuse && { noConnectionReuse: true }),
    ...(!flags.vuConnectionReuse && { noVUConnectionReuse: true }),
  };
  const { K6_CSV_TIME_FORMAT: timeFormat, K6_OUT, K6_SUMMARY_MODE, K6_SUMMARY_EXPORT, K6_NO_THRESHOLDS } = environment;
  const out = flags.out.length > 0 || K6_OUT === undefined || K6_OUT === '' ? flags.out : outputs(K6_OUT);
  const summaryExport = flags.summaryExport ?? K6_SUMMARY_EXPORT;
  return {
    script,
    env: env as Record<string, string>,
    options: {
      ...environmentOptions(environment, options),
      ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    },
    outputs: out.map((one) => (one.path === '' ? { ...one, path: defaultPath(one.type, environment) } : one)),
    ...(timeFormat === undefined ? {} : { csvTimeFormat: timeFormat }),
    ...(summaryExport === undefined || summaryExport === '' ? {} : { summaryExport }),
    ...(flags.startBarrier !== undefined && { atStart: startBarrier(flags.startBarrier) }),
    noThresholds: !flags.thresholds || K6_NO_THRESHOLDS === 'true',
    noSetup: !flags.setup,
    noTeardown: !flags.teardown,
    noSummary: !flags.summary || (flags.summaryMode ?? K6_SUMMARY_MODE) === 'disabled',
  };
}

/** The spec of `run`'s arguments, script and all. @throws CommanderError on a usage error */
export function specOfArguments(args: readonly string[], environment: NodeJS.ProcessEnv): EmbeddedSpec {
  const command = withRunOptions(new Command('run')).argument('<script>').exitOverride();
  command.parse([...args], { from: 'user' });
  return specOfFlags(command.args[0] ?? '', command.opts(), environment);
}

function defaultPath(type: OutputSpec['type'], environment: NodeJS.ProcessEnv): string {
  if (type === 'csv') return environment['K6_CSV_FILENAME'] ?? 'file.csv';
  throw new UserError('--out json needs a file: json=samples.json');
}

function pairs(text: string, before: Record<string, string> = {}): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals < 0) {
    const inherited = environment()[text];
    if (inherited === undefined) throw new InvalidArgumentError(`write NAME=value; "${text}" has no value`);
    return { ...before, [text]: inherited };
  }
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

function outputs(text: string, before: OutputSpec[] = []): OutputSpec[] {
  const equals = text.indexOf('=');
  const type = equals < 0 ? text : text.slice(0, equals);
  if (type !== 'csv' && type !== 'json') {
    throw new InvalidArgumentError(`the embedded engine writes csv and json, not "${type}"; use k6 for other outputs`);
  }
  return [...before, { type, path: equals < 0 ? '' : text.slice(equals + 1) }];
}

function stages(text: string, before: { duration: string; target: number }[] = []) {
  const [duration = '', target = ''] = text.split(':');
  if (!/^[0-9]+$/.test(target)) throw new InvalidArgumentError('write a stage as 30s:10');
  return [...before, { duration, target: Number(target) }];
}

function whole(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError(`"${text}" is not a whole number`);
  return Number(text);
}

const list = (text: string) => text.split(',').map((item) => item.trim());
const flag = (text: string) => text !== 'false';
