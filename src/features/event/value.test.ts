import { expect, test } from 'vitest';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { priceListBy } from '../../../test/support/retail-list.ts';
import { formatMoney, money } from '../../kernel/money.ts';
import { createQuotes } from '../../modules/quote/quotes.ts';
import type { EventType } from './service.ts';
import { eventTypes } from './types.ts';
import { eventValue } from './value.ts';

const usd = money('11.2900', 'USD');

const reader = { quotes: plainQuotes, seesCosts: false };

test.each<[EventType, string, object]>([
  ['DOMAIN_ADDED', 'ACTIVE', { state: 'ACTIVE' }],
  ['STATE_CHANGED', 'NO_STATE', {}],
  ['EXPIRY_CHANGED', '2027-01-31T12:00:00.000Z', { expiresAt: new Date('2027-01-31T12:00:00Z') }],
  ['EXPIRY_CHANGED', 'soon', {}],
  ['EXPIRING', '30', { days: 30 }],
  ['NAME_SERVERS_CHANGED', 'ns1.a.net ns2.a.net', { nameServers: ['ns1.a.net', 'ns2.a.net'] }],
  ['NAME_SERVERS_CHANGED', '', { nameServers: [] }],
  ['TRANSFER_UNLOCKED', 'false', { transferLocked: false }],
  ['PRIVACY_CHANGED', 'true', { privacyProtected: true }],
  ['PRIVACY_CHANGED', 'maybe', {}],
  ['PURCHASE_SETTLED', 'SUCCEEDED', {}],
  ['BALANCE_LOW', '11.2900', { money: usd }],
  ['RENEWALS_NOT_COVERED', 'much', {}],
  ['PRICE_CHANGED', 'RENEWAL 2 11.2900 USD', { operation: 'RENEWAL', period: 2, money: usd }],
  ['PRICE_CHANGED', 'OTHER:a_b 0 11.2900 USD', { operation: 'OTHER', period: 0, money: usd }],
  ['PRICE_CHANGED', 'GIFT 1 11.2900 USD', {}],
])('the value of %s from the text "%s" has its members', (type, text, members) => {
  expect(eventValue({ type, subject: 'USD' }, text, reader)).toEqual({ text, ...members });
  expect(eventValue({ type, subject: 'USD' }, null, reader)).toBeNull();
});

test('with retail prices no event shows an amount of the registrar to a reader that must not know costs', () => {
  const list = priceListBy();
  const quotes = createQuotes(() => list, { now: () => new Date(0) });
  const amounts = (seesCosts: boolean) =>
    (Object.keys(eventTypes) as (keyof typeof eventTypes)[]).flatMap((type) => {
      const subject = type === 'PRICE_CHANGED' ? 'com' : 'USD';
      const text = type === 'PRICE_CHANGED' ? 'RENEWAL 1 11.2900 USD' : '11.2900';
      const value = eventValue({ type, subject }, text, { quotes, seesCosts });
      return value?.money ? [`${type} ${formatMoney(value.money)}`] : [];
    });

  expect(amounts(false)).toEqual(['PRICE_CHANGED 22.5800 USD']);
  expect(amounts(true).toSorted()).toEqual([
    'BALANCE_LOW 11.2900 USD',
    'PRICE_CHANGED 22.5800 USD',
    'RENEWALS_NOT_COVERED 11.2900 USD',
    'SPEND_LIMIT_NEAR 11.2900 USD',
    'SPEND_LIMIT_REACHED 11.2900 USD',
  ]);
});
