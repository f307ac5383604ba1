/** Shapes of a run over time: a warm-up and a measured phase, each in stages of constant rate. */
import type { Phase } from '../model/names.ts';

/** A stretch of constant rate. */
export interface LoadStage {
  readonly seconds: number;
  /** Sessions per second over all flows. */
  readonly rate: number;
}

/** A phase becomes one k6 scenario a flow. */
export interface PlannedPhase {
  readonly phase: Phase;
  readonly startSeconds: number;
  readonly seconds: number;
  readonly stages: readonly LoadStage[];
}

export type Profile = 'smoke' | 'default' | 'soak' | 'stress' | 'spike';

interface Shape {
  /** Default length of the measured phase, s. */
  readonly seconds: number;
  /** Rate unless RATE says otherwise; the workload's if absent. */
  readonly rate?: number;
  /** Share of the length and multiple of the rate, stage by stage. */
  readonly stages: readonly (readonly [share: number, factor: number])[];
}

const STEADY = [[1, 1]] as const;
const SHAPES: Readonly<Record<Profile, Shape>> = {
  smoke: { seconds: 30, rate: 2, stages: STEADY },
  default: { seconds: 180, stages: STEADY },
  soak: { seconds: 7200, stages: STEADY },
  stress: { seconds: 600, stages: [1, 2, 3, 4, 5].map((factor) => [0.2, factor] as const) },
  spike: {
    seconds: 240,
    stages: [
      [0.25, 1],
      [0.25, 5],
      [0.5, 1],
    ],
  },
};

export interface ProfileInput {
  readonly profile: Profile;
  /** The scenario's own rate, sessions/s. */
  readonly rate: number;
  /** RATE, DURATION and WARMUP as given; they win over the profile. */
  readonly givenRate: number | undefined;
  readonly givenSeconds: number | undefined;
  readonly warmupSeconds: number;
  /** The scenario's own length under the default profile, s. */
  readonly seconds?: number;
}

/** Phases of a run in order of time. */
export function phasesOf(input: ProfileInput): PlannedPhase[] {
  const shape = SHAPES[input.profile];
  const rate = input.givenRate ?? shape.rate ?? input.rate;
  const seconds = input.givenSeconds ?? (input.profile === 'default' ? input.seconds : undefined) ?? shape.seconds;
  const startSeconds = input.warmupSeconds;
  const measure: PlannedPhase = {
    phase: 'measure',
    startSeconds,
    seconds,
    stages: shape.stages.map(([share, factor]) => ({ seconds: share * seconds, rate: rate * factor })),
  };
  if (startSeconds === 0) return [measure];
  return [
    { phase: 'warmup', startSeconds: 0, seconds: startSeconds, stages: [{ seconds: startSeconds, rate }] },
    measure,
  ];
}
