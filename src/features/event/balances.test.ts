import { expect, test } from 'vitest';
import { a } from '../../../test/support/modules/event-rows.ts';
import { secondMs } from '../../../test/support/simulated-clock.ts';
import { money } from '../../kernel/money.ts';
import { createAccount, intervalMs, leaseMs } from './test/account.ts';

const balanceLow = [money('100', 'USD'), money('50', 'EUR')];

async function start(amounts: Readonly<Record<string, string>>) {
  const upstream = await createAccount([a]);
  const set = (more: Readonly<Record<string, string>>) => {
    for (const [currency, amount] of Object.entries(more)) upstream.balances.set(currency, amount);
  };
  set(amounts);
  const replica = await upstream.startReplica({ balanceLow });
  await upstream.time.pass(secondMs);
  return {
    ...upstream,
    replica,
    async read(more: Readonly<Record<string, string>>) {
      set(more);
      await upstream.time.pass(intervalMs);
      return upstream.facts();
    },
  };
}

const low = (currency: string, before: string | null, after: string) => [
  ...['BALANCE_LOW', currency, before, after],
];

test('a balance that falls below its threshold is one event until it has reached the threshold again', async () => {
  const { read } = await start({ USD: '100.0000' });

  expect(await read({ USD: '100.0000' })).toEqual([]);
  const first = low('USD', '100.0000', '99.9999');
  expect(await read({ USD: '99.9999' })).toEqual([first]);
  expect(await read({ USD: '98.0000' })).toEqual([first]);
  expect(await read({ USD: '100.0000' })).toEqual([first]);
  expect(await read({ USD: '-1.0000' })).toEqual([first, low('USD', '100.0000', '-1.0000')]);
});

test('a balance that is low when it is first read is an event', async () => {
  const { facts, events } = await start({ USD: '5.0000', EUR: '50.0000', TRY: '0.0000' });

  expect(await facts()).toEqual([low('USD', null, '5.0000')]);
  expect(await events()).toMatchObject([
    { domain: null, purchaseId: null, source: 'UPSTREAM', caller: null },
  ]);
});

test('a balance that cannot be read is no event, and is compared with the last one later', {
  tags: ['E11'],
}, async () => {
  const { read, balances, facts, time } = await start({ USD: '200.0000', EUR: '60.0000' });

  expect(await read({ USD: 'unreadable' })).toEqual([]);
  balances.delete('EUR');
  expect(await read({})).toEqual([]);
  expect(await read({ USD: '20.0000', EUR: '6.0000' })).toEqual([
    low('EUR', '60.0000', '6.0000'),
    low('USD', '200.0000', '20.0000'),
  ]);
  await time.pass(leaseMs);
  expect(await facts()).toHaveLength(2);
});

test('one resellerdetails per interval reads all balances, and none without a threshold', async () => {
  const { read, otherCalls, replica, startReplica, time } = await start({ USD: '200.0000' });
  const count = () => otherCalls.filter((action) => action === 'resellerdetails').length;

  expect(count()).toBe(1);
  await read({});
  expect(count()).toBe(2);
  await replica.close();
  await startReplica();
  await time.pass(3 * intervalMs);

  expect(count()).toBe(2);
});
