/** What a user asks of a run, read and checked before anything is started. */
import type { EngineName } from './engine.ts';
import { readK6Arguments, readTag, readVariable } from './k6-arguments.ts';
import { logToStderr } from './log-follower.ts';
import type { RunRequest } from './run.ts';
import { findScript } from './script.ts';
import { staleNote } from './stale-bundle.ts';
import { checkVariables, SUMMARY_VARIABLES, scriptFacts } from './suite.ts';
import { checkSummaryPaths } from './summary-paths.ts';
import { unknownVariables } from './variables.ts';

/** What may be asked for, as the command line has it. */
export interface RunOptions {
  readonly env: readonly string[];
  readonly tag: readonly string[];
  readonly out: readonly string[];
  readonly results: string;
  readonly samples: boolean;
  readonly quiet?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly engine?: EngineName | undefined;
  /** Processes that share the run. */
  readonly workers?: number | undefined;
}

const note = (sentence: string): void => void process.stderr.write(`bookstore-load: note: ${sentence}\n`);

/**
 * What the user gave, as a request.
 * @throws UserError for anything that is wrong before the run
 */
export function requestOf(scenario: string, words: readonly string[], options: RunOptions): RunRequest {
  const k6 = readK6Arguments(words);
  const env = { ...Object.assign({}, ...options.env.map((text) => readVariable(text))), ...k6.env } as Record<
    string,
    string
  >;
  const tags = { ...Object.assign({}, ...options.tag.map(readTag)), ...k6.tags } as Record<string, string>;
  const script = findScript(scenario);
  const facts = scriptFacts(script, { ...process.env, ...env });
  if (script.own) {
    checkVariables(env);
    for (const name of unknownVariables(Object.keys(env), facts.variables)) {
      note(`-e ${name} is no variable of the suite; it is passed on`);
    }
    const secret = facts.secrets.find((name) => Object.hasOwn(env, name));
    if (secret !== undefined) note(`-e ${secret} shows a secret to everybody on this machine: export it instead`);
    const stale = staleNote(script.file);
    if (stale !== undefined) note(stale);
  }
  const summaries = Object.values(SUMMARY_VARIABLES).filter((name) => script.own || Object.hasOwn(env, name));
  checkSummaryPaths({
    ...Object.fromEntries(summaries.map((name) => [name, env[name] || process.env[name]])),
    '--summary-export': k6.summaryExport,
  });
  const environmentOutputs = (process.env['K6_OUT'] ?? '').split(',').filter((output) => output !== '');
  return {
    script,
    env,
    tags,
    // k6 forgets K6_OUT as soon as there is one --out.
    outputs: [...environmentOutputs, ...options.out, ...k6.outputs],
    rest: k6.rest,
    summaryExport: k6.summaryExport,
    resultsRoot: options.results,
    samples: options.samples,
    quiet: options.quiet === true || k6.quiet,
    stdout: options.json === true ? 'stderr' : 'inherit',
    onLog: logToStderr(),
    facts,
  };
}
