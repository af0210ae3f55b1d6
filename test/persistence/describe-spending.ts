import { beforeEach, describe, expect, test } from 'vitest';
import { formatMoney, money } from '../../src/kernel/money.ts';
import type { ScopedLimits, SpendLimits } from '../../src/kernel/spend-limits.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import type { Claim } from '../../src/persistence/purchase-record.ts';
import type { ClaimOutcome } from '../../src/persistence/purchase-store.ts';
import { account, claimedStates, claimNumber, minute, moveTo, unlimited } from './claims.ts';
import { type JournalStore, useStore } from './journal-store.ts';

const usd = (amount: string) => money(amount, 'USD');
const ofGateway = (limits: SpendLimits): ScopedLimits => ({ GATEWAY: limits, KEY: {} });
const ofKey = (limits: SpendLimits): ScopedLimits => ({ GATEWAY: {}, KEY: limits });
const perDay = (...texts: string[]): SpendLimits => ({
  perDay: texts.map((text) => money(text.split(' ')[0] ?? '', text.split(' ')[1] ?? '')),
});
const dayMinutes = 24 * 60;

/** An outcome without its records and with money as text. */
const summaryOf = (claim: ClaimOutcome): unknown =>
  JSON.parse(
    JSON.stringify(claim.outcome === 'over-limit' ? claim.breaches : claim.outcome),
    (_key, value) => (value?.currency ? formatMoney(money(value.amount, value.currency)) : value),
  );

