// Touches k6: what a file of `scenarios/` exports: options, set-up, summary.
import exec from 'k6/execution';
import http from 'k6/http';
import type { BundleModules } from './k6-lifecycle.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { LoadTest } from './plan/load-test.ts';
import { Counter } from './session/metrics.ts';
import { rows } from './session/pools.ts';
import { externalSummary } from './summary/external-text.ts';

/** What the build writes beside the bundles: statements that leave it in \`lifecycle\`. */
type LifecycleFile = (test: LoadTest, modules: BundleModules) => Lifecycle;

const NOTHING = {} as { readonly [K in keyof Lifecycle]: Lifecycle[K] | undefined };

/**
 * Options, set-up and summary of a load test, whose file exports all three and, under its name, each flow as `sessionOf` runs it.
 * k6 reads options, sets up and sums up in VUs with the number 0; in the others, which only run sessions, nothing is made, and
 * the file with the plan, the pre-flight and the suite's definition is not even read: 14 kB of code at top level cost a VU 90 kB.
 */
export const loadTest = (test: LoadTest): typeof NOTHING =>
  __VU
    ? NOTHING
    : (new Function(`${open('./lib/lifecycle.js')};return lifecycle.start`)() as LifecycleFile)(test, {
        exec,
        http,
        Counter,
        rows,
        // k6 reads for this file, and warns of code that was made of a text.
        read: (name) => open(`./data/${name}.json`),
        text: externalSummary,
      });
