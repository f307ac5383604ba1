import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The default reporter for people, ours for the closing line that CI reads.
    reporters: ['default', './test/count-reporter.ts'],
    // Two cores: more workers only make servers and k6 late.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
