import { beforeEach, describe, expect, test } from 'vitest';
import { lostAnswer, refused } from '../../../test/persistence/claims.ts';
import {
  aborted,
  createTenant,
  inconclusive,
  owned,
  quietMs,
  type Tenant,
  transferring,
  unreadable,
} from '../../../test/support/modules/journal-tenant.ts';
import { dayMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import type { FaultCode } from '../../kernel/faults.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { transferPace } from './conclude.ts';
import { settleByReading } from './settle.ts';

let tenant: Tenant;
let gateway: ReturnType<Tenant['start']>;
beforeEach(async () => {
  tenant = await createTenant();
  gateway = tenant.start();
});

/** Settles the purchase as the journal has it, and returns it as the caller gets it. */
const settle = async (purchase: PurchaseRecord) =>
  settleByReading(gateway, await tenant.recorded(purchase));
const stateOf = async (purchase: PurchaseRecord) => (await settle(purchase)).state;
/** The state after a read this much later. */
const stateAfter = async (ms: number, purchase: PurchaseRecord) => {
  tenant.time.advance(ms);
  return stateOf(purchase);
};

test('a new state invalidates the reads of the domain, as any caller of it', async () => {
  const sent = await tenant.send();
  tenant.upstream.details = unreadable;
  await settle(sent);
  expect(tenant.invalidated).toEqual([]);

  tenant.upstream.details = owned;
  await settle(sent);
  expect(tenant.invalidated).toEqual([sent.domain]);
});

test.each([
  ['REGISTRATION', owned],
  ['TRANSFER', transferring],
] as const)(
  'a %s that failed stays FAILED when a slow process reads the domain of a later purchase',
  async (kind, details) => {
    const sent = await tenant.send({ kind });
    await tenant.move(sent, { to: 'FAILED', fault: lostAnswer });
    await tenant.move(await tenant.send({ kind, domain: sent.domain }), { to: 'SUCCEEDED' });
    tenant.upstream.details = details;

    expect((await settleByReading(gateway, sent)).state).toBe('FAILED');
  },
);

describe('a purchase that was claimed and not sent', () => {
  test('fails when it is more than a minute old, without an upstream call', async () => {
    const claimed = await tenant.claim();

    expect(await stateAfter(minuteMs, claimed)).toBe('CLAIMED');
    expect(await stateAfter(1, claimed)).toBe('FAILED');
    expect(await tenant.recorded(claimed)).toMatchObject({
      settledAt: tenant.clock.now(),
      fault: { code: 'JOURNAL_UNAVAILABLE', executed: 'NO', upstream: null },
    });
    expect(tenant.upstream.calls).toEqual([]);
  });

  test('fails when a process has known it for more than a minute, although its clock was set back', async () => {
    const claimed = await tenant.claim();
    await settle(claimed);
    tenant.time.setWall(-dayMs);

    expect(await stateAfter(minuteMs, claimed)).toBe('CLAIMED');
    expect(await stateAfter(1, claimed)).toBe('FAILED');
  });

  test('as a line of an order fails when it is more than an hour old', async () => {
    const claimed = await tenant.claim({ orderId: 'order', orderLine: 0 });

    expect(await stateAfter(60 * minuteMs, claimed)).toBe('CLAIMED');
    expect(await stateAfter(1, claimed)).toBe('FAILED');
  });

  test('that another process has sent stays as that process moved it', async () => {
    const claimed = await tenant.claim();
    await tenant.move(claimed, { to: 'SENDING' });
    tenant.time.advance(2 * minuteMs);

    expect((await settleByReading(gateway, claimed)).state).toBe('SENDING');
  });

  test('stays claimed while the journal cannot be written', async () => {
    const claimed = await tenant.claim();
    tenant.time.advance(2 * minuteMs);
    tenant.trouble.fails = /^update/;

    expect(await stateOf(claimed)).toBe('CLAIMED');
  });

  test('is first seen again when it was sent', async () => {
    const claimed = await tenant.claim();
    await settle(claimed);
    tenant.time.advance(quietMs);
    const sent = await tenant.move(claimed, { to: 'SENDING' });

    expect(await stateAfter(secondMs, sent)).toBe('SENDING');
    expect(await stateAfter(10 * secondMs, sent)).toBe('SENDING');
  });
});

test.each(['SUCCEEDED', 'FAILED', 'UNKNOWN'] as const)(
  'a purchase that is %s is returned without an upstream call',
  async (to) => {
    const settled = await tenant.move(await tenant.send(), { to });

    expect(await settle(settled)).toEqual(settled);
    expect(tenant.upstream.calls).toEqual([]);
  },
);

describe('a purchase that was sent', () => {
  test.each(['SENDING', 'PENDING'] as const)(
    'and is %s has succeeded once the account has the domain, at the end of the read',
    async (state) => {
      const sent = await (state === 'SENDING' ? tenant.send() : tenant.pend(lostAnswer));
      tenant.upstream.details = owned;
      tenant.upstream.duringCall = () => tenant.time.advance(3 * secondMs);

      expect(await settle(sent)).toMatchObject({
        state: 'SUCCEEDED',
        settledAt: tenant.clock.now(),
        acceptedAt: tenant.clock.now(),
        fault: null,
      });
      expect(tenant.upstream.calls).toEqual([`getdetails ${sent.domain}`]);
    },
  );

  test('and is a transfer is in progress once the account shows it, and read again an hour later', async () => {
    const sent = await tenant.pend(lostAnswer, { kind: 'TRANSFER' });
    tenant.upstream.details = transferring;

    const now = tenant.clock.now();
    expect(await settle(sent)).toMatchObject({
      state: 'IN_PROGRESS',
      acceptedAt: now,
      nextReadAt: new Date(now.getTime() + transferPace.everyMs),
      settledAt: null,
      fault: null,
    });
  });

  test('does not come from a domain that was registered long before', async () => {
    const sent = await tenant.pend(lostAnswer);
    tenant.upstream.details = {
      ...owned,
      registeredAt: new Date(tenant.clock.now().getTime() - 2 * dayMs),
    };

    expect(await stateOf(sent)).toBe('PENDING');
  });

  test.each([
    ['this process', quietMs - 1, quietMs],
    ['its sender', quietMs + 7, quietMs + 7],
  ])(
    'fails after the quiet window of %s, when two reads five seconds apart miss the domain',
    async (_whose, senderMs, longerMs) => {
      const sent = await tenant.pend(lostAnswer, {}, senderMs);

      expect(await stateOf(sent)).toBe('PENDING');
      expect(await stateAfter(longerMs - 1, sent)).toBe('PENDING');
      expect(await stateAfter(1, sent)).toBe('PENDING');
      expect(await stateAfter(5 * secondMs - 1, sent)).toBe('PENDING');
      expect(await stateAfter(1, sent)).toBe('FAILED');
      expect(await tenant.recorded(sent)).toMatchObject({
        settledAt: tenant.clock.now(),
        fault: { code: 'UPSTREAM_TIMEOUT', executed: 'NO', upstream: null },
      });
    },
  );

  test('has the quiet window of this process when the journal has none of its sender', async () => {
    const sent = await tenant.move(await tenant.claim(), { to: 'SENDING' });

    await settle(sent);
    await stateAfter(quietMs, sent);
    expect(await stateAfter(5 * secondMs, sent)).toBe('FAILED');
  });

  test('waits for a whole quiet window in each process', async () => {
    const sent = await tenant.pend(lostAnswer);
    tenant.time.advance(quietMs);

    expect(await stateOf(sent)).toBe('PENDING');
    expect(await stateAfter(5 * secondMs, sent)).toBe('PENDING');
  });

  test('does not fail by a read that began before the quiet window ended', async () => {
    const sent = await tenant.pend(lostAnswer);
    tenant.upstream.duringCall = () => tenant.time.advance(quietMs);

    await settle(sent);
    tenant.upstream.duringCall = () => undefined;
    await settle(sent);
    expect(await stateAfter(5 * secondMs - 1, sent)).toBe('PENDING');
    expect(await stateAfter(1, sent)).toBe('FAILED');
  });

  test.each([
    ['another record', inconclusive, 'PENDING'],
    ['an error', unreadable, 'FAILED'],
    ['an abort', aborted, 'FAILED'],
  ])('counts its missing reads after %s as this decides', async (_what, between, state) => {
    const sent = await tenant.pend(lostAnswer);
    await settle(sent);
    await stateAfter(quietMs, sent);
    tenant.upstream.details = between;
    await settle(sent);
    tenant.upstream.details = null;

    expect(await stateAfter(5 * secondMs, sent)).toBe(state);
    expect(await stateAfter(5 * secondMs, sent)).toBe('FAILED');
  });

  test('fails at the first read that misses the domain when the upstream refused it', async () => {
    const sent = await tenant.pend(refused);

    expect(await settle(sent)).toMatchObject({ state: 'FAILED', fault: refused });
  });

  test.each<FaultCode>(['ALREADY_EXISTS', 'ALREADY_OWNED', 'NOT_AVAILABLE', 'TRANSFER_PENDING'])(
    'waits for the quiet window when the refusal %s may be of a second copy, and then fails with it',
    async (code) => {
      const refusal = { ...refused, code };
      const sent = await tenant.pend(refusal);

      expect(await stateOf(sent)).toBe('PENDING');
      expect(await stateAfter(quietMs, sent)).toBe('PENDING');
      tenant.time.advance(5 * secondMs);
      expect(await settle(sent)).toMatchObject({ state: 'FAILED', fault: refusal });
    },
  );

  const upstream = { code: 'API_7777_ERROR', message: 'Some detail.' };
  const wordsOf = (code: FaultCode, executed: 'NO' | 'UNKNOWN' = 'UNKNOWN') => ({
    ...{ code, executed, message: 'A sentence.', upstream },
  });

  test.each(['REGISTRATION', 'TRANSFER'] as const)(
    'as a %s fails after two reads when the upstream refused it with an unlisted code',
    async (kind) => {
      const sent = await tenant.pend(wordsOf('UPSTREAM_REJECTED'), { kind });

      expect(await stateOf(sent)).toBe('PENDING');
      expect(await stateAfter(5 * secondMs - 1, sent)).toBe('PENDING');
      expect(await stateAfter(1, sent)).toBe('FAILED');
      expect((await tenant.recorded(sent)).fault).toEqual({
        ...wordsOf('UPSTREAM_REJECTED', 'NO'),
        message:
          'The registrar refused the purchase; the account does not have the domain, so nothing was bought.',
      });
    },
  );

  test('does not fail between two reads that show it after such a refusal', async () => {
    const sent = await tenant.pend(wordsOf('UPSTREAM_REJECTED'));
    await settle(sent);
    tenant.upstream.details = owned;

    expect(await stateAfter(5 * secondMs, sent)).toBe('SUCCEEDED');
  });

  test.each<[FaultCode, FaultCode]>([
    ['UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    ['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE'],
    ['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE'],
    ['UPSTREAM_PROTOCOL', 'UPSTREAM_PROTOCOL'],
    ['POLICY', 'POLICY'],
  ])(
    'waits for the quiet window after an uncertain %s, and fails with the words of the upstream as %s',
    async (code, failure) => {
      const sent = await tenant.pend(wordsOf(code));

      await settle(sent);
      expect(await stateAfter(quietMs, sent)).toBe('PENDING');
      expect(await stateAfter(5 * secondMs, sent)).toBe('FAILED');
      const { fault } = await tenant.recorded(sent);
      expect(fault).toMatchObject({ code: failure, executed: 'NO', upstream });
      expect(fault?.message).not.toContain('did not');
    },
  );

  const fifteenMinutesMs = 15 * minuteMs;

  test('is UNKNOWN with the words of the upstream', async () => {
    const sent = await tenant.pend(wordsOf('UPSTREAM_REJECTED'));
    tenant.upstream.details = inconclusive;
    await settle(sent);

    expect(await stateAfter(fifteenMinutesMs, sent)).toBe('UNKNOWN');
    expect((await tenant.recorded(sent)).fault).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      upstream,
    });
  });

  test.each([
    ['cannot be read', unreadable],
    ['has a record', inconclusive],
  ])('is UNKNOWN after fifteen minutes in which the account %s', async (reason, details) => {
    const sent = await tenant.pend(lostAnswer);
    tenant.upstream.details = details;

    expect(await stateOf(sent)).toBe('PENDING');
    expect(await stateAfter(fifteenMinutesMs - 1, sent)).toBe('PENDING');
    expect(await stateAfter(1, sent)).toBe('UNKNOWN');
    const { settledAt, fault } = await tenant.recorded(sent);
    expect(settledAt).toEqual(tenant.clock.now());
    expect(fault).toMatchObject({ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' });
    expect(fault?.message.includes('could not be read')).toBe(reason === 'cannot be read');
  });

  test('is UNKNOWN after fifteen minutes of one process, although its clock was set back', async () => {
    const sent = await tenant.pend(lostAnswer);
    tenant.upstream.details = unreadable;
    await settle(sent);
    tenant.time.setWall(-dayMs);

    expect(await stateAfter(fifteenMinutesMs - 1, sent)).toBe('PENDING');
    expect(await stateAfter(1, sent)).toBe('UNKNOWN');
  });

  test('is UNKNOWN in a new process once that has waited for the longer quiet window', async () => {
    const sent = await tenant.pend(lostAnswer, {}, 2 * quietMs);
    tenant.upstream.details = unreadable;
    tenant.time.advance(fifteenMinutesMs);

    expect(await stateOf(sent)).toBe('PENDING');
    expect(await stateAfter(2 * quietMs - 1, sent)).toBe('PENDING');
    expect(await stateAfter(1, sent)).toBe('UNKNOWN');
  });

  test('is UNKNOWN fifteen minutes after its call, not after its claim', async () => {
    const claimedAt = new Date(tenant.clock.now().getTime() - dayMs);
    const sent = await tenant.pend(lostAnswer, { claimedAt });
    tenant.upstream.details = unreadable;
    tenant.time.advance(fifteenMinutesMs - quietMs - 1);
    await settle(sent);

    expect(await stateAfter(quietMs, sent)).toBe('PENDING');
    expect(await stateAfter(1, sent)).toBe('UNKNOWN');
  });

  test('stays as it is after a read that was aborted', async () => {
    const sent = await tenant.pend(lostAnswer);
    tenant.upstream.details = aborted;
    await settle(sent);

    expect(await stateAfter(fifteenMinutesMs, sent)).toBe('PENDING');
  });
});

test('a transfer in progress is settled by reading the domain', async () => {
  const transfer = await tenant.transfer();
  tenant.upstream.details = owned;

  expect(await stateAfter(minuteMs, transfer)).toBe('SUCCEEDED');
});
