import { beforeEach, describe, expect, test } from 'vitest';
import { claimNumber, lostAnswer, refused, unlimited } from '../../../test/persistence/claims.ts';
import {
  balances,
  createTenant,
  type Tenant,
} from '../../../test/support/modules/journal-tenant.ts';
import { dayMs, hourMs, minuteMs } from '../../../test/support/simulated-clock.ts';
import { money } from '../../kernel/money.ts';
import type { Claim, PurchaseFault, PurchaseRecord } from '../../persistence/purchase-record.ts';
import { readRefund } from './refund.ts';

describe('the price of a transfer that came to nothing', () => {
  const cost = money('11.29', 'USD');
  const terms = {
    kind: 'TRANSFER',
    period: 1,
    cost,
    balanceAfter: money('88.71', 'USD'),
  } as const;
  const elapsedMs = 5 * dayMs;

  let tenant: Tenant;
  let gateway: ReturnType<Tenant['start']>;
  let transfer: PurchaseRecord;
  let start: Date;
  beforeEach(async () => {
    tenant = await createTenant();
    gateway = tenant.start();
    transfer = await tenant.transfer(terms);
    start = transfer.claimedAt;
    tenant.time.advance(elapsedMs);
  });

  const refunded = (amount: string, currency?: string) => {
    tenant.upstream.reseller = balances(amount, currency);
    return readRefund(gateway, transfer);
  };
  const at = (offsetMs: number) => new Date(start.getTime() + offsetMs);

  test.each([
    ['100.00', true],
    ['88.71', false],
    ['88.70', null],
    ['99.9999', null],
  ])('was returned with a balance of %s: %s', async (amount, answer) => {
    expect(await refunded(amount)).toBe(answer);
  });

  test('is not known without a balance in its currency', async () => {
    expect(await refunded('100.00', 'EUR')).toBeNull();
  });

  test.each<[string, Partial<Claim>]>([
    ['is not known', { cost: null, balanceAfter: null }],
    ['has no balance to compare with', { balanceAfter: null }],
    ['is zero', { cost: money('0', 'USD'), balanceAfter: money('100', 'USD') }],
  ])('is not known to be returned when it %s, and costs no upstream call', async (_what, claim) => {
    transfer = await tenant.transfer({ ...terms, ...claim });

    expect(await refunded('100.00')).toBeNull();
    expect(tenant.upstream.calls).toEqual([]);
  });

  /** Another purchase of 5 dollars, with its times in milliseconds after the transfer's claim. */
  interface Other {
    readonly claimed?: number;
    readonly sent?: number;
    readonly accepted?: number;
    readonly ended?: number;
    readonly to?: 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED' | 'UNKNOWN';
    readonly fault?: PurchaseFault;
    readonly claim?: Partial<Claim>;
  }
  const buy = async ({ claimed = hourMs, sent, accepted, ended, to, fault, claim }: Other) => {
    let other = await tenant.claim({
      ...{ period: 1, cost: money('5', 'USD'), claimedAt: at(claimed) },
      ...claim,
    });
    if (sent !== undefined) other = await tenant.move(other, { to: 'SENDING', at: at(sent) });
    if (accepted !== undefined) {
      other = await tenant.move(other, { to: 'IN_PROGRESS', at: at(accepted) });
    }
    if (to && ended !== undefined) {
      await tenant.move(other, { to, at: at(ended), ...(fault && { fault }) });
    }
  };

  const [before, after] = [-hourMs, hourMs];
  const close = -10 * minuteMs;
  const succeeded = { sent: after, ended: after, to: 'SUCCEEDED' } as const;
  const charged = { ...refused, executed: 'YES' } as const;

  test.each<[string, Other]>([
    ['of one year', succeeded],
    ['that was sent just after it', { ...succeeded, claimed: 0, sent: 1 }],
    ['that was accepted ten minutes ago', { ...succeeded, ended: elapsedMs + close }],
    ['that is a completed transfer', { ...succeeded, accepted: after }],
  ])('is known beside another purchase %s', async (_which, other) => {
    await buy(other);

    expect(await refunded('95.00')).toBe(true);
    expect(await refunded('83.71')).toBe(false);
    expect(await refunded('100.00')).toBeNull();
    expect(await refunded('88.71')).toBeNull();
  });

  test.each<[string, Other]>([
    ['another currency', { ...succeeded, claim: { cost: money('5', 'EUR') } }],
    ['no price', { ...succeeded, claim: { cost: null, balanceAfter: null } }],
    ['a refusal', { sent: after, ended: after, to: 'FAILED', fault: refused }],
    ['a failure', { sent: after, ended: after, to: 'FAILED', fault: lostAnswer }],
    ['a failure without a recorded fault', { sent: after, ended: after, to: 'FAILED' }],
    [
      'an end ten minutes before it',
      { claimed: before, sent: before, ended: close, to: 'UNKNOWN' },
    ],
    [
      'an acceptance ten minutes before it',
      { claimed: before, sent: before, accepted: close, ended: after, to: 'SUCCEEDED' },
    ],
    [
      'a claim more than thirty days before it',
      { claimed: -30 * dayMs - 1, sent: before, ended: after, to: 'UNKNOWN' },
    ],
  ])('is known beside another purchase with %s', async (_what, other) => {
    await buy(other);

    expect(await refunded('100.00')).toBe(true);
    expect(await refunded('88.71')).toBe(false);
  });

  test('is known beside another purchase that waits for an approval', async () => {
    const cost = money('5', 'USD');
    await tenant.journal.hold(claimNumber(99, { cost, claimedAt: at(hourMs) }), unlimited);

    expect(await refunded('100.00')).toBe(true);
    expect(await refunded('88.71')).toBe(false);
  });

  test.each<[string, Other]>([
    ['is claimed', {}],
    ['is open', { sent: after }],
    ['is in progress', { sent: after, accepted: after }],
    [
      'is in progress, and was claimed long before',
      { claimed: -40 * dayMs, sent: before, accepted: before },
    ],
    ['ended as UNKNOWN', { sent: after, ended: after, to: 'UNKNOWN' }],
    [
      'ended less than ten minutes before it',
      { claimed: before, sent: before, ended: close + 1, to: 'UNKNOWN' },
    ],
    [
      'was claimed thirty days before it',
      { claimed: -30 * dayMs, sent: before, ended: after, to: 'UNKNOWN' },
    ],
    [
      'failed after its price was spent',
      { sent: after, ended: after, to: 'FAILED', fault: charged },
    ],
    ['was accepted in the last ten minutes', { ...succeeded, ended: elapsedMs + close + 1 }],
    ['was of several years', { ...succeeded, claim: { period: 2 } }],
    ['was sent with it', { ...succeeded, claimed: 0, sent: 0 }],
    [
      'was accepted less than ten minutes before it',
      { claimed: before, sent: before, accepted: close + 1, ended: after, to: 'SUCCEEDED' },
    ],
  ])('is not known to be returned beside another purchase that %s', async (_what, other) => {
    await buy(other);

    for (const amount of ['100.00', '95.00', '88.71', '83.71']) {
      expect(await refunded(amount), amount).toBeNull();
    }
  });

  test('is not known to be returned beside a purchase that is made during the read of the balance', async () => {
    tenant.upstream.duringCall = () => buy({ claimed: elapsedMs, sent: elapsedMs });

    expect(await refunded('100.00')).toBeNull();
  });

  test.each([
    [999, true],
    [1_000, null],
  ])('is compared with %i other purchases at most: %s', async (count, answer) => {
    const { journal } = gateway;
    const [settled] = await journal.list(gateway.account, { limit: 1 });
    const many = Array<PurchaseRecord>(count).fill({
      ...settled,
      settledAt: at(-dayMs),
    } as PurchaseRecord);
    gateway = {
      ...gateway,
      journal: {
        ...journal,
        list: async (_account, { filter }) => (filter?.states ? [] : many),
      },
    };

    expect(await refunded('100.00')).toBe(answer);
  });
});
