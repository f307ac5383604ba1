import { FINE, notJudged, type Rule, reasons, round } from '../rule.ts';

/** Stretches of the run of which the files hold nothing, and clocks that were set while it went on. */
export const rule: Rule = {
  id: 'gaps',
  title: 'Time without any sample, or a clock that jumped',
  needsSamples: true,
  judge: (facts, limits) => {
    const { gaps, window, vus, requests, iterations } = facts;
    if (gaps === undefined) return notJudged('the times of the samples are not known');
    const rows = requests.n + iterations.finished;
    // k6 writes its gauges every second; without them only a pace tells that a pause is none of the load's own.
    const pace = vus.length > 1 ? Number.POSITIVE_INFINITY : rows / Math.max(1, window.seconds);
    // setup() and teardown() may be silent for as long as they like.
    const { startMs, loadFromMs = startMs, loadToMs = window.endMs } = window;
    const found = gaps.filter(
      ({ fromSecond, toSecond }) =>
        (toSecond - fromSecond) * pace >= limits(rule.id, 'expectedRows') &&
        toSecond * 1000 > loadFromMs - startMs + 1000 &&
        fromSecond * 1000 < loadToMs - startMs - 1000,
    );
    const [longest] = found;
    if (longest === undefined) return FINE;
    const seconds = longest.toSecond - longest.fromSecond;
    const at = (second: number) => new Date(window.startMs + second * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `For ${round(seconds, 0)} s, from ${at(longest.fromSecond)} to ${at(longest.toSecond)}${more}, no row of any kind was written: k6 or its machine stood still, rows were lost, or the clock was set.`,
      numbers: { gapSeconds: seconds, afterSecond: longest.fromSecond, gaps: found.length },
      limit: `no ${limits(rule.id, 'suspectSeconds')} s without a row, where k6 writes its gauges every second or ${limits(rule.id, 'expectedRows')} rows were due`,
      remedy:
        'look at the generator at that time (suspended, out of CPU, disk full, clock set by hand or NTP) and run again',
    });
  },
};
