/** Whether two sides may be compared at all: the same load on the same kind of system, both tests valid. Pure. */
import { redactAll } from '../redact.ts';
import type { Side } from './side.ts';

/** Differences that make two runs two different tests. */
export const COMPARABLE = { rate: 0.1, statusPoints: 0.05, mixPoints: 0.05 } as const;

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
  const asked = (side: Side) =>
    side.analyses.reduce((sum, { facts }) => sum + facts.iterations.finished + facts.iterations.dropped, 0) /
    side.seconds;
  const [askedA, askedB] = [asked(a), asked(b)];
  if (Math.abs(askedA - askedB) > COMPARABLE.rate * Math.max(askedA, askedB)) {
    reasons.push(
      `another arrival rate: ${askedA.toFixed(1)} iterations/s asked for (finished and dropped) against ${askedB.toFixed(1)}/s`,
    );
  }
  const planned = (side: Side) =>
    side.analyses[0]?.facts.plan?.scenarios
      .map((one) => `${one.name} ${one.executor} ${one.rate?.toFixed(3) ?? '-'}/s`)
      .sort()
      .join(', ');
  if (planned(a) !== undefined && planned(b) !== undefined && planned(a) !== planned(b)) {
    reasons.push(`another plan: ${planned(a)} against ${planned(b)}`);
  }
  const mix = statusMix(a, b);
  if (mix !== undefined) reasons.push(mix);
  const shares = endpointMix(a, b);
  if (shares !== undefined) reasons.push(shares);
  const tagged = (side: Side) => side.analyses.every((one) => one.facts.tagKeys.includes('phase'));
  if (tagged(a) !== tagged(b)) {
    reasons.push(`only ${tagged(a) ? 'A' : 'B'} has phase tags, so the other's warm-up cannot be left out`);
  }
  const run = (side: Side) => side.analyses[0]?.facts.run;
  const differs = (what: string, value: (side: Side) => string | boolean | null | undefined) => {
    const [one, other] = [value(a), value(b)];
    if (one !== undefined && other !== undefined && one !== other)
      reasons.push(`another ${what}: ${one} against ${other}`);
  };
  differs('scenario', (side) => run(side)?.scenario);
  differs('place of the generator (same host or not)', (side) => run(side)?.sameHost);
  differs('use of TLS', (side) => run(side)?.tls);
  differs('workload', (side) => run(side)?.inputs['workload']?.slice(0, 12));
  differs('engine', (side) => run(side)?.engine);
  return redactAll(reasons, [...a.populations.keys(), ...b.populations.keys()]);
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
  const list = far.map((status) => `${status}: ${share(one.get(status))} against ${share(other.get(status))}`);
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
  const list = far.slice(0, 3).map((name) => `${name}: ${share(one.get(name))} against ${share(other.get(name))}`);
  return `another mix of endpoints (${list.join(', ')})`;
}

function share(value: number | undefined): string {
  return `${((value ?? 0) * 100).toFixed(1)} %`;
}
