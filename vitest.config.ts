import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { promiseTags } from './test/promises.ts';
import { isLong } from './test/support/long.ts';
import { SkipSummary } from './test/support/skipped.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

const all = ['test', 'src', 'client'].map((folder) => `${folder}/**/*.test.ts`);
/** The test files that have a long form: they import `test/support/long.ts`, or the browser, which only that form has. */
const withLongForm = () =>
  globSync(all).filter((path) =>
    /\/support\/(?:long|browser)\.ts'/.test(readFileSync(path, 'utf8')),
  );

export default defineConfig({
  test: {
    include: isLong ? withLongForm() : all,
    globalSetup: 'test/support/bundle.ts',
    reporters: [...configDefaults.reporters, new SkipSummary()],
    setupFiles: ['test/support/decimal-equality.ts'],
    tags: promiseTags,
    // Limits for a busy machine; a test that waits for a time measures it itself.
    testTimeout: isLong ? 600_000 : 120_000,
    hookTimeout: isLong ? 600_000 : 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Files share the modules that a worker has loaded: importing the gateway costs a second of CPU time per worker, not per file.
    isolate: false,
    // Node loads the sources as it does in `npm start`, without the transforms of Vite: a tenth less CPU time. No test mocks a module.
    experimental: { viteModuleRunner: false },
    // Fewer garbage collections of young objects: a tenth less CPU time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Halves the CPU time of each start of a gateway in a process of its own.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // Four even on two cores: some tests wait for processes, clocks and sockets most of the time.
    maxWorkers: isLong ? 2 : Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
  },
});
