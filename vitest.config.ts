import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that run real processes wait more than they compute, so they take turns with those that only compute; one that begins
 * last would be waited for.
 */
class TakingTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = (file: TestSpecification): boolean => /test\/(e2e|conformance)\//.test(file.moduleId);
    const [waiting, computing] = [sorted.filter(waits), sorted.filter((file) => !waits(file))];
    const turns = waiting.flatMap((file, i) => [file, ...computing.slice(i, i + 1)]);
    return [...turns, ...computing.slice(waiting.length)];
  }
}

/** Stands for k6's modules, which only k6 has. */
const FAKE_K6 = resolve(import.meta.dirname, 'test/support/fake-k6');

export default defineConfig({
  resolve: {
    alias: [
      { find: /^k6$/, replacement: `${FAKE_K6}/index.ts` },
      { find: /^k6\/(\w+)$/, replacement: `${FAKE_K6}/$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // The default reporter for people, ours for the closing line that CI reads.
    reporters: ['default', './test/count-reporter.ts'],
    // One more than the two cores that this must run on, because servers and k6 are waited for; more would make them late.
    maxWorkers: 3,
    sequence: { sequencer: TakingTurns },
    globalSetup: './test/surroundings.ts',
    setupFiles: './test/unchanged.ts',
    // A worker keeps the modules that it has loaded: reading them anew for each file took a quarter of the time.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
