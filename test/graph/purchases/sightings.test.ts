import { expect, test } from 'vitest';
import { transferPace } from '../../../src/modules/purchase/conclude.ts';
import { createSightings } from '../../../src/modules/purchase/sightings.ts';

const hourMs = 3_600_000;

test('a process that reads a lost transfer every six hours concludes its loss after two weeks, whatever its wall clock shows', () => {
  const sightings = createSightings({ monotonicMs: () => 0 });
  const { givenUpAfterMs } = transferPace;
  const concludedAt: number[] = [];

  for (let atMs = 0; atMs <= givenUpAfterMs; atMs += 6 * hourMs) {
    if (sightings.confirmsFailure('a transfer', atMs, givenUpAfterMs)) concludedAt.push(atMs);
  }

  expect(concludedAt).toEqual([givenUpAfterMs]);
});
