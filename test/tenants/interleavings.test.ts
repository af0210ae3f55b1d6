import { expect, test } from 'vitest';
import { runInterleavings } from './interleavings.ts';

test('nothing of a tenant reaches another, in whatever order they ask: answers, calls, purchases, money', {
  timeout: 120_000,
}, async () => {
  expect(await runInterleavings({ rounds: 40 })).toBeGreaterThan(2_000);
});
