import { expect, test } from 'vitest';
import { runInterleavings } from './interleavings.ts';

test('nothing of a tenant reaches another, in whatever order they ask: answers, calls, purchases, money', {
  timeout: 300_000,
}, async () => {
  expect(await runInterleavings({ rounds: 30 })).toBeGreaterThan(2_000);
});
