import { expect, test } from 'vitest';
import { a, b, unreadable } from '../../../test/support/modules/event-rows.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { createAccount } from './test/account.ts';

const uk = parseDomainName('a.co.uk');

async function start({ days = 30, balance = '100.0000' } = {}) {
  const upstream = await createAccount([a, b, uk]);
  const { time, change, prices, balances } = upstream;
  const within = (left: number) => ({ expiresAt: new Date(time.clock.now().getTime() + left) });
  prices.set('com', ['RENEWAL 1 60.0000 USD', 'RENEWAL 2 1.0000 USD']);
  prices.set('co.uk', ['RENEWAL 1 30.0000 GBP']);
  balances.set('USD', balance);
  balances.set('GBP', '30.0000');
  for (const name of [a, uk]) change(name, within(20 * dayMs));
  await upstream.startReplica({ everyMs: hourMs, renewalsDays: days });
  await time.pass(secondMs);
  const found = async () =>
    (await upstream.facts()).filter(([type]) => type === 'RENEWALS_NOT_COVERED');
  return {
    ...upstream,
    within,
    found,
    async next() {
      await upstream.passSuspended(hourMs, minuteMs);
      return found();
    },
  };
}

const notCovered = (currency: string, balance: string, total: string) => [
  ...['RENEWALS_NOT_COVERED', currency, balance, total],
];

test('renewals that the balance no longer covers are one event per currency until it covers them again', {
  tags: ['E11'],
}, async () => {
  const { next, change, within, balances } = await start();
  expect(await next()).toEqual([]);

  change(b, within(20 * dayMs));
  const first = notCovered('USD', '100.0000', '120.0000');
  expect(await next()).toEqual([first]);
  balances.set('USD', '10.0000');
  expect(await next()).toEqual([first]);
  balances.set('USD', '120.0000');
  balances.set('GBP', '29.9999');
  const second = notCovered('GBP', '29.9999', '30.0000');
  expect(await next()).toEqual([first, second]);
  balances.set('USD', '119.9999');
  expect(await next()).toEqual([first, second, notCovered('USD', '119.9999', '120.0000')]);
});

test('renewals that are not covered when they are first read are an event of the same comparison', async () => {
  const { found } = await start({ balance: '59.0000' });

  expect(await found()).toEqual([notCovered('USD', '59.0000', '60.0000')]);
});

test('a currency without a renewal that is due is covered', async () => {
  const { next, change } = await start({ balance: '59.0000' });
  const later = { expiresAt: new Date('2029-01-31T12:00:00Z') };
  const expiresAt = new Date('2026-02-10T12:00:00Z');

  expect(await next()).toHaveLength(1);
  change(a, later);
  expect(await next()).toHaveLength(1);
  change(a, { expiresAt });

  expect(await next()).toHaveLength(2);
});

test('what cannot be decided is no event: a balance that is missing, a price that is not known', {
  tags: ['E11'],
}, async () => {
  const { next, change, within, balances, prices, passSuspended } = await start();
  change(b, within(20 * dayMs));
  balances.delete('USD');
  expect(await next()).toEqual([]);
  balances.set('USD', 'unreadable');
  expect(await next()).toEqual([]);
  prices.set('co.uk', []);
  balances.set('USD', '100.0000');
  expect(await next()).toHaveLength(1);
  await passSuspended(dayMs);
  balances.set('USD', '500.0000');
  expect(await next()).toHaveLength(1);
  balances.set('USD', '100.0000');

  // With a price missing it was not covered again.
  expect(await next()).toHaveLength(1);
});

test('renewals that are not covered are one event although no total can be read in between', async () => {
  const { next, prices, passSuspended } = await start({ balance: '59.0000' });
  expect(await next()).toHaveLength(1);
  const known = prices.get('com') ?? [];
  prices.set('com', []);
  await passSuspended(dayMs);
  expect(await next()).toHaveLength(1);
  prices.set('com', known);
  await passSuspended(dayMs);

  expect(await next()).toEqual([notCovered('USD', '59.0000', '60.0000')]);
});

test('the prices are those of the daily list', async () => {
  const { next, prices, passSuspended, otherCalls } = await start();
  prices.set('com', ['RENEWAL 1 101.0000 USD']);

  expect(await next()).toEqual([]);
  expect(otherCalls.filter((action) => action === 'tldlist')).toHaveLength(1);
  await passSuspended(dayMs);

  expect(await next()).toEqual([notCovered('USD', '100.0000', '101.0000')]);
});

test.each([
  ['expires after the days', { expiresAt: new Date('2026-03-03T12:00:00Z') }],
  ['has expired', { expiresAt: new Date('2026-01-31T11:59:59Z') }],
  ['has no expiry date that can be read', { expiresAt: unreadable }],
  ['is deleted', { state: 'DELETED' as const }],
  ['is in redemption', { state: 'REDEMPTION' as const }],
  ['was transferred out', { state: 'TRANSFERRED_OUT' as const }],
])('a domain that %s is not renewed', async (_what, changes) => {
  const { next, change } = await start({ balance: '59.0000' });
  expect(await next()).toHaveLength(1);
  change(a, changes);
  await next();
  change(a, { state: 'ACTIVE', expiresAt: new Date('2026-02-10T12:00:00Z') });

  // The renewals were covered in between.
  expect(await next()).toHaveLength(2);
});

test('0 days make no call', async () => {
  const { next, otherCalls } = await start({ days: 0, balance: '0.0000' });

  expect(await next()).toEqual([]);
  expect(otherCalls).toEqual(['tldlist']);
});
