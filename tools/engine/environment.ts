/** k6's options as environment variables: above the script's, below those of the command line. */
import { UserError } from '../base/user-error.ts';
import { type OptionKind, REFUSED_VARIABLES, RUN_OPTIONS } from './run-options.ts';

type Reader = (text: string, variable: string) => unknown;

const asText: Reader = (text) => text;
const asList: Reader = (text) => text.split(',').map((item) => item.trim());

const asWhole: Reader = (text, variable) => {
  if (/^-?[0-9]+$/.test(text)) return Number(text);
  throw new UserError(`${variable}: "${text}" is not a whole number`);
};

const asFlag: Reader = (text, variable) => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UserError(`${variable}: "${text}" is neither true nor false`);
};

const asStages: Reader = (text, variable) =>
  text.split(',').map((stage) => {
    const [duration = '', target = ''] = stage.trim().split(':');
    return { duration, target: asWhole(target, variable) };
  });

/** `a:1,b:2`, or JSON. */
const asTexts: Reader = (text, variable) => {
  if (text.startsWith('{')) return jsonTexts(text, variable);
  return Object.fromEntries(
    text.split(',').map((item) => {
      const colon = item.indexOf(':');
      if (colon < 0) throw new UserError(`${variable}: "${item}" is not written as name:value`);
      return [item.slice(0, colon).trim(), item.slice(colon + 1).trim()];
    }),
  );
};

function jsonTexts(text: string, variable: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${variable}: "${text}" is no JSON object`);
  }
}

const READERS: Readonly<Record<OptionKind, Reader>> = {
  whole: asWhole,
  flag: asFlag,
  text: asText,
  duration: asText,
  list: asList,
  texts: asTexts,
  stages: asStages,
  any: asText,
};

const refusedOptions = Object.values(RUN_OPTIONS).flatMap(({ carried, variable }) =>
  carried === 'refused' && variable !== undefined ? [variable] : [],
);
/** Values that ask for nothing that is not so anyway. */
const MEANS_NOTHING: ReadonlySet<string> = new Set(['', 'false', 'none', 'stderr']);

const LOAD_OPTIONS = ['iterations', 'duration', 'stages'];

/**
 * The options that the environment sets and the flags do not.
 * @throws UserError for a value that is none, and for an option that this engine does not have
 */
export function environmentOptions(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = (name: string) => environment[`K6_${name}`] ?? '';
  const refused = [...REFUSED_VARIABLES, ...refusedOptions].find((name) => !MEANS_NOTHING.has(given(name)));
  if (refused !== undefined) {
    throw new UserError(
      `K6_${refused} is not offered by the embedded engine; unset it, or run this script with k6 (--engine k6)`,
    );
  }
  // A load on the command line replaces the whole load of the environment.
  const hasLoad = LOAD_OPTIONS.some((option) => flags[option] !== undefined);
  const options: Record<string, unknown> = {};
  for (const [option, { kind, carried, variable = '' }] of Object.entries(RUN_OPTIONS)) {
    if (carried !== 'runs' || given(variable) === '' || flags[option] !== undefined) continue;
    if (hasLoad && LOAD_OPTIONS.includes(option)) continue;
    options[option] = READERS[kind](given(variable), `K6_${variable}`);
  }
  return options;
}
