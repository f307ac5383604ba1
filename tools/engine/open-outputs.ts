/** Opens the outputs that a run asks for. */
import { durationOption } from './duration-option.ts';
import { csvOutput, csvTimeFormat } from './outputs/csv.ts';
import { jsonOutput } from './outputs/json.ts';
import type { Output } from './outputs/output.ts';
import type { RunContext } from './run-context.ts';
import type { EmbeddedSpec } from './spec.ts';

/** @throws EngineError (255, as k6) when a file cannot be created */
export function openOutputs(spec: EmbeddedSpec, run: RunContext): Output[] {
  return (spec.outputs ?? []).map(({ type, path }) =>
    type === 'json'
      ? jsonOutput(path, run.log)
      : csvOutput({
          path,
          systemTags: [...run.systemTags],
          timeFormat: csvTimeFormat(spec.csvTimeFormat),
          saveIntervalMs: durationOption(spec.env['K6_CSV_SAVE_INTERVAL'] ?? '1s', 'K6_CSV_SAVE_INTERVAL'),
        }),
  );
}
