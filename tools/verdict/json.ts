/** The analysis as JSON for machines: stable names, a schema version, nothing that only charts need. */
import type { Analysis } from './analyse.ts';

export function analysisJson(analysis: Analysis) {
  const { schemaVersion, verdict, objectives, facts } = analysis;
  return {
    schemaVersion,
    verdict,
    objectives,
    populations: facts.populations,
    byStatus: facts.byStatus,
    blend: {
      warning: "all answers together, failures included: shown to show how it misleads, nobody's latency",
      populations: facts.blends,
    },
    requests: facts.requests,
    iterations: facts.iterations,
    scenarios: facts.scenarios,
    checks: facts.checks,
    counters: facts.counters,
    ...(facts.untyped && { untyped: facts.untyped }),
    plan: facts.plan ?? null,
    window: facts.window,
    files: facts.files,
    workers: facts.workers,
    beside: facts.beside ?? [],
    tags: facts.tagKeys,
    ...(facts.run === undefined
      ? {}
      : {
          run: {
            runId: facts.run.runId,
            scenario: facts.run.scenario,
            target: facts.run.target,
            engine: facts.run.engine,
            exitCode: facts.run.exitCode,
            sameHost: facts.run.sameHost,
            tls: facts.run.tls,
          },
        }),
  };
}
