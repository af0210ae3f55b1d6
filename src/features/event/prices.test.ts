import { expect, test } from 'vitest';
import { a } from '../../../test/support/modules/event-rows.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { createAccount } from './test/account.ts';

async function start(
  prices: Readonly<Record<string, readonly string[]>>,
  { everyMs = hourMs } = {},
) {
  const upstream = await createAccount([a]);
  const set = (more: Readonly<Record<string, readonly string[] | null>>) => {
    for (const [tld, texts] of Object.entries(more)) {
      if (texts) upstream.prices.set(tld, texts);
      else upstream.prices.delete(tld);
    }
  };
  set(prices);
  const replica = await upstream.startReplica({ everyMs });
  await upstream.time.pass(secondMs);
  return {
    ...upstream,
    replica,
    lists: () => upstream.otherCalls.length,
    /** The events after a day. */
    async nextDay(more: Readonly<Record<string, readonly string[] | null>>) {
      set(more);
      const known = (await upstream.facts()).length;
      await upstream.passSuspended(dayMs);
      return (await upstream.facts()).slice(known);
    },
  };
}

const changed = (tld: string, before: string | null, after: string | null) => [
  ...['PRICE_CHANGED', tld, before, after],
];
const com = ['REGISTRATION 1 11.2900 USD', 'RENEWAL 1 12.0000 USD'];

test('each price that changed, appeared or was removed is one event, and the first list has none', {
  tags: ['E12'],
}, async () => {
  const { nextDay, facts, events } = await start({ com, net: com });
  expect(await facts()).toEqual([]);

  const found = await nextDay({
    com: ['REGISTRATION 1 11.3000 USD', 'RENEWAL 1 12.0000 EUR', 'TRANSFER 1 0.0000 USD'],
    net: com,
  });

  expect(found).toEqual([
    changed('com', 'REGISTRATION 1 11.2900 USD', 'REGISTRATION 1 11.3000 USD'),
    changed('com', 'RENEWAL 1 12.0000 USD', null),
    changed('com', null, 'RENEWAL 1 12.0000 EUR'),
    changed('com', null, 'TRANSFER 1 0.0000 USD'),
  ]);
  expect((await events())[0]).toMatchObject({ domain: null, source: 'UPSTREAM', caller: null });
});

test('a TLD that appears or leaves the list has an event for each price', async () => {
  const { nextDay } = await start({ com });

  expect(await nextDay({ org: ['RENEWAL 2 20.0000 USD'] })).toEqual([
    changed('org', null, 'RENEWAL 2 20.0000 USD'),
  ]);
  expect(await nextDay({ org: null })).toEqual([changed('org', 'RENEWAL 2 20.0000 USD', null)]);
  expect(await nextDay({})).toEqual([]);
  expect(await nextDay({ org: ['RENEWAL 2 21.0000 USD'] })).toEqual([
    changed('org', null, 'RENEWAL 2 21.0000 USD'),
  ]);
});

test('a TLD that is missing in a list with unreadable rows is no event', async () => {
  const { nextDay } = await start({ com, org: com });

  expect(await nextDay({ '': [], org: null })).toEqual([]);
  const changes = { ...{ org: ['REGISTRATION 1 11.2900 USD'] } };
  expect(await nextDay(changes)).toEqual([changed('org', 'RENEWAL 1 12.0000 USD', null)]);
});

test('the order of prices is no difference, and of two prices for one place the first counts', async () => {
  const { nextDay } = await start({ com });

  expect(await nextDay({ com: com.toReversed() })).toEqual([]);
  expect(await nextDay({ com: [...com, 'RENEWAL 1 99.0000 USD'] })).toEqual([]);
});

test('a price that cannot be read is no event, and is compared with the last one later', {
  tags: ['E12'],
}, async () => {
  const { nextDay } = await start({ com });

  expect(await nextDay({ com: ['REGISTRATION 1 x USD', 'RENEWAL 1 12.0000 USD'] })).toEqual([]);
  expect(await nextDay({ com: ['REGISTRATION 1 9.0000 USD', 'RENEWAL 1 12.0000 USD'] })).toEqual([
    changed('com', 'REGISTRATION 1 11.2900 USD', 'REGISTRATION 1 9.0000 USD'),
  ]);
});

test('a list that is empty or has no price that can be read is no event, and the next one is compared', {
  tags: ['E12'],
}, async () => {
  const { nextDay } = await start({ com });

  expect(await nextDay({ com: null })).toEqual([]);
  expect(await nextDay({ com: ['REGISTRATION 1 x USD'] })).toEqual([]);
  expect(await nextDay({ com: ['REGISTRATION 1 11.2900 USD', 'RENEWAL 1 1.0000 USD'] })).toEqual([
    changed('com', 'RENEWAL 1 12.0000 USD', 'RENEWAL 1 1.0000 USD'),
  ]);
});

test('operations that the graph does not name have prices of their own', async () => {
  const { nextDay } = await start({ com: ['OTHER 1 5.0000 USD'] });

  expect(await nextDay({ com: ['OTHER 1 6.0000 USD'] })).toEqual([
    changed('com', 'OTHER:other 1 5.0000 USD', 'OTHER:other 1 6.0000 USD'),
  ]);
});

test('one tldlist a day is requested, also after a restart', { tags: ['E13'] }, async () => {
  const { time, passSuspended, lists, replica, startReplica } = await start({ com });
  await time.pass(hourMs);
  expect(lists()).toBe(1);

  await replica.close();
  await startReplica({ everyMs: hourMs });
  await passSuspended(22 * hourMs);
  expect(lists()).toBe(1);
  await time.pass(hourMs);
  expect(lists()).toBe(2);
  await passSuspended(dayMs - 5 * minuteMs);
  expect(lists()).toBe(2);
});

test('a list that cannot be compared is requested again after an hour', async () => {
  const { time, lists } = await start({}, { everyMs: 5 * minuteMs });
  await time.pass(hourMs - 5 * minuteMs);
  expect(lists()).toBe(1);
  await time.pass(5 * minuteMs);
  expect(lists()).toBe(2);
});
