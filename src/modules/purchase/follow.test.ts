import { beforeEach, describe, expect, test } from 'vitest';
import {
  aborted,
  balances,
  createTenant,
  type Details,
  inconclusive,
  owned,
  pendingTransfer,
  rejected,
  type Tenant,
  transferring,
  unreadable,
} from '../../../test/support/modules/journal-tenant.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { followTransfer } from './follow.ts';

let tenant: Tenant;
let gateway: ReturnType<Tenant['start']>;
let transfer: PurchaseRecord;
beforeEach(async () => {
  tenant = await createTenant();
  gateway = tenant.start();
  transfer = await tenant.transfer();
  tenant.upstream.details = transferring;
  tenant.time.advance(hourMs);
});

const recorded = () => tenant.recorded(transfer);
/** Reads the transfer as the journal has it, and returns it as the caller gets it. */
const look = async () => followTransfer(gateway, await recorded());
const lookAfter = async (ms: number) => {
  tenant.time.advance(ms);
  return look();
};
const stateAfter = async (ms: number) => (await lookAfter(ms)).state;
const countReads = () =>
  tenant.upstream.calls.filter((call) => call.startsWith('getdetails')).length;
/** Milliseconds until the next read is due. */
const nextIn = async () =>
  ((await recorded()).nextReadAt?.getTime() ?? 0) - tenant.clock.now().getTime();

describe('a transfer in progress is read', () => {
  test('every hour on its first day and every six hours afterwards, from its acceptance on', async () => {
    await look();
    expect(await nextIn()).toBe(hourMs);

    await lookAfter(23 * hourMs - 1);
    expect(await nextIn()).toBe(hourMs);
    await lookAfter(minuteMs);
    expect(await nextIn()).toBe(6 * hourMs);
    expect(await recorded()).toMatchObject({ state: 'IN_PROGRESS', readAt: tenant.clock.now() });
  });

  test('by the age of its claim when the time of its acceptance is unknown', async () => {
    const claimedAt = new Date(tenant.clock.now().getTime() - dayMs);

    await followTransfer(gateway, { ...transfer, acceptedAt: null, claimedAt });
    expect(await nextIn()).toBe(6 * hourMs);
  });

  test('once a minute at most', async () => {
    await look();

    const early = await lookAfter(minuteMs - 1);
    expect([early.state, countReads()]).toEqual(['IN_PROGRESS', 1]);
    await lookAfter(1);
    expect(countReads()).toBe(2);
  });

  test('when its last read was ten minutes in the future, by a wrong clock', async () => {
    await look();

    tenant.time.setWall(-10 * minuteMs + 1);
    await look();
    expect(countReads()).toBe(1);
    tenant.time.setWall(-1);
    await look();
    expect(countReads()).toBe(2);
  });

  test('by one process when several look at the same time', async () => {
    await Promise.all([
      followTransfer(gateway, transfer),
      followTransfer(tenant.start(), transfer),
    ]);

    expect(countReads()).toBe(1);
  });

  test('when it was never read before', async () => {
    await followTransfer(gateway, { ...transfer, readAt: null });
    expect(countReads()).toBe(0);

    const journal = { ...gateway.journal, claimRead: async () => true };
    await followTransfer({ ...gateway, journal }, { ...transfer, readAt: null });
    expect(countReads()).toBe(1);
  });

  test.each([
    ['a fault', unreadable],
    ['an abort', aborted],
  ])('again ten minutes after %s', async (_what, error) => {
    tenant.upstream.details = error;

    await look();
    expect(await nextIn()).toBe(10 * minuteMs);
    expect((await recorded()).readAt).toEqual(tenant.clock.now());
  });
});

test('a transfer whose status has no direction is in progress', async () => {
  tenant.upstream.details = pendingTransfer;

  expect((await look()).state).toBe('IN_PROGRESS');
});

test('a transfer has succeeded once the account has the domain, at the start of the read', async () => {
  tenant.upstream.details = owned;
  const startedAt = tenant.clock.now();
  tenant.upstream.duringCall = () => tenant.time.advance(3 * secondMs);

  expect(await look()).toMatchObject({ state: 'SUCCEEDED', settledAt: startedAt, fault: null });
  expect((await recorded()).state).toBe('SUCCEEDED');
});

test.each([
  ['no record', null],
  ['an undescribed state', inconclusive],
])('a transfer stays in progress when the account shows %s', async (_what, details) => {
  tenant.upstream.details = details;

  expect((await look()).state).toBe('IN_PROGRESS');
  expect(await nextIn()).toBe(hourMs);
  expect(await stateAfter(hourMs)).toBe('IN_PROGRESS');
});

