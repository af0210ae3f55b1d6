import { expect, test } from 'vitest';
import { runs } from '../support/long.ts';
import { runInterleavings } from './interleavings.ts';

const rounds = runs(2, 40);

test('responses, calls, purchases and money of a tenant never reach another, in any order of requests', {
  tags: ['S2'],
  timeout: runs(600_000, 1_200_000),
}, async () => {
  expect(await runInterleavings({ rounds })).toBeGreaterThan(rounds * 60);
});
