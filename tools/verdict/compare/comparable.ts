/** Whether two sides may be compared at all: the same load on the same kind of system, both tests valid. Pure. */
import { largest } from '../../../lib/model/extremes.ts';
import { percent } from '../../../lib/model/figures.ts';
import type { Analysis } from '../analyse.ts';
import type { PlannedLoad, ScenarioLoad } from '../planned-load.ts';
import { redactAll } from '../redact.ts';
import { notCold } from './cache.ts';
import type { Side } from './side.ts';

/** Differences that make two runs two different tests. */
export const COMPARABLE = { rate: 0.1, planRate: 0.01, statusPoints: 0.05, mixPoints: 0.05 } as const;

/** For each of the side's runs that is no valid test, a sentence that says why. */
export function notValid(side: Side, name: string): string[] {
  return side.analyses.flatMap(({ verdict }, index) => {
    if (verdict.status !== 'INVALID') return [];
    const grave = verdict.reasons.filter(({ severity }) => severity === 'invalid').map(({ message }) => message);
    return [`${name} (${side.paths[index]}) is no valid test: ${grave.join(' ')}`];
  });
}

/** Reasons against comparing, each a sentence; empty when nothing speaks against it. */
export function notComparable(a: Side, b: Side): string[] {
  const reasons = [...notValid(a, 'A'), ...notValid(b, 'B')];
  const rate = (side: Side) => side.failures.reduce((sum, bin) => sum + bin.requests, 0) / side.seconds;
  const [rateA, rateB] = [rate(a), rate(b)];
  if (Math.abs(rateA - rateB) > COMPARABLE.rate * Math.max(rateA, rateB)) {
    reasons.push(`another rate: ${rateA.toFixed(1)} requests/s against ${rateB.toFixed(1)}/s`);
  }
  const [first, other] = [a.analyses[0], b.analyses[0]];
  if (first !== undefined && other !== undefined) reasons.push(...otherTest(first, other));
  reasons.push(...notRepetitions(a, 'A'), ...notRepetitions(b, 'B'));
  const mix = statusMix(a, b);
  if (mix !== undefined) reasons.push(mix);
  const shares = endpointMix(a, b);
  if (shares !== undefined) reasons.push(shares);
  reasons.push(...notCold(a, 'A'), ...notCold(b, 'B'));
  const tagged = (side: Side) => side.analyses.every((one) => one.facts.tagKeys.includes('phase'));
  if (tagged(a) !== tagged(b)) {
    reasons.push(`only ${tagged(a) ? 'A' : 'B'} has phase tags, so the other's warm-up cannot be left out`);
  }
  return redactAll(reasons, [...a.populations.keys(), ...b.populations.keys()]);
}

/** Seconds from the first session to the end of the last, whatever setup() and teardown() took. */
const secondsOfLoad = ({ window }: Analysis['facts']): number =>
  Math.max(
    1,
    window.loadFromMs === undefined || window.loadToMs === undefined
      ? window.seconds
      : (window.loadToMs - window.loadFromMs) / 1000,
  );

/** What makes two runs two different tests, as far as plan and manifest say it. */
function otherTest({ facts: one }: Analysis, { facts: other }: Analysis): string[] {
  const reasons: string[] = [];
  const differs = (what: string, a: string | boolean | null | undefined, b: string | boolean | null | undefined) => {
    if (a !== undefined && b !== undefined && a !== b) reasons.push(`another ${what}: ${a} against ${b}`);
  };
  if (one.plan !== undefined && other.plan !== undefined) {
    const [a, b] = [measuredPlan(one.plan), measuredPlan(other.plan)];
    if (!samePlan(a, b)) differs('plan', planText(a), planText(b));
  } else {
    // Without a plan the iterations say what was asked for, warm-up included.
    const asked = (facts: Analysis['facts']) =>
      (facts.iterations.finished + facts.iterations.dropped) / secondsOfLoad(facts);
    const [a, b] = [asked(one), asked(other)];
    if (Math.abs(a - b) > COMPARABLE.rate * Math.max(a, b)) {
      reasons.push(
        `another arrival rate: ${a.toFixed(1)} iterations/s while load was sent, finished or dropped, against ${b.toFixed(1)}/s`,
      );
    }
  }
  differs('scenario', one.run?.scenario, other.run?.scenario);
  differs('place of the generator (same host or not)', one.run?.sameHost, other.run?.sameHost);
  differs('use of TLS', one.run?.tls, other.run?.tls);
  differs('workload', one.run?.inputs['workload']?.slice(0, 12), other.run?.inputs['workload']?.slice(0, 12));
  differs('engine', one.run?.engine, other.run?.engine);
  return reasons;
}

