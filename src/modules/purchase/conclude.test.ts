import { beforeEach, describe, expect, test } from 'vitest';
import { account, lostAnswer, refused } from '../../../test/persistence/claims.ts';
import { createTenant, type Tenant } from '../../../test/support/modules/journal-tenant.ts';
import { dayMs, hourMs, minuteMs } from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { begun, conclude, nextRead, purchaseFault, transferPace } from './conclude.ts';

let tenant: Tenant;
let gateway: ReturnType<Tenant['start']>;
let at: Date;
beforeEach(async () => {
  tenant = await createTenant();
  gateway = tenant.start();
  at = new Date(tenant.clock.now().getTime() + minuteMs);
});

test('a transfer is read every hour on its first day, and then every six hours', () => {
  const start = new Date('2026-01-31T12:00:00Z');
  const later = (ms: number) => new Date(start.getTime() + ms);

  expect(nextRead(transferPace, start, later(dayMs - 1))).toEqual(later(dayMs - 1 + hourMs));
  expect(nextRead(transferPace, start, later(dayMs))).toEqual(later(dayMs + 6 * hourMs));
  expect(begun(gateway, start)).toEqual({
    to: 'IN_PROGRESS',
    at: start,
    nextReadAt: later(hourMs),
  });
});

test('the journal stores the code, the message, the effect and the upstream code of a fault', () => {
  const { upstream, ...ownFields } = refused;

  expect(
    purchaseFault(
      new Fault(refused.code, {
        ...refused,
        upstream: refused.upstream ?? { code: '', message: '' },
      }),
    ),
  ).toEqual(refused);
  expect(purchaseFault(new Fault(refused.code, ownFields))).toEqual({
    ...ownFields,
    upstream: null,
  });
});

describe('an outcome', () => {
  const outcomes = [
    { to: 'SUCCEEDED' },
    { to: 'PENDING', fault: lostAnswer },
    { to: 'FAILED', fault: refused },
    { to: 'UNKNOWN', fault: lostAnswer },
  ] as const;

  test.each([...outcomes, { to: 'IN_PROGRESS' } as const])(
    'of a sent purchase, $to, is returned as recorded, and also when the journal fails',
    async (outcome) => {
      const sent = await tenant.send({ kind: 'TRANSFER' });
      tenant.trouble.fails = /^update/;
      const unrecorded = await conclude(gateway, sent, { at, ...outcome });
      expect(await tenant.recorded(sent)).toEqual(sent);

      tenant.trouble.fails = null;
      const recorded = await conclude(gateway, sent, { at, ...outcome });

      expect(await tenant.recorded(sent)).toEqual(recorded);
      expect(recorded.state).toBe(outcome.to);
      expect(unrecorded).toEqual(recorded);
    },
  );

  test.each([
    { to: 'SUCCEEDED' },
    { to: 'FAILED', fault: refused, refunded: true },
    { to: 'FAILED', fault: refused, refunded: false },
    { to: 'UNKNOWN', fault: lostAnswer },
  ] as const)(
    'of a transfer in progress, $to, keeps the time of its acceptance',
    async (outcome) => {
      const transfer = await tenant.transfer();
      tenant.trouble.fails = /^update/;
      const unrecorded = await conclude(gateway, transfer, { at, ...outcome });
      tenant.trouble.fails = null;
      const recorded = await conclude(gateway, transfer, { at, ...outcome });

      expect(await tenant.recorded(transfer)).toEqual(recorded);
      expect(recorded).toMatchObject({ state: outcome.to, acceptedAt: transfer.acceptedAt });
      expect(unrecorded).toEqual(recorded);
    },
  );

  test('of a purchase that another process settled is the other one', async () => {
    const sent = await tenant.send();
    const settled = await tenant.move(sent, { to: 'SUCCEEDED' });

    expect(await conclude(gateway, sent, { to: 'FAILED', at, fault: refused })).toEqual(settled);
    expect(await tenant.recorded(sent)).toEqual(settled);
  });

  test('of a purchase that is not sent is not recorded', async () => {
    const claimed = await tenant.claim();

    expect(await conclude(gateway, claimed, { to: 'SUCCEEDED', at })).toEqual(claimed);
    expect(
      await conclude(gateway, { ...claimed, state: 'IN_PROGRESS' }, { to: 'SUCCEEDED', at }),
    ).toEqual(claimed);
  });

  test('of a purchase that the journal does not have is the purchase as it was', async () => {
    const sent = await tenant.send();
    const unknown = { ...sent, id: 'unknown' };

    expect(await conclude(gateway, unknown, { to: 'SUCCEEDED', at })).toEqual(unknown);
  });

  test('that cannot be recorded because of a bug is an error', async () => {
    const sent = await tenant.send();
    const bug = new Error('a bug');
    const journal = { ...gateway.journal, move: () => Promise.reject(bug) };

    await expect(conclude({ ...gateway, journal }, sent, { to: 'SUCCEEDED', at })).rejects.toBe(
      bug,
    );
  });

  test.each(['SUCCEEDED', 'IN_PROGRESS'] as const)(
    'that is %s makes a purchase UNKNOWN that was recorded as failed',
    async (to) => {
      const sent = await tenant.send({ kind: 'TRANSFER' });
      await tenant.move(sent, { to: 'FAILED', fault: refused });

      const concluded = await conclude(gateway, sent, { to, at });

      expect(concluded).toMatchObject({
        state: 'UNKNOWN',
        settledAt: at,
        fault: { code: 'OUTCOME_UNKNOWN', upstream: refused.upstream },
      });
      expect(await tenant.recorded(sent)).toEqual(concluded);
    },
  );

  test('that a read shows makes a failed purchase UNKNOWN when only another domain was bought later', async () => {
    const sent = await tenant.send();
    await tenant.move(sent, { to: 'FAILED', fault: lostAnswer });
    await tenant.move(await tenant.send(), { to: 'SUCCEEDED' });

    expect(await conclude(gateway, sent, { to: 'SUCCEEDED', at }, true)).toMatchObject({
      state: 'UNKNOWN',
    });
  });

  test.each(['SENDING', 'SUCCEEDED'] as const)(
    'that a read shows leaves a failed purchase whose domain was bought again, and the later one is %s',
    async (state) => {
      const sent = await tenant.send();
      const failed = await tenant.move(sent, { to: 'FAILED', fault: lostAnswer });
      const again = await tenant.send({ domain: sent.domain });
      if (state === 'SUCCEEDED') await tenant.move(again, { to: 'SUCCEEDED' });

      expect(await conclude(gateway, sent, { to: 'SUCCEEDED', at }, true)).toEqual(failed);
      expect(await conclude(gateway, sent, { to: 'SUCCEEDED', at })).toMatchObject({
        state: 'UNKNOWN',
      });
    },
  );

  test('that is UNKNOWN for this reason is returned also when the journal fails', async () => {
    const sent = await tenant.send();
    await tenant.move(sent, { to: 'FAILED', fault: refused });
    let updates = 0;
    tenant.trouble.beforeStatement = (sql) => {
      if (sql.startsWith('update "purchases"') && ++updates === 2)
        throw new Error('The disk is full.');
    };

    const concluded = await conclude(gateway, sent, { to: 'SUCCEEDED', at });

    expect(concluded).toMatchObject({ state: 'UNKNOWN', fault: { code: 'OUTCOME_UNKNOWN' } });
    expect((await tenant.recorded(sent)).state).toBe('FAILED');
  });

  test('that failed leaves a purchase that was recorded as failed', async () => {
    const sent = await tenant.send();
    const failed = await tenant.move(sent, { to: 'FAILED', fault: refused });

    expect(await conclude(gateway, sent, { to: 'FAILED', at, fault: lostAnswer })).toEqual(failed);
    expect(await conclude(gateway, sent, { to: 'UNKNOWN', at, fault: lostAnswer })).toEqual(failed);
  });
});

