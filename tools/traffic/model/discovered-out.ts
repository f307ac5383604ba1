/** Discovered flows as workload.json has them: steps with names, forms and chain with shares, laws of think times. */
import {
  ANY_STEP,
  type Flow,
  type FlowSessions,
  type StepChain,
  type ThinkTimeLaw,
} from '../../../lib/model/workload.ts';
import { type StepTable, stepNames } from './flow-shapes.ts';
import type { FlowShare, SentByFlow } from './flows-model.ts';
import type { TrafficModel } from './model.ts';
import type { ThinkTimeModel } from './think-model.ts';
import { ASSUMED_THINK, type FlowParts, lawNote } from './workload-parts.ts';

/**
 * @param shares of the flows, in their order
 * @param notes gets what had to be assumed
 * @param suite names the steps
 */
export function discoveredParts(
  model: TrafficModel,
  shares: readonly number[],
  notes: string[],
  suite: StepTable,
): FlowParts {
  const { flows, rareThinkTimes } = model.flows;
  const used = [...new Set(flows.flatMap(({ sent }) => (sent === undefined ? [] : endpointsOf(sent))))];
  const names = stepNames(used, suite);
  const unsendable = used.filter((endpoint) => !/^[^ ]+ \//.test(endpoint));
  if (unsendable.length > 0)
    notes.push(`no scenario can send ${unsendable.join(', ')}: a skeleton leaves such steps out and thinks only`);
  const nameOf = (endpoint: string): string => names.get(endpoint) ?? endpoint;
  const rare = new Set<string>();
  const parts: Record<string, Flow> = {};
  flows.forEach((flow, i) => {
    if (flow.sent === undefined) return;
    const { laws, missing, rests } = thinkTimesOf(flow, flow.sent, model, nameOf);
    for (const note of rests) if (!notes.includes(note)) notes.push(note);
    for (const step of missing) rare.add(step);
    parts[flow.name] = {
      share: shares[i] as number,
      sessions: sessionsOf(flow.sent, nameOf),
      thinkTimes: missing.length === 0 ? laws : { ...laws, [ANY_STEP]: rareThinkTimes?.law ?? ASSUMED_THINK },
    };
  });
  if (rare.size > 0) {
    const law = rareThinkTimes === undefined ? 'assumed 1-5 s, the log has too few gaps' : `${rareThinkTimes.n} gaps`;
    notes.push(`${rare.size} steps are too rare for a law of think times of their own and share one (${law})`);
  }
  return { endpoints: Object.fromEntries([...names].map(([endpoint, name]) => [name, endpoint])), flows: parts };
}

function endpointsOf({ forms, chain }: SentByFlow): string[] {
  return [
    ...forms.flatMap(({ steps }) => steps),
    ...Object.keys(chain?.starts ?? {}),
    ...(chain?.pairs ?? []).flatMap(([from, to, n]) => (n > 0 ? [from, to] : [])),
  ];
}

function sessionsOf({ forms, chain }: SentByFlow, nameOf: (endpoint: string) => string): FlowSessions {
  const total = forms.reduce((sum, form) => sum + form.sessions, chain?.sessions ?? 0);
  return {
    forms: forms.map(({ steps, sessions }) => ({ share: places(sessions / total), steps: steps.map(nameOf) })),
    ...(chain === undefined ? {} : { chain: chainOf(chain, nameOf) }),
  };
}

function chainOf({ starts, pairs, ends }: NonNullable<SentByFlow['chain']>, nameOf: (e: string) => string): StepChain {
  const begun = Object.values(starts).reduce((sum, n) => sum + n, 0);
  const left = new Map(Object.entries(ends));
  for (const [from, , n] of pairs) left.set(from, (left.get(from) ?? 0) + n);
  const next: Record<string, Record<string, number>> = {};
  for (const [from, to, n] of pairs) {
    const row = next[nameOf(from)] ?? {};
    next[nameOf(from)] = row;
    row[nameOf(to)] = places((row[nameOf(to)] ?? 0) + n / (left.get(from) as number));
  }
  return {
    starts: Object.fromEntries(Object.entries(starts).map(([step, n]) => [nameOf(step), places(n / begun)])),
    next,
  };
}

/** Laws of the steps of a flow, by their names, the steps that have none, and what each law rests on. */
function thinkTimesOf(
  flow: FlowShare,
  { forms, chain }: SentByFlow,
  model: TrafficModel,
  nameOf: (endpoint: string) => string,
): { laws: Record<string, ThinkTimeLaw>; missing: string[]; rests: string[] } {
  const pairs = [
    ...forms.flatMap(({ steps }) => steps.slice(1).map((to, i) => [steps[i] as string, to] as const)),
    ...(chain?.pairs ?? []),
  ];
  const laws: Record<string, ThinkTimeLaw> = {};
  const missing = new Set<string>();
  const rests: string[] = [];
  for (const [from, to] of pairs) {
    const step = `${nameOf(from)}->${nameOf(to)}`;
    if (Object.hasOwn(laws, step) || missing.has(step)) continue;
    const isOf = (one: ThinkTimeModel): boolean => one.from === from && one.to === to && one.fit !== undefined;
    const own = flow.thinkTimes?.find(isOf);
    const fitted = own ?? model.thinkTimes.find(isOf);
    if (fitted?.fit === undefined) missing.add(step);
    else {
      laws[step] = fitted.fit.law;
      rests.push(`${step}${own === undefined ? '' : ` in ${flow.name}`}: ${lawNote(fitted.fit, fitted.n)}`);
    }
  }
  return { laws, missing: [...missing], rests };
}

function places(x: number): number {
  return Number(x.toFixed(8));
}
