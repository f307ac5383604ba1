/** What sessions of a flow that is data need: exact means, and the longest of some that are drawn. */
import { drawnMeans } from '../model/drawn-means.ts';
import { type DrawnFlow, type DrawnThink, drawnRows, lawBetween } from '../model/drawn-rows.ts';
import { drawSteps } from '../model/drawn-sessions.ts';
import { hashSeed, sessionRandom } from '../model/random.ts';
import { drawThinkTime, thinkTimeMean } from '../model/think-times.ts';

/** Times of a session by which VUs and the time to end are sized; THINK is 1. */
export interface DrawnTimes {
  /** Mean think time of a session, s. */
  readonly thinkSeconds: number;
  /** Think time and requests that hardly any session exceeds. */
  readonly longestThinkSeconds: number;
  readonly longestRequests: number;
}

export interface DrawnSample {
  /** Mean number of each step in a session. */
  readonly steps: Readonly<Record<string, number>>;
  /** The session with the most steps. */
  readonly longest: readonly string[];
  readonly times: DrawnTimes;
}

/** Sessions that are drawn over all flows, and of each flow at least. */
const SAMPLE = 2000;
const LEAST = 50;
/** Some sessions of a run are longer than the longest of those that were drawn here. */
const UNSEEN = 2;

/** @param share of the flow among all sessions */
export function drawnSample(flow: DrawnFlow, share: number): DrawnSample {
  const { steps, pairs } = drawnMeans(flow.sessions);
  let thinkSeconds = 0;
  for (const [from, to, n] of pairs) {
    const law = lawBetween(flow.thinkTimes, from, to);
    if (law !== undefined) thinkSeconds += n * thinkTimeMean(law);
  }
  const rows = drawnRows(flow);
  const n = Math.max(LEAST, Math.round(SAMPLE * share));
  const base = hashSeed('drawn sample');
  let longest: readonly string[] = [];
  let longestThinkSeconds = 0;
  for (let i = 0; i < n; i++) {
    const random = sessionRandom(base, i);
    const session = drawSteps({ row: (place) => rows[place], n, base }, i, random);
    if (session.steps.length > longest.length) longest = session.steps;
    let thought = 0;
    for (const place of session.thinks)
      if (place > 0) thought += drawThinkTime((rows[place] as DrawnThink).law, random);
    longestThinkSeconds = Math.max(longestThinkSeconds, thought);
  }
  const times = {
    thinkSeconds,
    longestThinkSeconds: UNSEEN * longestThinkSeconds,
    longestRequests: UNSEEN * longest.length,
  };
  return { steps, longest, times };
}