describe('the customer of a purchase', () => {
  const customerOf = async ({ domain }: PurchaseRecord) =>
    (await tenant.journal.customers.of(account, [domain])).map(({ customer }) => customer);
  const succeeded = () => ({ to: 'SUCCEEDED', at }) as const;

  test('has its domain before the purchase settles, so that no process that ends in between loses it', async () => {
    const sent = await tenant.send({ customer: 'acme' });
    tenant.trouble.fails = /^update "purchases"/;
    await conclude(gateway, sent, succeeded());
    expect(await tenant.recorded(sent)).toEqual(sent);
    expect(await customerOf(sent)).toEqual(['acme']);

    tenant.trouble.fails = null;
    const { journal } = tenant;
    await journal.customers.assign(account, [sent.domain], 'other', at);
    expect((await conclude(tenant.start(), sent, succeeded())).state).toBe('SUCCEEDED');
    expect(await customerOf(sent)).toEqual(['other']);
  });

  test('leaves the purchase open while the journal cannot store it', async () => {
    const transfer = await tenant.transfer({ customer: 'acme' });
    tenant.trouble.fails = /"domain_customers"/;
    expect((await conclude(gateway, transfer, succeeded())).state).toBe('SUCCEEDED');
    expect(await tenant.recorded(transfer)).toEqual(transfer);

    tenant.trouble.fails = null;
    await conclude(tenant.start(), transfer, succeeded());
    expect((await tenant.recorded(transfer)).state).toBe('SUCCEEDED');
    expect(await customerOf(transfer)).toEqual(['acme']);
  });

  test.each(['FAILED', 'UNKNOWN', 'PENDING', 'IN_PROGRESS'] as const)(
    'gets no domain from a purchase that is %s',
    async (to) => {
      const sent = await tenant.send({ customer: 'acme' });
      await conclude(gateway, sent, { to, at, fault: lostAnswer });
      expect(await customerOf(sent)).toEqual([]);
    },
  );

  test('replaces that of an earlier purchase, also with none', async () => {
    const first = await tenant.send({ customer: 'acme' });
    await conclude(gateway, first, succeeded());
    tenant.time.advance(minuteMs);
    const again = await tenant.send({ domain: first.domain, customer: null });
    await conclude(gateway, again, succeeded());
    expect(await customerOf(first)).toEqual([]);
  });
});