/** What is measured; how it was warmed up before may be another. */
const measuredPlan = ({ scenarios }: PlannedLoad): readonly ScenarioLoad[] =>
  scenarios.filter(({ phase }) => phase !== 'warmup').sort((a, b) => (a.name < b.name ? -1 : 1));

/** Random arrivals reach the rate up to a trifle that depends on the length. */
const samePlan = (a: readonly ScenarioLoad[], b: readonly ScenarioLoad[]): boolean =>
  a.length === b.length &&
  a.every((one, i) => {
    const other = b[i];
    if (other === undefined || one.name !== other.name || one.executor !== other.executor) return false;
    const [rate, otherRate] = [one.rate ?? 0, other.rate ?? 0];
    return Math.abs(rate - otherRate) <= COMPARABLE.planRate * Math.max(rate, otherRate);
  });

const planText = (scenarios: readonly ScenarioLoad[]): string =>
  scenarios.map((one) => `${one.name} ${one.executor} ${one.rate?.toFixed(2) ?? '-'}/s`).join(', ');

/** Repetitions are pooled as blocks of one test, so each must be the first one again, and none may be there twice. */
function notRepetitions({ paths, analyses }: Side, name: string): string[] {
  const reasons: string[] = [];
  const [first] = analyses;
  for (const [index, one] of analyses.entries()) {
    const twin = analyses.findIndex((other, k) => k < index && sameSamples(one, other));
    if (twin >= 0) {
      reasons.push(`${name} has the same samples twice: ${paths[twin]} and ${paths[index]}`);
      continue;
    }
    if (first === undefined || index === 0) continue;
    const rates = [first, one].map(({ facts }) => facts.requests.n / secondsOfLoad(facts)) as [number, number];
    const far = Math.abs(rates[0] - rates[1]) > COMPARABLE.rate * largest(rates);
    const why = [
      ...otherTest(first, one),
      ...(far ? [`another rate: ${rates[0].toFixed(1)} requests/s against ${rates[1].toFixed(1)}/s`] : []),
    ];
    for (const reason of why) reasons.push(`${paths[index]} is no repetition of ${paths[0]}: ${reason}`);
  }
  return reasons;
}

/** The same requests at the same times: two runs never are. */
function sameSamples({ facts: one }: Analysis, { facts: other }: Analysis): boolean {
  return (
    one.requests.n === other.requests.n &&
    one.window.startMs === other.window.startMs &&
    one.window.endMs === other.window.endMs &&
    JSON.stringify(one.populations) === JSON.stringify(other.populations)
  );
}

function statusMix(a: Side, b: Side): string | undefined {
  const shares = (side: Side) => {
    const counts = new Map<string, number>();
    let n = 0;
    for (const { facts } of side.analyses) {
      for (const entry of facts.requests.statuses) {
        counts.set(String(entry.status), (counts.get(String(entry.status)) ?? 0) + entry.n);
        n += entry.n;
      }
    }
    return new Map([...counts].map(([status, count]) => [status, count / Math.max(1, n)]));
  };
  const [one, other] = [shares(a), shares(b)];
  const far = [...new Set([...one.keys(), ...other.keys()])].filter(
    (status) => Math.abs((one.get(status) ?? 0) - (other.get(status) ?? 0)) > COMPARABLE.statusPoints,
  );
  if (far.length === 0) return undefined;
  const list = far.map(
    (status) => `${status}: ${percent(one.get(status) ?? 0)} against ${percent(other.get(status) ?? 0)}`,
  );
  return `another status mix (${list.join(', ')})`;
}

function endpointMix(a: Side, b: Side): string | undefined {
  const shares = (side: Side) => {
    const total = [...side.populations.values()].reduce((sum, one) => sum + one.n, 0);
    return new Map([...side.populations].map(([name, one]) => [name, one.n / Math.max(1, total)]));
  };
  const [one, other] = [shares(a), shares(b)];
  const far = [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => Math.abs((one.get(name) ?? 0) - (other.get(name) ?? 0)) > COMPARABLE.mixPoints,
  );
  if (far.length === 0) return undefined;
  const list = far
    .slice(0, 3)
    .map((name) => `${name}: ${percent(one.get(name) ?? 0)} against ${percent(other.get(name) ?? 0)}`);
  return `another mix of endpoints (${list.join(', ')})`;
}
