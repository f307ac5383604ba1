/** Brings a folder of public scripts through both engines. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { numberTable } from '../../base/terminal-table.ts';
import { bounded } from './bounded.ts';
import { type Comparison, compared } from './compared.ts';
import { type Engine, show } from './engine-run.ts';
import { fileName, type PublicScript, publicScripts } from './public-scripts.ts';
import { startStandIn } from './stand-in.ts';

export interface ConformanceRequest {
  readonly folder: string;
  readonly only: string;
  readonly k6: Engine;
  readonly embedded: Engine;
  /** Scripts at the same time. */
  readonly atOnce: number;
  readonly onDone: (done: number, of: number) => void;
}

export interface ConformanceResult extends Comparison {
  readonly place: string;
}

export async function conformance(request: ConformanceRequest): Promise<ConformanceResult[]> {
  const root = resolve(request.folder);
  const scripts = publicScripts(root).filter(({ place }) => place.includes(request.only));
  const copy = mkdtempSync(join(tmpdir(), 'public-scripts-'));
  cpSync(root, copy, { recursive: true });
  const server = await startStandIn();
  const results: ConformanceResult[] = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < scripts.length; i = next++) {
      const script = scripts[i];
      if (script === undefined) return;
      results[i] = {
        place: script.place,
        ...(await one(request, script, join(copy, relative(root, script.folder)), i, server.url)),
      };
      request.onDone(results.filter(Boolean).length, scripts.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: request.atOnce }, work));
  } finally {
    await server.close();
    rmSync(copy, { recursive: true, force: true });
  }
  return results;
}

async function one(
  { k6, embedded }: ConformanceRequest,
  script: PublicScript,
  folder: string,
  i: number,
  base: string,
): Promise<Comparison> {
  const file = join(folder, `conformance-${i}-${fileName(script.place)}${script.extension}`);
  writeFileSync(file, bounded(script.text, base));
  const variables = [`BASE_URL=${base}`, `HOSTNAME=${new URL(base).host}`];
  const real = await show(k6, file, `${file}.k6.csv`, variables);
  const ours = await show(embedded, file, `${file}.embedded.csv`, variables);
  const again = () => show(k6, file, `${file}.k6.csv`, variables);
  return compared(real, ours, again, {
    timed: TIMED.test(script.text),
    random: /Math\.random|randomBytes|randomUUID|getRandomValues/.test(script.text),
    judgesTimes: /['"]?(\w*_duration|http_req_\w+|http_reqs)\b[^\n]*['"]?\s*:\s*\[|abortOnFail/.test(script.text),
  });
}

/** Loads that end with a time. */
const TIMED = /\b(duration|stages|constant-arrival-rate|ramping-arrival-rate|constant-vus|ramping-vus)\b/;

export function conformanceText(results: readonly ConformanceResult[]): string {
  const of = (outcome: string) => results.filter((result) => result.outcome === outcome);
  const parts: string[] = [];
  for (const outcome of ['differs', 'not run'] as const) {
    for (const { place, what } of of(outcome)) parts.push(`${outcome}  ${place}\n    ${what}`);
  }
  const refusals = new Map<string, number>();
  for (const { what } of of('refused')) refusals.set(what, (refusals.get(what) ?? 0) + 1);
  const rows = [...refusals].sort(([, a], [, b]) => b - a).map(([what, n]) => [what, String(n)]);
  if (rows.length > 0) parts.push(numberTable([['refused', 'scripts'], ...rows], ''));
  const counts = (['same', 'refused', 'differs', 'not run'] as const).map(
    (outcome) => `${outcome} ${of(outcome).length}`,
  );
  parts.push(`of ${results.length} scripts: ${counts.join(', ')}`);
  return `${parts.join('\n')}\n`;
}
