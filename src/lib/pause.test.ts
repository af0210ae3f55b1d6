import { beforeEach, describe, expect, test } from 'vitest';
import {
  createSimulatedClock,
  endOfTurn,
  settlementOf,
} from '../../test/support/simulated-clock.ts';
import { createPause } from './pause.ts';

let time: ReturnType<typeof createSimulatedClock>;
let stop: AbortController;
let pause: ReturnType<typeof createPause>;

beforeEach(() => {
  time = createSimulatedClock();
  stop = new AbortController();
  pause = createPause(time.clock, stop.signal);
});

/** Whether a pause of a second has ended after a turn of the event loop. */
const endsAtOnce = async (): Promise<boolean> => {
  const hasEnded = settlementOf(pause.wait(1_000));
  await endOfTurn();
  return hasEnded();
};

describe('a pause', () => {
  test('ends after its time', async () => {
    const hasEnded = settlementOf(pause.wait(1_000));
    await time.pass(999);
    expect(hasEnded()).toBe(false);

    await time.pass(1);
    expect(hasEnded()).toBe(true);
  });

  test('ends when it is woken', async () => {
    const waiting = pause.wait(1_000);
    const hasEnded = settlementOf(waiting);
    pause.wake();
    await endOfTurn();

    expect(hasEnded()).toBe(true);
    await waiting;
  });

  test('ends at once when it was woken during the work', async () => {
    pause.begin();
    pause.wake();

    expect(await endsAtOnce()).toBe(true);
  });

  test('does not end for a wake before the work', async () => {
    pause.wake();
    pause.begin();

    expect(await endsAtOnce()).toBe(false);
  });

  test('rejects with the reason when the loop stops', async () => {
    const waiting = pause.wait(1_000);
    stop.abort(new Error('the gateway stops'));

    await expect(waiting).rejects.toThrow('the gateway stops');
  });
});
