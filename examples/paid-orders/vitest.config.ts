import { defineConfig } from 'vitest/config';
import gateway from '../../vitest.config.ts';

// Vitest, its settings and the helpers of the tests are those of the gateway.
export default defineConfig({
  test: {
    ...gateway.test,
    include: ['test/*.test.js'],
    globalSetup: [],
    setupFiles: [],
    // The gateway is imported once.
    maxWorkers: 1,
  },
});
