/** What of the objectives a reader must see, and what is folded behind a count. Pure. */
import { parseMetricKey } from '../../../lib/k6/metric-key.ts';
import { GUARD } from '../../../lib/plan/objectives.ts';
import type { ObjectiveResult } from './decide.ts';

const GUARDS: readonly string[] = Object.values(GUARD);

/** Whether an objective only says that its population is not empty. */
export const isGuard = ({ expression }: ObjectiveResult): boolean => GUARDS.includes(expression);

export interface FoldedObjectives {
  /** Crossed, without samples or undecided: gravest first. */
  readonly open: readonly ObjectiveResult[];
  readonly kept: readonly ObjectiveResult[];
  /** Guards that were kept. */
  readonly guards: readonly ObjectiveResult[];
}

const GRAVEST: readonly ObjectiveResult['outcome'][] = ['crossed', 'no samples', 'undecided'];

export function foldObjectives(objectives: readonly ObjectiveResult[]): FoldedObjectives {
  const kept = objectives.filter(({ outcome }) => outcome === 'kept');
  return {
    open: GRAVEST.flatMap((grave) => objectives.filter(({ outcome }) => outcome === grave)),
    kept: kept.filter((one) => !isGuard(one)),
    guards: kept.filter(isGuard),
  };
}

/** `45 kept (13 of them guards), 0 crossed, 2 undecided` */
export function countObjectives(objectives: readonly ObjectiveResult[]): string {
  const { kept, guards, open } = foldObjectives(objectives);
  const of = (wanted: ObjectiveResult['outcome']) => open.filter(({ outcome }) => outcome === wanted).length;
  const empty = of('no samples');
  return [
    `${kept.length + guards.length} kept${guards.length > 0 ? ` (${guards.length} of them guards)` : ''}`,
    `${of('crossed')} crossed`,
    `${of('undecided')} undecided`,
    ...(empty > 0 ? [`${empty} without samples`] : []),
  ].join(', ');
}

/** Objectives by the endpoint that they name, in order of appearance; those of the whole run under an empty name, last. */
export function byEndpoint(objectives: readonly ObjectiveResult[]): (readonly [string, readonly ObjectiveResult[]])[] {
  const groups = new Map<string, ObjectiveResult[]>();
  for (const one of objectives) {
    const parsed = parseMetricKey(one.key);
    const name = 'fault' in parsed ? '' : (parsed.tags['name'] ?? '');
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups].sort(([a], [b]) => Number(a === '') - Number(b === ''));
}

/** A key without what its group says already: the endpoint's name, and the phase that all objectives of the suite bind. */
export function keyInGroup(key: string): string {
  const parsed = parseMetricKey(key);
  if ('fault' in parsed) return key;
  const tags = Object.entries(parsed.tags).filter(
    ([name, value]) => name !== 'name' && !(name === 'phase' && value === 'measure'),
  );
  const rest = tags.map(([name, value]) => `${name}:${value}`).join(',');
  return rest === '' ? parsed.metric : `${parsed.metric}{${rest}}`;
}
