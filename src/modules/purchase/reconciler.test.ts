import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lostAnswer } from '../../../test/persistence/claims.ts';
import {
  createTenant,
  owned,
  quietMs,
  type Tenant,
  transferring,
  unreadable,
} from '../../../test/support/modules/journal-tenant.ts';
import {
  dayMs,
  endOfTurn,
  hourMs,
  minuteMs,
  secondMs,
} from '../../../test/support/simulated-clock.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { createReconciler } from './reconciler.ts';

const everyMs = 5 * secondMs;

let tenant: Tenant;
let gateway: ReturnType<Tenant['start']>;
let reconcilers: ReturnType<typeof createReconciler>[];
beforeEach(async () => {
  tenant = await createTenant();
  gateway = tenant.start();
  reconcilers = [];
});
afterEach(() => Promise.all(reconcilers.map((one) => one.close())));

/** Starts the reconciler, and lets its first sweep end. */
const start = async () => {
  const deps = { ...gateway, everyMs } as unknown as Parameters<typeof createReconciler>[0];
  const reconciler = createReconciler(deps);
  reconcilers.push(reconciler);
  await endOfTurn();
  return reconciler;
};
const stateOf = async (purchase: PurchaseRecord) => (await tenant.recorded(purchase)).state;
const pass = (ms: number) => tenant.time.pass(ms);
/** Makes each upstream call wait for its release, and counts the calls in flight. */
const hold = () => {
  const held: (() => void)[] = [];
  tenant.upstream.duringCall = () => new Promise<void>((resolve) => held.push(resolve));
  return {
    count: () => held.length,
    async release() {
      for (const resolve of held.splice(0)) resolve();
      await endOfTurn();
    },
  };
};
const many = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (let at = 0; at < count; at += 1) made.push(await make());
  return made;
};

