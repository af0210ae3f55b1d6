import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';

const longTest = test.skipIf(whyNotShort);

longTest(
  'the demo shows a completed and a lost purchase, each sent once',
  { tags: ['R3'], timeout: 300_000 },
  async () => {
    const script = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));

    const { stdout } = await promisify(execFile)(process.execPath, [script]);

    expect(stdout).toContain('1 purchase call, 1 charged. Reported by the gateway: SUCCEEDED.');
    expect(stdout).toContain('The purchase is PENDING.');
    expect(stdout).toContain('1 purchase call, 0 charged. Reported by the gateway: FAILED.');
    expect(stdout.match(/replayed: true/g)).toHaveLength(2);
  },
);
