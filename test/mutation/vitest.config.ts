import { defineConfig } from 'vitest/config';
import { promiseTags } from '../promises.ts';
import { oneThread } from './one-thread.ts';
import { QuickestFirst } from './quickest-first.ts';

/** As `vitest.config.ts`, without the bundle: no test of a mutation run starts a process. */
export default defineConfig({
  plugins: [oneThread()],
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{test,src,client}/**/*.test.ts'],
    setupFiles: ['test/support/decimal-equality.ts', 'test/mutation/fixed-seed.ts'],
    // The limits of `vitest.config.ts`: only Stryker decides that a mutant takes too long.
    testTimeout: 120_000,
    tags: promiseTags,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 2_000, interval: 20 } },
    isolate: false,
    sequence: { sequencer: QuickestFirst },
  },
});