test('an open purchase of a process that ended is settled at the start, and its cached domain is invalidated', async () => {
  const [sent, pending] = [await tenant.send(), await tenant.pend(lostAnswer)];
  tenant.upstream.details = owned;
  await start();

  expect([await stateOf(sent), await stateOf(pending)]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  expect(tenant.invalidated).toEqual([sent.domain, pending.domain]);
});

test('a purchase that stays open is read less often, and its domain stays cached', async () => {
  await tenant.pend(lostAnswer);
  tenant.upstream.details = unreadable;
  const startMs = tenant.clock.monotonicMs();
  const readAt: number[] = [];
  tenant.upstream.duringCall = () => {
    readAt.push((tenant.clock.monotonicMs() - startMs) / secondMs);
  };
  await start();
  await pass(4 * minuteMs + everyMs);

  expect(readAt).toEqual([0, 5, 15, 35, 75, 135, 195]);
  expect(tenant.invalidated).toEqual([]);
});

test('purchases that are made later are read, each at its own pace', async () => {
  await start();
  const sent = await tenant.send();
  await pass(everyMs);
  const [before, claimed] = [[...tenant.upstream.calls], await tenant.claim()];
  await pass(3 * minuteMs);

  expect(before).toEqual([`getdetails ${sent.domain}`]);
  expect([await stateOf(sent), await stateOf(claimed)]).toEqual(['FAILED', 'FAILED']);
});

test('a purchase that settled is no longer observed, and an open one is', async () => {
  const [sent, open] = [await tenant.send(), await tenant.send()];
  const [first, second] = [gateway.sightings.see(sent), gateway.sightings.see(open)];
  await start();
  expect(gateway.sightings.see(sent)).toBe(first);
  await tenant.move(sent, { to: 'SUCCEEDED' });
  await pass(everyMs);

  expect(gateway.sightings.see(sent)).not.toBe(first);
  expect(gateway.sightings.see(open)).toBe(second);
});

test('eight purchases are read together, the oldest first, and no purchase is left out', async () => {
  const open = await many(203, () => {
    tenant.time.advance(1);
    return tenant.send();
  });
  const held = hold();
  await start();

  expect(held.count()).toBe(8);
  await held.release();
  expect(held.count()).toBe(8);
  while (held.count() > 0) {
    expect(held.count()).toBeLessThanOrEqual(8);
    await held.release();
  }
  expect(tenant.upstream.calls).toEqual(open.map(({ domain }) => `getdetails ${domain}`));
});

describe('a transfer in progress', () => {
  beforeEach(() => {
    tenant.upstream.details = transferring;
  });
  const countReads = () => tenant.upstream.calls.length;

  test('is read when its time has come, and then at its own pace', async () => {
    await tenant.transfer();
    await start();
    await pass(hourMs - 1);
    expect(countReads()).toBe(0);

    await pass(everyMs);
    expect(countReads()).toBe(1);
    await pass(hourMs);
    expect(countReads()).toBe(2);
  });

  test('is read when its last read was more than ten minutes in the future', async () => {
    await tenant.transfer();
    tenant.time.setWall(-10 * minuteMs);
    await start();
    expect(countReads()).toBe(0);

    tenant.time.setWall(-everyMs - 1);
    await pass(everyMs);
    expect(countReads()).toBe(1);
  });

  test('is one of eight that are read together, and all that are due are read in one sweep', async () => {
    const transfers = await many(17, () => tenant.transfer());
    tenant.time.advance(hourMs);
    const held = hold();
    await start();

    expect(held.count()).toBe(8);
    await held.release();
    expect(held.count()).toBe(8);
    await held.release();
    await held.release();
    expect(new Set(tenant.upstream.calls).size).toBe(transfers.length);
    expect(tenant.time.waits()).toEqual([everyMs]);
  });

  test('that arrived is settled, and its cached domain is invalidated', async () => {
    const transfer = await tenant.transfer();
    tenant.time.advance(hourMs);
    tenant.upstream.details = owned;
    await start();

    expect(await stateOf(transfer)).toBe('SUCCEEDED');
    expect(tenant.invalidated).toEqual([transfer.domain]);
  });

  test('that failed is settled with the balance of the account', async () => {
    const transfer = await tenant.transfer();
    tenant.time.advance(hourMs);
    tenant.upstream.details = { state: 'TRANSFER_FAILED', failedTransfer: 'REJECTED' };
    await start();
    await pass(minuteMs + everyMs);

    expect(await stateOf(transfer)).toBe('FAILED');
    expect(tenant.upstream.calls).toContain('resellerdetails');
  });
});

test('a journal that fails for a while is read again after a pause', async () => {
  const sent = await tenant.send();
  tenant.upstream.details = owned;
  tenant.trouble.fails = /^select/;
  await start();
  await pass(everyMs);
  expect(tenant.time.waits()).toEqual([everyMs]);
  tenant.trouble.fails = null;
  await pass(everyMs);

  expect(await stateOf(sent)).toBe('SUCCEEDED');
});

test('a bug ends the reconciler with its error', async () => {
  const bug = new Error('a bug');
  gateway = { ...gateway, journal: { ...gateway.journal, dueReads: () => Promise.reject(bug) } };
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const reported: unknown[] = [];
  process.on('unhandledRejection', (error) => reported.push(error));
  try {
    await start();
    await endOfTurn();
    reconcilers = [];
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }

  expect(reported).toEqual([bug]);
  expect(tenant.time.waits()).toEqual([]);
});

describe('a reconciler that closes', () => {
  test('between two sweeps reads nothing more', async () => {
    const reconciler = await start();
    await tenant.send();
    await reconciler.close();
    await pass(dayMs);

    expect(tenant.upstream.calls).toEqual([]);
    expect(tenant.time.waits()).toEqual([]);
  });

  test('after a failure of the journal reads nothing more', async () => {
    tenant.trouble.fails = /^select/;
    const reconciler = await start();
    await reconciler.close();
    tenant.trouble.fails = null;
    await tenant.send();
    await pass(dayMs);

    expect(tenant.upstream.calls).toEqual([]);
  });

  test.each([
    ['purchases', () => tenant.send()],
    ['transfers', () => tenant.transfer()],
  ])(
    'during its sweep of %s aborts the calls in flight, waits for them, and makes no others',
    async (_what, make) => {
      await many(17, make);
      tenant.time.advance(hourMs);
      const held = hold();
      const reconciler = await start();
      let isClosed = false;
      const closing = reconciler.close().then(() => {
        isClosed = true;
      });
      await endOfTurn();

      expect(tenant.upstream.options.map(({ signal }) => signal?.aborted)).toEqual(
        Array(8).fill(true),
      );
      expect(isClosed).toBe(false);
      await held.release();
      await closing;
      expect(tenant.upstream.calls).toHaveLength(8);
    },
  );
});

test('a purchase that no read finds has failed after the quiet window, without a client', async () => {
  const sent = await tenant.send();
  await start();
  await pass(quietMs);
  expect(await stateOf(sent)).toBe('SENDING');
  await pass(3 * minuteMs);

  expect(await stateOf(sent)).toBe('FAILED');
});
