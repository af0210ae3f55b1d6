import fc from 'fast-check';
import { expect, test } from 'vitest';
import { account, claimNumber, unlimited } from '../../../test/persistence/claims.ts';
import { runs } from '../../../test/support/long.ts';
import { a } from '../../../test/support/modules/event-rows.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { money } from '../../kernel/money.ts';
import { createAccount } from './test/account.ts';

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ balance: fc.integer({ min: 98, max: 102 }) }) },
  { weight: 1, arbitrary: fc.constant('unreadable' as const) },
  { weight: 1, arbitrary: fc.record({ price: fc.integer({ min: 10, max: 12 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      hosts: fc.integer({ min: 1, max: 3 }),
      by: fc.constantFrom('shop', 'office', null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ buy: fc.constantFrom('SUCCEEDED', 'FAILED' as const) }) },
  { weight: 2, arbitrary: fc.constant('restart' as const) },
  { weight: 1, arbitrary: fc.constant('kill' as const) },
);

/** Longer than the lease and the time until another process requests it. */
const takeoverMs = minuteMs;

test('any sequence of balances, prices, writes and purchases has exactly its events, once, over restarts and kills', {
  tags: ['E12'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const upstream = await createAccount([a]);
      const { time, passSuspended, journal, balances, prices, change } = upstream;
      balances.set('USD', '100.0000');
      const priceOf = (amount: number) => `RENEWAL 1 ${amount}.0000 USD`;
      prices.set('com', [priceOf(10)]);
      const startReplica = async () => {
        const life = { isKilled: false };
        const replica = await upstream.startReplica({
          ...{ everyMs: hourMs, balanceLow: [money('100', 'USD')] },
          onCall: (_method, execute) => (life.isKilled ? new Promise(() => undefined) : execute()),
        });
        return { ...replica, life };
      };
      await journal.events.beginReading(account);
      let replica = await startReplica();
      await time.pass(secondMs);

      const expected: unknown[] = [];
      const expect1 = (type: string, before: unknown, after: string, caller?: string | null) => {
        const source = caller === undefined ? 'UPSTREAM' : 'GATEWAY';
        expected.push([type, before, after, source, caller ?? null]);
      };
      let hosts = 'ns1.example.net ns2.example.net';
      let [balance, isLow, price, bought] = ['100.0000', false, 10, 0];
      for (const one of steps) {
        if (one === 'unreadable') balances.set('USD', one);
        else if (one === 'restart') {
          await replica.close();
          replica = await startReplica();
        } else if (one === 'kill') {
          replica.life.isKilled = true;
          replica = await startReplica();
          await time.pass(takeoverMs);
        } else if ('balance' in one) {
          const amount = `${one.balance}.0000`;
          balances.set('USD', amount);
          if (one.balance < 100 && !isLow) expect1('BALANCE_LOW', balance, amount);
          [balance, isLow] = [amount, one.balance < 100];
        } else if ('price' in one) {
          prices.set('com', [priceOf(one.price)]);
          if (one.price !== price) {
            expect1('PRICE_CHANGED', priceOf(price), priceOf(one.price));
          }
          price = one.price;
          await passSuspended(dayMs);
        } else if ('hosts' in one) {
          const value = `ns${one.hosts}.moved.net`;
          if (one.by !== null) replica.writeLog.of(one.by)(a, { field: 'nameServers', value });
          change(a, { nameServers: [value] });
          if (value !== hosts) {
            const caller = one.by === null ? undefined : one.by;
            expect1('NAME_SERVERS_CHANGED', hosts, value, caller);
          }
          hosts = value;
        } else {
          bought += 1;
          const claim = claimNumber(bought, { caller: 'shop', claimedAt: time.clock.now() });
          await journal.claim(claim, unlimited);
          const at = time.clock.now();
          await journal.move(claim.id, ['CLAIMED'], { to: 'SENDING', at });
          await journal.move(claim.id, ['SENDING'], { to: one.buy, at });
          const reports = await upstream.startPublisher();
          await time.pass(0);
          await reports.close();
          expect1('PURCHASE_SETTLED', null, one.buy, 'shop');
        }
        await passSuspended(hourMs, minuteMs);
      }

      const stored = await journal.events.list(account, { limit: 1_000 });
      expect(
        stored.map(({ type, before, after, source, caller }) => [
          ...[type, before, after, source, caller],
        ]),
      ).toEqual(expected);
      expect(upstream.errors).toEqual([]);
    }),
    { numRuns: runs(10, 150) },
  );
});
