import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the demonstration shows a lost yes and a lost no, each sent once', {
  timeout: 120_000,
}, async () => {
  const script = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));

  const { stdout } = await promisify(execFile)(process.execPath, [script]);

  expect(stdout).toContain('1 call that spends, 1 paid for. Told: SUCCEEDED.');
  expect(stdout).toContain('purchaseByKey: PENDING.');
  expect(stdout).toContain('1 call that spends, 0 paid for. Told: FAILED.');
  expect(stdout.match(/replayed: true/g)).toHaveLength(2);
});