describe('a failed transfer', () => {
  beforeEach(() => {
    tenant.upstream.details = rejected;
    tenant.upstream.reseller = balances('977.42');
  });

  test('is settled by two reads a minute apart, which are due a minute after each other', async () => {
    expect((await look()).state).toBe('IN_PROGRESS');
    expect(await nextIn()).toBe(minuteMs);
    tenant.upstream.duringCall = () => tenant.time.advance(3 * secondMs);

    expect(await lookAfter(minuteMs)).toMatchObject({
      state: 'FAILED',
      settledAt: tenant.clock.now(),
      refunded: false,
      fault: { code: 'TRANSFER_REJECTED', executed: 'YES' },
    });
    expect((await recorded()).state).toBe('FAILED');
  });

  test('stays in progress after a second read that began less than a minute later', async () => {
    await look();
    tenant.time.setWall(minuteMs);

    expect(await stateAfter(minuteMs - 1)).toBe('IN_PROGRESS');
    expect(await nextIn()).toBe(minuteMs);
    tenant.time.setWall(minuteMs);
    expect(await stateAfter(1)).toBe('FAILED');
  });

  test('counts its reads by their starts', async () => {
    tenant.upstream.duringCall = () => tenant.time.advance(minuteMs);
    await look();
    tenant.upstream.duringCall = () => undefined;

    expect(await stateAfter(0)).toBe('FAILED');
  });

  test('that was cancelled, and whose price was returned, is reported so', async () => {
    tenant.upstream.details = { ...rejected, failedTransfer: 'CANCELLED' };
    tenant.upstream.reseller = balances('1000');
    await look();

    expect(await lookAfter(minuteMs)).toMatchObject({
      ...{ state: 'FAILED', refunded: true, fault: { code: 'TRANSFER_CANCELLED' } },
    });
  });

  test('is settled without a known refund when the balance cannot be read', async () => {
    tenant.upstream.reseller = unreadable;
    await look();

    expect(await lookAfter(minuteMs)).toMatchObject({ state: 'FAILED', refunded: null });
  });

  test.each<[string, Details | null | Error, string]>([
    ['shown in progress', transferring, 'IN_PROGRESS'],
    ['not shown', null, 'IN_PROGRESS'],
    ['not read', unreadable, 'FAILED'],
  ])('needs two more reads when it was %s in between: %s', async (_how, between, state) => {
    await look();
    tenant.upstream.details = between;
    await lookAfter(minuteMs);
    tenant.upstream.details = rejected;

    expect(await stateAfter(minuteMs)).toBe(state);
    expect(await stateAfter(minuteMs)).toBe('FAILED');
  });

  test('needs two more reads when its failure could not be recorded', async () => {
    await look();
    tenant.trouble.fails = /"settled_at"/;
    expect(await stateAfter(minuteMs)).toBe('FAILED');
    tenant.trouble.fails = null;

    expect(await stateAfter(minuteMs)).toBe('IN_PROGRESS');
    expect(await stateAfter(minuteMs)).toBe('FAILED');
  });
});

describe('a transfer that no read shows as in progress', () => {
  const twoWeeksMs = 14 * dayMs;
  const shown: readonly [string, Details | null | Error][] = [
    ['no record', null],
    ['another state', inconclusive],
    ['nothing', unreadable],
  ];

  test.each(shown)(
    'is UNKNOWN after two weeks of one process that reads %s',
    async (_what, details) => {
      tenant.upstream.details = details;
      await look();
      tenant.time.setWall(-20 * dayMs);

      expect(await stateAfter(twoWeeksMs - 1)).toBe('IN_PROGRESS');
      tenant.time.setWall(hourMs);
      expect(await stateAfter(1)).toBe('UNKNOWN');
      expect(await recorded()).toMatchObject({
        ...{ state: 'UNKNOWN', settledAt: tenant.clock.now() },
        fault: { code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' },
      });
    },
  );

  test.each(shown)(
    'and is two weeks old is UNKNOWN after two reads of %s a minute apart',
    async (_what, details) => {
      tenant.upstream.details = details;
      tenant.time.advance(twoWeeksMs - hourMs);

      expect((await look()).state).toBe('IN_PROGRESS');
      expect(await nextIn()).toBe(minuteMs);
      tenant.time.setWall(minuteMs);
      expect(await stateAfter(minuteMs - 1)).toBe('IN_PROGRESS');
      tenant.time.setWall(minuteMs);
      expect(await stateAfter(1)).toBe('UNKNOWN');
    },
  );

  test('is followed at its usual pace just before it is two weeks old', async () => {
    tenant.upstream.details = null;
    tenant.time.advance(twoWeeksMs - hourMs - 1);
    await look();

    expect(await nextIn()).toBe(6 * hourMs);
    tenant.upstream.details = unreadable;
    expect(await stateAfter(minuteMs)).toBe('UNKNOWN');
  });

  test('is followed further after a read that shows it', async () => {
    tenant.upstream.details = null;
    tenant.time.advance(twoWeeksMs);
    await look();
    tenant.upstream.details = transferring;
    await lookAfter(minuteMs);
    expect(await nextIn()).toBe(6 * hourMs);
    tenant.upstream.details = null;

    expect(await stateAfter(6 * hourMs)).toBe('IN_PROGRESS');
    expect(await stateAfter(minuteMs)).toBe('UNKNOWN');
  });

  test('is followed further after reads that were aborted', async () => {
    tenant.time.advance(twoWeeksMs);
    tenant.upstream.details = aborted;
    await look();

    expect(await nextIn()).toBe(10 * minuteMs);
    expect(await stateAfter(10 * minuteMs)).toBe('IN_PROGRESS');
  });

  test('needs two more reads when its end could not be recorded', async () => {
    tenant.upstream.details = null;
    tenant.time.advance(twoWeeksMs);
    await look();
    tenant.trouble.fails = /"settled_at"/;
    expect(await stateAfter(minuteMs)).toBe('UNKNOWN');
    tenant.trouble.fails = null;

    expect(await stateAfter(minuteMs)).toBe('IN_PROGRESS');
    expect(await stateAfter(minuteMs)).toBe('UNKNOWN');
  });

  test('is counted apart from its failures, and from other transfers', async () => {
    const other = await tenant.transfer();
    tenant.time.advance(twoWeeksMs);
    tenant.upstream.details = null;
    await look();
    tenant.time.advance(minuteMs);

    expect((await followTransfer(gateway, await tenant.recorded(other))).state).toBe('IN_PROGRESS');
    tenant.upstream.details = rejected;
    expect((await look()).state).toBe('IN_PROGRESS');
  });
});
