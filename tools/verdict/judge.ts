/** Runs every rule over the facts and draws the verdict on the test. */
import type { Facts } from './facts.ts';
import type { Limits } from './limits.ts';
import { type Missing, missingOf } from './proof.ts';
import { notJudged as cannotJudge, NO_SAMPLES, type NotJudged, type Reason, type Rule, type Severity } from './rule.ts';
import { rule as accounting } from './rules/accounting.ts';
import { rule as clockSkew } from './rules/clock-skew.ts';
import { rule as closedModel } from './rules/closed-model.ts';
import { rule as coldStart } from './rules/cold-start.ts';
import { rule as damagedFile } from './rules/damaged-file.ts';
import { rule as drift } from './rules/drift.ts';
import { rule as droppedIterations } from './rules/dropped-iterations.ts';
import { rule as errorHeavy } from './rules/error-heavy.ts';
import { rule as exhaustedData } from './rules/exhausted-data.ts';
import { rule as gaps } from './rules/gaps.ts';
import { rule as generatorCpu } from './rules/generator-cpu.ts';
import { rule as generatorMemory } from './rules/generator-memory.ts';
import { rule as iterationsThrowing } from './rules/iterations-throwing.ts';
import { rule as leakedQuery } from './rules/leaked-query.ts';
import { rule as littlesLaw } from './rules/littles-law.ts';
import { rule as matchingCounts } from './rules/matching-counts.ts';
import { rule as mixDrift } from './rules/mix-drift.ts';
import { rule as namesNotGrouped } from './rules/names-not-grouped.ts';
import { rule as noAnswer } from './rules/no-answer.ts';
import { rule as nothingAsserted } from './rules/nothing-asserted.ts';
import { rule as nothingMeasured } from './rules/nothing-measured.ts';
import { rule as optionsIgnored } from './rules/options-ignored.ts';
import { rule as ownCounters } from './rules/own-counters.ts';
import { rule as popularityCollapse } from './rules/popularity-collapse.ts';
import { rule as rateAchieved } from './rules/rate-achieved.ts';
import { rule as rateLimited } from './rules/rate-limited.ts';
import { rule as runEnded } from './rules/run-ended.ts';
import { rule as sameHost } from './rules/same-host.ts';
import { rule as samplesWhole } from './rules/samples-whole.ts';
import { rule as scenariosReplaced } from './rules/scenarios-replaced.ts';
import { rule as stoppedEarly } from './rules/stopped-early.ts';
import { rule as thinkTime } from './rules/think-time.ts';
import { rule as thresholdWithoutSamples } from './rules/threshold-without-samples.ts';
import { rule as timeoutCluster } from './rules/timeout-cluster.ts';
import { rule as vuCeiling } from './rules/vu-ceiling.ts';
import { rule as workers } from './rules/workers.ts';

/** 2: UNPROVEN, and what is missing. */
export const VERDICT_SCHEMA_VERSION = 2;

/** UNPROVEN: nothing speaks against the test, but a rule that could have made it INVALID lacks its facts. */
export const STATUSES = ['VALID', 'SUSPECT', 'INVALID', 'UNPROVEN'] as const;
export type Status = (typeof STATUSES)[number];

export interface Verdict {
  readonly status: Status;
  /** Gravest first; notes last. */
  readonly reasons: readonly Reason[];
  readonly notJudged: readonly NotJudged[];
  /** Facts without which no test is VALID, each with what brings it; they are named beside the reasons of a SUSPECT one too. */
  readonly missing: readonly Missing[];
  /** Rules that were judged and found nothing. */
  readonly fine: readonly string[];
}

/** All rules, what ends a run first. */
export const RULES: readonly Rule[] = [
  nothingMeasured,
  runEnded,
  stoppedEarly,
  scenariosReplaced,
  optionsIgnored,
  iterationsThrowing,
  droppedIterations,
  rateAchieved,
  vuCeiling,
  accounting,
  mixDrift,
  workers,
  clockSkew,
  damagedFile,
  matchingCounts,
  gaps,
  samplesWhole,
  generatorCpu,
  generatorMemory,
  rateLimited,
  noAnswer,
  exhaustedData,
  ownCounters,
  timeoutCluster,
  errorHeavy,
  thresholdWithoutSamples,
  closedModel,
  thinkTime,
  popularityCollapse,
  coldStart,
  drift,
  littlesLaw,
  namesNotGrouped,
  leakedQuery,
  sameHost,
  nothingAsserted,
];

/**
 * What follows from a reason without saying anything more: a run that measured nothing also misses its rate, and so on. One
 * cause is read; eight of its consequences beside it are not.
 */
const CONSEQUENCES: Readonly<Record<string, readonly string[]>> = {
  [nothingMeasured.id]: [stoppedEarly.id, rateAchieved.id, accounting.id, mixDrift.id, thresholdWithoutSamples.id],
  [stoppedEarly.id]: [rateAchieved.id, accounting.id],
};

/** The reasons that are no consequences of others, and the rules that are left out for that. */
function withoutConsequences(reasons: readonly Reason[]): { own: Reason[]; folded: NotJudged[] } {
  const cause = (reason: Reason) =>
    reasons.find((other) => other.severity === 'invalid' && CONSEQUENCES[other.rule]?.includes(reason.rule) === true);
  const folded = reasons.flatMap((reason): NotJudged[] => {
    const from = cause(reason);
    return from === undefined ? [] : [{ rule: reason.rule, why: `follows from ${from.rule}, which is said above` }];
  });
  return {
    own: reasons.filter((reason) => cause(reason) === undefined),
    folded: folded.filter(({ rule }, index) => folded.findIndex((one) => one.rule === rule) === index),
  };
}

const GRAVITY: Readonly<Record<Severity, number>> = { invalid: 0, suspect: 1, note: 2 };

function statusOf(gravest: Severity | undefined, missing: readonly Missing[]): Status {
  if (gravest === 'invalid') return 'INVALID';
  if (gravest === 'suspect') return 'SUSPECT';
  return missing.length > 0 ? 'UNPROVEN' : 'VALID';
}

/** The verdict on the test; says nothing of whether the system kept its objectives. */
export function judge(facts: Facts, limits: Limits, rules: readonly Rule[] = RULES): Verdict {
  const reasons: Reason[] = [];
  const notJudged: NotJudged[] = [];
  const fine: string[] = [];
  for (const rule of rules) {
    const unseen = rule.needsSamples === true && facts.summaryOnly;
    const judgement = unseen ? cannotJudge(NO_SAMPLES) : rule.judge(facts, limits);
    if (judgement.kind === 'reasons') reasons.push(...judgement.reasons);
    else if (judgement.kind === 'not judged') notJudged.push({ rule: rule.id, why: judgement.why });
    else fine.push(rule.id);
  }
  const { own, folded } = withoutConsequences(reasons);
  own.sort((a, b) => GRAVITY[a.severity] - GRAVITY[b.severity]);
  const missing = missingOf(facts);
  return {
    status: statusOf(own[0]?.severity, missing),
    reasons: own,
    missing,
    notJudged: [...notJudged, ...folded],
    fine,
  };
}
