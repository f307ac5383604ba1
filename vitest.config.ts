import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The default reporter for people, ours for the closing line that CI reads.
    reporters: ['default', './test/count-reporter.ts'],
    // Two cores: more workers only make servers and k6 late.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
