import { defineConfig } from 'vitest/config';
import gateway from '../../vitest.config.ts';

// Vitest, its settings and the helpers of the tests are those of the gateway. With LONG=1 the pages are tested too.
export default defineConfig({
  test: {
    ...gateway.test,
    include: ['test/*.test.ts'],
    globalSetup: '../../test/support/bundle.ts',
    setupFiles: [],
  },
});
