/**
 * The sessions of a flow that is data, in the form in which virtual users read them: short rows among those of the pools, since
 * every VU would else hold a copy of what may be long. Read back by `drawn-sessions.ts`.
 */
import { thinkTimeMean } from './think-times.ts';
import { ANY_STEP, type Flow, type ThinkTimeLaw } from './workload.ts';

/** The first row of a flow; all places are counted from it. */
export interface DrawnHead {
  /** Share of each form; row 1 + i is that of form i. */
  readonly shares: readonly number[];
  /** Probability of each first step of the chain. */
  readonly starts?: Readonly<Record<string, number>>;
  /** Row of what follows a step of the chain. */
  readonly next: Readonly<Record<string, number>>;
}

/** A whole session: its steps, and for each but the first the row of the think time before it, 0 for none. */
export interface DrawnForm {
  readonly steps: readonly string[];
  readonly thinks: readonly number[];
}

/** What follows a step: probability and row of the think time, 0 for none. */
export type DrawnNext = Readonly<Record<string, readonly [chance: number, think: number]>>;

/** A think time, and its mean for THINK_LAW=fixed. */
export interface DrawnThink {
  readonly law: ThinkTimeLaw;
  readonly mean: number;
}

/** A flow of a workload that says what its sessions ask for. */
export type DrawnFlow = Required<Pick<Flow, 'sessions' | 'thinkTimes'>>;

/** The law between two steps, or that of steps without one of their own. */
export function lawBetween(laws: Flow['thinkTimes'], from: string, to: string): ThinkTimeLaw | undefined {
  return laws[`${from}->${to}`] ?? laws[ANY_STEP];
}

/** The rows of a flow, the head first. */
export function drawnRows({ sessions: { forms, chain }, thinkTimes }: DrawnFlow): unknown[] {
  const following = Object.entries(chain?.next ?? {});
  const firstLaw = 1 + forms.length + following.length;
  const laws: DrawnThink[] = [];
  const places = new Map<ThinkTimeLaw, number>();
  const placeOf = (from: string, to: string): number => {
    const law = lawBetween(thinkTimes, from, to);
    if (law === undefined) return 0;
    const known = places.get(law);
    if (known !== undefined) return known;
    const place = firstLaw + laws.push({ law, mean: thinkTimeMean(law) }) - 1;
    places.set(law, place);
    return place;
  };
  const head: DrawnHead = {
    shares: forms.map(({ share }) => share),
    ...(chain !== undefined && { starts: chain.starts }),
    next: Object.fromEntries(following.map(([step], i) => [step, 1 + forms.length + i])),
  };
  const whole = forms.map(
    ({ steps }): DrawnForm => ({ steps, thinks: steps.slice(1).map((to, i) => placeOf(steps[i] as string, to)) }),
  );
  const chained = following.map(
    ([from, chances]): DrawnNext =>
      Object.fromEntries(Object.entries(chances).map(([to, chance]) => [to, [chance, placeOf(from, to)] as const])),
  );
  return [head, ...whole, ...chained, ...laws];
}
