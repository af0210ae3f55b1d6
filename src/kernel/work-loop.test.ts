import { beforeEach, describe, expect, test } from 'vitest';
import {
  createSimulatedClock,
  endOfTurn,
  settlementOf,
} from '../../test/support/simulated-clock.ts';
import { Fault } from './faults.ts';
import { LeasedLoop } from './work-loop.ts';

let time: ReturnType<typeof createSimulatedClock>;
let loop: LeasedLoop;
/** The durations of the requested leases; 0 releases it. */
let leases: number[];
let errors: unknown[];
let isFree: boolean;

beforeEach(() => {
  time = createSimulatedClock();
  [leases, errors, isFree] = [[], [], true];
  loop = new LeasedLoop({
    ...{ clock: time.clock, randomness: { uuid: () => 'one' }, leaseMs: 300, renewMs: 100 },
    async lease({ owner, now, until }) {
      expect(owner).toBe('one');
      leases.push(until.getTime() - now.getTime());
      if (leases.at(-1) === 0) throw new Fault('JOURNAL_UNAVAILABLE');
      return isFree;
    },
    onError: (error) => errors.push(error),
  });
});

describe('the lease', () => {
  test('is renewed only after its time', async () => {
    expect([await loop.holdsLease(), await loop.holdsLease()]).toEqual([true, true]);
    await time.pass(99);
    await loop.holdsLease();
    expect(leases).toEqual([300]);
    await time.pass(1);
    await loop.holdsLease();

    expect(leases).toEqual([300, 300]);
  });

  test('is requested each time while another process has it', async () => {
    isFree = false;

    expect([await loop.holdsLease(), await loop.holdsLease()]).toEqual([false, false]);
    expect(leases).toEqual([300, 300]);
  });

  test('is requested again after an error, and when it may be lost', async () => {
    await loop.holdsLease();
    loop.report(new Fault('JOURNAL_UNAVAILABLE'));
    await loop.holdsLease();
    loop.expireLease();
    await loop.holdsLease();

    expect(leases).toEqual([300, 300, 300]);
  });

  test('is released after the end of the work, also when the journal fails', async () => {
    await loop.holdsLease();
    const ended: string[] = [];
    await loop.close(async () => void ended.push(`after ${leases.length} requests`));

    expect(ended).toEqual(['after 1 requests']);
    expect(leases).toEqual([300, 0]);
    expect(loop.signal.aborted).toBe(true);
  });

  test('of another process is not released', async () => {
    isFree = false;
    await loop.holdsLease();
    await loop.close();

    expect(leases).toEqual([300]);
  });
});

describe('the loop', () => {
  test('looks after the time that the last look returned, and at once when it is woken', async () => {
    let looks = 0;
    loop.start(
      async () => {
        looks += 1;
        return 1_000;
      },
      () => 10,
    );
    await time.pass(999);
    expect(looks).toBe(1);
    await time.pass(1);
    expect(looks).toBe(2);
    loop.wake();
    await endOfTurn();

    expect(looks).toBe(3);
  });

  test('continues after a failed look, and reports an error that is no fault', async () => {
    const failures = [new Fault('JOURNAL_UNAVAILABLE'), new Error('A bug.')];
    let looks = 0;
    loop.start(
      async () => {
        looks += 1;
        throw failures[looks - 1] ?? new Fault('JOURNAL_UNAVAILABLE');
      },
      () => 10,
    );
    await time.pass(9);
    expect(looks).toBe(1);
    await time.pass(11);

    expect(looks).toBe(3);
    expect(errors).toEqual([failures[1]]);
  });

  test('closes after the look in progress, whose error is not reported', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    let looks = 0;
    loop.start(
      () => {
        looks += 1;
        return promise;
      },
      () => 0,
    );
    loop.wake();
    const closing = loop.close();
    const hasClosed = settlementOf(closing);
    await endOfTurn();
    expect(hasClosed()).toBe(false);
    reject(loop.signal.reason);
    await closing;

    expect([looks, errors]).toEqual([1, []]);
  });
});
