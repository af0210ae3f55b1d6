import { afterAll, expect, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';
import { openDeployment } from './deployment.ts';

const deployment = await openDeployment({ databaseUrl: null });
afterAll(() => deployment.close());

test.skipIf(whyNotShort)('an idle gateway returns memory that its start used', async () => {
  let output = '';
  await deployment.start({
    nodeArgs: ['--trace-memory-reducer'],
    onStdout: (text) => {
      output += text;
    },
  });
  // V8 looks 8 seconds after its last collection.
  await expect.poll(() => output, { timeout: 120_000 }).toContain('Memory reducer: started GC');
});
