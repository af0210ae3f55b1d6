import { expect, test } from 'vitest';
import { runs } from '../support/long.ts';
import { runInterleavings } from './interleavings.ts';

const rounds = runs(6, 80);

test('nothing of a tenant reaches another, in whatever order they ask: answers, calls, purchases, money', {
  timeout: runs(600_000, 1_200_000),
}, async () => {
  expect(await runInterleavings({ rounds })).toBeGreaterThan(rounds * 60);
});