/** The contract of every driver about spend limits and the stop switch. */
export function describeSpending(driver: string, createStore: () => Promise<JournalStore>): void {
  describe(`limits of the journal on ${driver}`, () => {
    const { connect, execute } = useStore(createStore);
    let journal: Journal;

    const claim = async (at: number, limits: ScopedLimits, changes: Partial<Claim> = {}) =>
      summaryOf(await journal.claim(claimNumber(at, changes), limits));

    describe('the limit per day', () => {
      beforeEach(async () => {
        journal = await connect();
      });

      test('allows a purchase up to the last digit, and refuses a higher price', async () => {
        const limits = ofGateway(perDay('100 USD'));
        await claim(1, limits, { cost: usd('60') });

        expect(await claim(2, limits, { cost: usd('40.0001') })).toEqual([
          { limit: 'PER_DAY', scope: 'GATEWAY', allowed: '100.0000 USD', spent: '60.0000 USD' },
        ]);
        expect(await claim(2, limits, { cost: usd('40') })).toBe('claimed');
        expect(await claim(3, limits, { cost: usd('0.0001') })).toMatchObject([
          { limit: 'PER_DAY', spent: '100.0000 USD' },
        ]);
        expect(await claim(3, limits, { cost: usd('0') })).toBe('claimed');
      });

      test('covers 24 hours to the millisecond', async () => {
        const limits = ofGateway(perDay('10 USD'));
        await claim(1, limits, { cost: usd('10') });
        const later = new Date(minute(1 + dayMinutes).getTime() - 1);

        const price = usd('0.01');
        expect(await claim(2, limits, { cost: price, claimedAt: later })).toHaveLength(1);
        expect(await claim(2, limits, { cost: price, claimedAt: minute(1 + dayMinutes) })).toBe(
          'claimed',
        );
      });

      test('counts later purchases of other replicas when the clock of a replica is behind', async () => {
        const limits = ofGateway(perDay('10 USD'));
        await claim(50, limits, { cost: usd('10') });

        expect(await claim(2, limits, { cost: usd('1') })).toHaveLength(1);
      });

      test('applies to each currency, and a currency without a limit buys nothing', async () => {
        const limits = ofGateway(perDay('10 USD', '10 TRY'));
        await claim(1, limits, { cost: usd('10') });

        expect(await claim(2, limits, { cost: money('10', 'TL') })).toBe('claimed');
        expect(await claim(3, limits, { cost: money('0.01', 'EUR') })).toEqual([
          { limit: 'PER_DAY', scope: 'GATEWAY', allowed: null, spent: '0.0000 EUR' },
        ]);
        expect(await claim(4, limits, { cost: null })).toEqual([
          { limit: 'PER_DAY', scope: 'GATEWAY', allowed: null, spent: null },
        ]);
      });

      test.each(claimedStates)('counts a purchase in %s, except FAILED', async (state) => {
        const limits = ofGateway({ ...perDay('10 USD'), perHour: 1 });
        await claim(1, limits, { cost: usd('10') });
        await moveTo(journal, 'operation-001', state);

        const next = await claim(2, limits, { cost: usd('10') });

        if (state === 'FAILED') expect(next).toBe('claimed');
        else expect(next).toMatchObject([{ limit: 'PER_DAY' }, { limit: 'PER_HOUR', count: 1 }]);
      });

      test('applies to each account', async () => {
        const limits = ofGateway({ ...perDay('10 USD'), perHour: 1 });
        await claim(1, limits, { cost: usd('10') });

        expect(await claim(1, limits, { account: 'reseller-2', id: 'x', cost: usd('10') })).toBe(
          'claimed',
        );
      });

      test('rounds each price up at the fourth decimal place', async () => {
        const limits = ofGateway(perDay('0.0010 USD'));
        for (let at = 1; at <= 10; at += 1) {
          expect(await claim(at, limits, { cost: usd('0.000000000001') })).toBe('claimed');
        }

        expect(await claim(11, limits, { cost: usd('0.00001') })).toMatchObject([
          { spent: '0.0010 USD' },
        ]);
      });

      test('sums large prices exactly, and a sum above the range exceeds every limit', async () => {
        const most = '99999999999.9999';
        for (let at = 1; at <= 100; at += 1) await claim(at, unlimited, { cost: usd(most) });
        const limits = ofGateway(perDay(`${most} USD`));

        const [sum] = (await claim(101, limits, { cost: usd('1') })) as { spent: string }[];
        expect(sum?.spent).toBe('9999999999999.9900 USD');
        const huge = { account: 'reseller-2', cost: usd('999999999999999999') };
        expect(await claim(1, limits, { ...huge, id: 'huge' })).toHaveLength(1);
        expect(await claim(1, unlimited, { ...huge, id: 'huge' })).toBe('claimed');
        expect(
          await claim(2, limits, { account: 'reseller-2', id: 'x', cost: usd('0.0001') }),
        ).toHaveLength(1);
      });

      test('does not subtract a negative price', async () => {
        const limits = ofGateway(perDay('10 USD'));
        await claim(1, limits, { cost: usd('10') });
        await claim(2, limits, { cost: usd('-10') });

        expect(await claim(3, limits, { cost: usd('0.01') })).toHaveLength(1);
      });
    });

    describe('the limit per hour', () => {
      beforeEach(async () => {
        journal = await connect();
      });

      test('covers 60 minutes to the millisecond, and needs no price', async () => {
        const limits = ofGateway({ perHour: 2 });
        await claim(1, limits, { cost: null });
        await claim(2, limits);
        const later = new Date(minute(61).getTime() - 1);

        expect(await claim(3, limits, { claimedAt: later })).toEqual([
          { limit: 'PER_HOUR', scope: 'GATEWAY', allowedCount: 2, count: 2 },
        ]);
        expect(await claim(3, limits, { claimedAt: minute(61) })).toBe('claimed');
      });

      test('of zero allows no purchase', async () => {
        expect(await claim(1, ofGateway({ perHour: 0 }))).toMatchObject([{ allowedCount: 0 }]);
        expect(await claim(1, ofGateway(perDay('0 USD')))).toMatchObject([
          { allowed: '0.0000 USD' },
        ]);
        expect(await claim(1, ofGateway(perDay()))).toMatchObject([{ allowed: null }]);
      });
    });

    describe('limits of a key', () => {
      beforeEach(async () => {
        journal = await connect();
      });

      test('count the purchases of that key, and limits of the gateway count all', async () => {
        const limits = { GATEWAY: { perHour: 3 }, KEY: { perHour: 2 } };
        for (const at of [1, 2]) await claim(at, limits, { caller: 'shop' });

        expect(await claim(3, limits, { caller: 'shop' })).toEqual([
          { limit: 'PER_HOUR', scope: 'KEY', allowedCount: 2, count: 2 },
        ]);
        expect(await claim(3, limits, { caller: 'back-office' })).toBe('claimed');
        expect(await claim(4, limits, { caller: 'back-office' })).toEqual([
          { limit: 'PER_HOUR', scope: 'GATEWAY', allowedCount: 3, count: 3 },
        ]);
      });

      test('are reported after those of the gateway when several are exceeded', async () => {
        const each = { ...perDay('1 USD'), perHour: 0 };

        const broken = await claim(1, { GATEWAY: each, KEY: each }, { caller: 'shop' });

        expect(broken).toMatchObject([
          { scope: 'GATEWAY', limit: 'PER_DAY' },
          { scope: 'GATEWAY', limit: 'PER_HOUR' },
          { scope: 'KEY', limit: 'PER_DAY' },
          { scope: 'KEY', limit: 'PER_HOUR' },
        ]);
        expect(await journal.count(account)).toBe(0);
      });

      test('apply to the caller that the record names', async () => {
        await claim(1, ofKey({}), { caller: 'shop' });

        expect(await journal.byId(account, 'operation-001')).toMatchObject({ caller: 'shop' });
      });

      test('report the spent amounts without a claim', async () => {
        await claim(1, unlimited, { caller: 'shop', cost: usd('1.5') });
        await claim(2, unlimited, { caller: null, cost: usd('2') });
        await claim(3, unlimited, { caller: 'shop', cost: money('9', 'EUR') });

        const spending = await journal.spending(claimNumber(4, { caller: 'shop' }));

        expect(spending).toEqual({
          stop: null,
          spent: { GATEWAY: { units: 35_000n, count: 3 }, KEY: { units: 15_000n, count: 2 } },
        });
      });
    });

    describe('concurrent claims', () => {
      test('of twenty purchases over three connections are claimed up to the limits', async () => {
        const journals = [await connect(), await connect(), await connect()];
        const limits = { GATEWAY: { ...perDay('70 USD'), perHour: 15 }, KEY: { perHour: 4 } };

        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            journals[at % 3]?.claim(
              claimNumber(at, { caller: `key-${at % 2}`, cost: usd('10') }),
              limits,
            ),
          ),
        );

        const claimed = outcomes.filter((one) => one?.outcome === 'claimed');
        // The limit of the day allows seven, those of the keys alone eight.
        expect(claimed).toHaveLength(7);
        expect(outcomes.filter((one) => one?.outcome === 'over-limit')).toHaveLength(13);
      });

      test('of fifty purchases without limits all succeed with distinct ordinals', async () => {
        const journals = [await connect(), await connect()];

        const outcomes = await Promise.all(
          Array.from({ length: 50 }, (_, at) =>
            journals[at % 2]?.claim(claimNumber(at), unlimited),
          ),
        );

        expect(outcomes.filter((one) => one?.outcome === 'claimed')).toHaveLength(50);
      });
    });

    describe('the stop switch', () => {
      beforeEach(async () => {
        journal = await connect();
      });
      const why = { since: minute(0), reason: "an investigation; '--" };

      test('refuses every claim of its account, over every connection and after a restart', async () => {
        const other = await connect();
        await journal.stop(account, why);
        const claims = [
          await journal.claim(claimNumber(1), unlimited),
          await other.claim(claimNumber(2), unlimited),
          await (await connect()).claim(claimNumber(3), ofGateway({ perHour: 0 })),
        ];

        for (const one of claims) expect(one).toEqual({ outcome: 'stopped', stop: why });
        expect((await other.spending(claimNumber(1))).stop).toEqual(why);
        expect(await claim(4, unlimited, { account: 'reseller-2' })).toBe('claimed');
      });

      test('ends when purchases are allowed again, which can be repeated', async () => {
        await journal.stop(account, why);
        await journal.resume(account);
        await journal.resume(account);

        expect(await journal.stopped(account)).toBeNull();
        expect(await claim(1, unlimited)).toBe('claimed');
      });

      test('keeps its first time and has the new reason when it is set again', async () => {
        await journal.stop(account, why);
        await journal.stop(account, { since: minute(5), reason: 'it goes on' });

        expect(await journal.stopped(account)).toEqual({ since: minute(0), reason: 'it goes on' });
      });

      test('allows open purchases to settle', async () => {
        await claim(1, unlimited);
        await journal.stop(account, why);
        await moveTo(journal, 'operation-001', 'SUCCEEDED');

        expect(await journal.byId(account, 'operation-001')).toMatchObject({ state: 'SUCCEEDED' });
      });
    });

    test('a replay, a key conflict and a busy domain precede a stop, and a stop precedes a limit', async () => {
      journal = await connect();
      const none = ofGateway({ perHour: 0 });
      await claim(1, unlimited);
      const { key, domain, fingerprint } = claimNumber(1);

      const claimAll = async () => [
        await claim(2, none, { key, fingerprint }),
        await claim(2, none, { key }),
        await claim(2, none, { domain }),
        await claim(2, none),
      ];
      const before = await claimAll();
      await journal.stop(account, { since: minute(0), reason: 'why' });
      const stopped = await claimAll();

      expect(before).toEqual(['replayed', 'key-conflict', 'domain-busy', [expect.anything()]]);
      expect(stopped).toEqual(['replayed', 'key-conflict', 'domain-busy', 'stopped']);
    });

    test('a failed migration changes nothing, and succeeds when its reason is gone', async () => {
      // The migration creates other tables before this one.
      await execute('create table stops (account text)');

      await expect(connect()).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });

      await expect(execute('select caller from purchases')).rejects.toThrow('purchases');
      await execute('drop table stops');
      journal = await connect();
      expect(await claim(1, unlimited)).toBe('claimed');
    });
  });
}
