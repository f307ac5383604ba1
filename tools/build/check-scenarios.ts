/** Holds every scenario file against its workload at build time, so that no run begins with a flow or a think time that is not there. */
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { DEFAULT_WORKLOAD, type Workload, workloadFile } from '../../lib/model/workload.ts';
import type { Objectives } from '../../lib/plan/objectives.ts';
import { makePlan } from '../../lib/plan/plan.ts';
import type { Spec } from '../../lib/plan/spec.ts';

/** What a scenario file says and exports. */
interface Loaded {
  readonly specs: readonly Spec[];
  readonly exported: readonly string[];
}

/**
 * Sentences about every scenario that does not fit; empty when all do.
 * @param files paths of scenario files
 * @param workloads checked workloads by name, see `Spec.workload`
 */
export async function scenarioFaults(
  files: readonly string[],
  workloads: Readonly<Record<string, Workload>>,
  objectives: Readonly<Record<string, Objectives>>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const file of files) {
    try {
      const loaded = await load(file);
      faults.push(...faultsOf(file, loaded, workloads, objectives));
    } catch (error) {
      faults.push(`${file}: ${(error as Error).message}`);
    }
  }
  return faults;
}

function faultsOf(
  file: string,
  { specs, exported }: Loaded,
  workloads: Readonly<Record<string, Workload>>,
  objectives: Readonly<Record<string, Objectives>>,
): string[] {
  const [spec] = specs;
  // A script that is none of the suite's has nothing to be held against.
  if (spec === undefined) return [];
  const name = spec.workload ?? DEFAULT_WORKLOAD;
  const workload = workloads[name];
  if (workload === undefined) {
    return [`${file}: its workload "${name}" is missing: add ${workloadFile(name)}, or correct \`workload\``];
  }
  const faults = ['options', 'setup', 'handleSummary', ...Object.keys(spec.flows)]
    .filter((one) => !exported.includes(one))
    .map((one) => `${file}: "${one}" is not exported: k6 runs what is exported under the flow's name`);
  if (spec.name !== basename(file, '.ts')) {
    faults.push(`${file}: it calls itself "${spec.name}": name it "${basename(file, '.ts')}", as its bundle will be`);
  }
  try {
    makePlan(spec, workload, {}, objectives);
  } catch (error) {
    faults.push(`${file}: ${(error as Error).message}`);
  }
  return faults;
}

/** Runs a scenario file in Node, with k6 and the parts of the suite that touch it replaced. */
async function load(file: string): Promise<Loaded> {
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [withoutK6()],
  });
  const text = result.outputFiles[0]?.text ?? '';
  const loaded = (await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)) as Readonly<
    Record<string, unknown>
  >;
  const taken = (globalThis as { suiteSpecs?: Spec[] }).suiteSpecs ?? [];
  (globalThis as { suiteSpecs?: Spec[] }).suiteSpecs = [];
  return { specs: taken, exported: Object.keys(loaded) };
}

const NOTED = `export const suite = (spec) => {
  (globalThis.suiteSpecs ??= []).push(spec);
  return { options: {}, setup: () => undefined, handleSummary: () => ({}) };
};`;
/** Everything of k6 is a function that does nothing and has every property. */
const NOTHING = `const nothing = new Proxy(function () {}, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : key === '__esModule' ? false : nothing),
  apply: () => nothing,
  construct: () => nothing,
});
globalThis.__ENV ??= {};
globalThis.__VU ??= 0;
globalThis.open ??= () => '';
module.exports = nothing;`;

function withoutK6(): Plugin {
  return {
    name: 'without-k6',
    setup(plugin) {
      plugin.onLoad({ filter: /[\\/]lib[\\/]suite\.ts$/ }, () => ({ contents: NOTED, loader: 'js' }));
      plugin.onLoad({ filter: /[\\/]lib[\\/]session[\\/]session\.ts$/ }, () => ({
        contents: 'export const sessionOf = (flow) => flow;',
        loader: 'js',
      }));
      plugin.onResolve({ filter: /^(k6(\/.*)?|https:\/\/.*)$/ }, ({ path }) => ({ path, namespace: 'nothing' }));
      plugin.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: NOTHING, loader: 'js' }));
    },
  };
}
