import { beforeEach, describe, expect, test } from 'vitest';
import {
  createSimulatedClock,
  dayMs,
  hourMs,
  minuteMs,
} from '../../../test/support/simulated-clock.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import { transferPace } from './conclude.ts';
import { createSightings, type Sightings } from './sightings.ts';

let time: ReturnType<typeof createSimulatedClock>;
let sightings: Sightings;
beforeEach(() => {
  time = createSimulatedClock();
  sightings = createSightings(time.clock);
});

test('a process that reads a lost transfer every six hours concludes its loss after two weeks, whatever its wall clock shows', () => {
  const { givenUpAfterMs } = transferPace;
  const concludedAt: number[] = [];

  for (let atMs = 0; atMs <= givenUpAfterMs; atMs += 6 * hourMs) {
    if (sightings.confirmsFailure('a transfer', atMs, givenUpAfterMs)) concludedAt.push(atMs);
  }

  expect(concludedAt).toEqual([givenUpAfterMs]);
});

test('a failure that was first read more than fifteen days ago counts as read for the first time', () => {
  const maxMs = 15 * dayMs;
  sightings.confirmsFailure('one', 0, minuteMs);
  sightings.confirmsFailure('other', 1, minuteMs);

  expect(sightings.confirmsFailure('other', maxMs + 1, minuteMs)).toBe(true);
  expect(sightings.confirmsFailure('one', maxMs + 1, minuteMs)).toBe(false);
  expect(sightings.confirmsFailure('one', maxMs + 1 + minuteMs, minuteMs)).toBe(true);
});

describe('the first sight of a purchase', () => {
  const see = (id: string, state: PurchaseState) => sightings.see({ id, state } as PurchaseRecord);

  test('is remembered by id, apart for its claim and for its call', () => {
    const startedMs = time.clock.monotonicMs();
    const claimed = see('one', 'CLAIMED');
    time.advance(minuteMs);
    const sent = see('one', 'SENDING');
    time.advance(minuteMs);

    expect(claimed).toEqual({ sinceMs: startedMs, absentSinceMs: null });
    expect(sent).toEqual({ sinceMs: startedMs + minuteMs, absentSinceMs: null });
    expect(see('one', 'CLAIMED')).toBe(claimed);
    expect(see('one', 'PENDING')).toBe(sent);
    expect(see('two', 'PENDING').sinceMs).toBe(startedMs + 2 * minuteMs);
  });

  test.each(['CLAIMED', 'SENDING'] as const)(
    'is forgotten, when it is %s, with the purchase',
    (state) => {
      const [one, two] = [see('one', state), see('two', state)];
      sightings.retain(new Set(['two']));

      expect(see('one', state)).not.toBe(one);
      expect(see('two', state)).toBe(two);
    },
  );
});
