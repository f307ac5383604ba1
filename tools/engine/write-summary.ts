/** The end of a run: handleSummary's files, or the text; failures are logged and leave the exit code alone, as in k6. */
import { writeFileSync } from 'node:fs';
import { EngineError } from './engine-error.ts';
import { timeoutOf } from './options.ts';
import { abortRun, type RunContext } from './run-context.ts';
import type { EmbeddedSpec } from './spec.ts';
import { exportData, type SummaryData } from './summary/data.ts';
import { summaryText } from './summary/text.ts';
import { ScriptError } from './vm/script-error.ts';
import type { Vu } from './vu.ts';

type Files = Readonly<Record<string, { text?: string; binary?: string; wrong?: string }>>;

export async function writeSummary(
  run: RunContext,
  spec: EmbeddedSpec,
  data: SummaryData,
  handler: Vu | undefined,
): Promise<void> {
  const stdout = spec.stdout ?? ((text) => process.stdout.write(text));
  const stderr = spec.stderr ?? ((text) => process.stderr.write(text));
  const files = handler === undefined ? undefined : await handled(run, handler, data);
  if (files === undefined) stdout(summaryText(data));
  for (const [target, content] of Object.entries(files ?? {})) {
    if (content.wrong !== undefined) {
      run.log(
        'error',
        `handleSummary() returned ${content.wrong} for "${target}" where text is needed; nothing was written there`,
      );
      continue;
    }
    const bytes = content.text ?? Buffer.from(content.binary ?? '', 'latin1');
    if (target === 'stdout') stdout(String(bytes));
    else if (target === 'stderr') stderr(String(bytes));
    else write(run, target, bytes);
  }
  if (spec.summaryExport !== undefined)
    write(run, spec.summaryExport, `${JSON.stringify(exportData(data), undefined, 4)}\n`);
}

function write(run: RunContext, path: string, content: string | Buffer): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED') {
      abortRun(
        run,
        EngineError.config(
          `handleSummary: '${path}' is not below the working directory, and there alone the embedded engine lets a script write; run it there or with k6 (--engine k6)`,
        ),
      );
      return;
    }
    run.log('error', `failed to handle the end-of-test summary: could not open '${path}': ${String(error)}`);
  }
}

async function handled(run: RunContext, vu: Vu, data: SummaryData): Promise<Files | undefined> {
  // Real time: the summary is computed, not rehearsed.
  const limitMs = timeoutOf(run.options, 'handleSummaryTimeout');
  const timer = setTimeout(() => vu.interrupt(), limitMs);
  try {
    return JSON.parse((await vu.stage('summary', { data: JSON.stringify(data) })) ?? '{}') as Files;
  } catch (error) {
    const text =
      error instanceof ScriptError && error.frames !== ''
        ? `${error.message}\n${error.frames}`
        : String(error instanceof Error ? error.message : error);
    run.log('error', text, { hint: 'script exception', source: 'stacktrace' });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
