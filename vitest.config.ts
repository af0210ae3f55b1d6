import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Our sources would load the ESM build of graphql and yoga the other one; two copies know nothing of each other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Three even on two cores: half of the tests wait for processes, clocks and sockets.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
