/** The variables that are read once, where the plan of a run is made, and the whole table. */
import {
  BASE_URL,
  type ChoiceVariable,
  type NumberVariable,
  POOL,
  POPULARITY,
  SEED,
  SESSION_ID,
  type TextVariable,
  THINK,
  TIMEOUT,
  TRACE,
  type Variable,
} from './variable.ts';

declare const BUNDLED: boolean | undefined;
const HELP = typeof BUNDLED === 'undefined';

type Maybe = NumberVariable<number | undefined>;

export const ALLOW_TARGET: TextVariable = {
  name: 'ALLOW_TARGET',
  kind: 'text',
  default: '',
  help: HELP
    ? 'Host of BASE_URL once more, needed unless it is loopback: load on a foreign system is never an accident.'
    : '',
};
export const ENVIRONMENT: TextVariable = {
  name: 'ENVIRONMENT',
  kind: 'text',
  default: '',
  defaultText: 'none',
  help: HELP ? 'Name of a file in `environments/` with values of variables; what is given itself wins.' : '',
};
export const PROFILE: ChoiceVariable<'smoke' | 'default' | 'soak' | 'stress' | 'spike'> = {
  name: 'PROFILE',
  kind: 'choice',
  of: ['smoke', 'default', 'soak', 'stress', 'spike'],
  default: 'default',
  help: HELP
    ? 'Shape of the run: smoke 2/s for 30 s, default 3 min, soak 2 h, stress 1 to 5 times the rate in steps, spike 5 times the rate for a quarter.'
    : '',
};
export const CACHE: ChoiceVariable<'' | 'cold' | 'warm'> = {
  name: 'CACHE',
  kind: 'choice',
  of: ['', 'cold', 'warm'],
  default: '',
  defaultText: 'not declared',
  help: HELP
    ? 'Which cache state is measured: `cold` purges it if it can and takes no warm-up, `warm` warms up for 90 s.'
    : '',
};
export const CACHE_TAG: ChoiceVariable<'' | 'on' | 'item'> = {
  name: 'CACHE_TAG',
  kind: 'choice',
  of: ['', 'on', 'item'],
  default: '',
  defaultText: '`on` with CACHE',
  help: HELP
    ? 'Tag `cache` (HIT, MISS by the answer’s X-Cache) on latency samples; `item` adds the id asked for: one series an item.'
    : '',
};
export const RATE: Maybe = {
  name: 'RATE',
  kind: 'number',
  min: 0.001,
  max: 100_000,
  default: undefined,
  defaultText: 'the workload’s',
  help: HELP ? 'Sessions per second of the whole scenario (requests per second in book-details, peak in ramp).' : '',
};
export const SHARES: TextVariable = {
  name: 'SHARES',
  kind: 'text',
  default: '',
  defaultText: 'the workload’s',
  help: HELP
    ? 'Session shares as `browse=0.6,search=0.2,checkout=0.2`; they are normalised, flows left out get none.'
    : '',
};
export const DURATION: Maybe = {
  name: 'DURATION',
  kind: 'duration',
  min: 1,
  max: 604_800,
  default: undefined,
  defaultText: 'the profile’s',
  help: HELP ? 'Length of the measured phase.' : '',
};
export const WARMUP: Maybe = {
  name: 'WARMUP',
  kind: 'duration',
  min: 0,
  max: 86_400,
  default: undefined,
  defaultText: '90s with CACHE=warm, else 0s',
  help: HELP ? 'Length of a warm-up phase at the same rate; objectives do not bind it.' : '',
};
export const ARRIVALS: ChoiceVariable<'' | 'poisson' | 'metronome'> = {
  name: 'ARRIVALS',
  kind: 'choice',
  of: ['', 'poisson', 'metronome'],
  default: '',
  defaultText: 'the workload’s',
  help: HELP ? 'Arrival process: random at every time scale, or evenly spaced.' : '',
};
export const THRESHOLDS: TextVariable = {
  name: 'THRESHOLDS',
  kind: 'text',
  default: '',
  defaultText: 'by PROFILE and CACHE',
  help: HELP
    ? 'Objectives by file name in `thresholds/`, e.g. `ci`. When given, endpoints that the scenario never calls are red.'
    : '',
};
export const PREALLOCATED_VUS: Maybe = {
  name: 'PREALLOCATED_VUS',
  kind: 'integer',
  min: 1,
  max: 100_000,
  default: undefined,
  defaultText: 'Little’s law at the degraded latency',
  help: HELP ? 'VUs made before the run, over all flows; each one made later costs a dropped session.' : '',
};
export const MAX_VUS: Maybe = {
  name: 'MAX_VUS',
  kind: 'integer',
  min: 1,
  max: 100_000,
  default: undefined,
  defaultText: 'twice what Little’s law asks for',
  help: HELP ? 'Most VUs that may exist, over all flows.' : '',
};
export const THINK_LAW: ChoiceVariable<'' | 'fixed'> = {
  name: 'THINK_LAW',
  kind: 'choice',
  of: ['', 'fixed'],
  default: '',
  defaultText: 'the workload’s laws',
  help: HELP ? '`fixed`: every think time is exactly its mean, to see what users do who all wake up together.' : '',
};
export const VUS: NumberVariable<number> = {
  name: 'VUS',
  kind: 'integer',
  min: 1,
  max: 100_000,
  default: 50,
  help: HELP ? 'Users of closed-loop; no other scenario reads it.' : '',
};
export const WORKERS: NumberVariable<number> = {
  name: 'WORKERS',
  kind: 'integer',
  min: 1,
  max: 10_000,
  default: 1,
  help: HELP ? 'Load generators that share the run by execution segments: each gets VUs enough for its share.' : '',
};
export const PREFLIGHT: ChoiceVariable<'on' | 'off'> = {
  name: 'PREFLIGHT',
  kind: 'choice',
  of: ['on', 'off'],
  default: 'on',
  help: HELP ? '`off` asks the target nothing before the run.' : '',
};
export const SUMMARY_JSON: TextVariable = {
  name: 'SUMMARY_JSON',
  kind: 'text',
  default: '',
  defaultText: 'no file',
  help: HELP ? 'Path of the JSON summary; its folder must exist (plain k6 says so only in its log, at the end).' : '',
};
export const JUNIT_XML: TextVariable = {
  name: 'JUNIT_XML',
  kind: 'text',
  default: '',
  defaultText: 'no file',
  help: HELP ? 'Path of the JUnit file with one test case a threshold; its folder must exist.' : '',
};

/** All variables in the order of the README's table. */
export const VARIABLES: readonly Variable[] = [
  BASE_URL,
  ALLOW_TARGET,
  ENVIRONMENT,
  PROFILE,
  CACHE,
  CACHE_TAG,
  RATE,
  SHARES,
  DURATION,
  WARMUP,
  ARRIVALS,
  THINK,
  THINK_LAW,
  POPULARITY,
  POOL,
  SEED,
  THRESHOLDS,
  PREALLOCATED_VUS,
  MAX_VUS,
  VUS,
  WORKERS,
  TIMEOUT,
  PREFLIGHT,
  SESSION_ID,
  TRACE,
  SUMMARY_JSON,
  JUNIT_XML,
];
