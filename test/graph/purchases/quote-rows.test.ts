import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceOf } from '../../../sandbox/domain-api/purchases.ts';
import { findTld, type PricedAction, type Tld } from '../../../sandbox/service/catalogue.ts';
import { costOfTld } from '../../../src/modules/quote/quote.ts';
import { tldEntry } from '../../../src/upstream/domain-api/tld-shapes.ts';
import { runs } from '../../support/long.ts';

/** Prices by period from a lowest one on, most of them for a few periods only, so that the others have to be estimated. */
const pricesFrom = (min: number) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(1, 1, 2, 3, 5, 10), fc.integer({ min, max: 999_999 })), {
      selector: ([period]) => period,
      maxLength: 3,
    })
    .map((prices) =>
      Object.fromEntries(prices.map(([period, count]) => [period, (count / 10_000).toFixed(4)])),
    );

const order = fc.record({
  // Only a transfer is free: another price of 0 is one that the registrar did not send.
  pricing: fc.record({
    registration: pricesFrom(1),
    transfer: pricesFrom(0),
    renew: pricesFrom(1),
  }),
  multipliesFirstPeriod: fc.boolean(),
  action: fc.constantFrom<PricedAction[]>('registration', 'transfer'),
  years: fc.integer({ min: 1, max: 10 }),
});

const com = findTld('com');
if (!com) throw new Error('The catalogue of the sandbox has no .com.');
const currencies = { registration: 'USD', transfer: 'USD', renew: 'USD' };

test('the sandbox never debits a price outside the quote, for any price list and either pricing rule', {
  tags: ['I7', 'G27'],
}, () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(order, ({ pricing, multipliesFirstPeriod, action, years }) => {
      const entry = { ...com.entry, pricing, currencies };
      const tld: Tld = { ...com, entry, multipliesFirstPeriod };
      const decoded = tldEntry(entry);
      if (!decoded || decoded.name === null) throw new Error('This entry cannot be read.');

      const debit = priceOf(tld, action, years);
      const operation = action === 'registration' ? 'REGISTRATION' : 'TRANSFER';
      const quote = costOfTld({ ...decoded, name: decoded.name }, operation, years);

      const { certainty, lowest, highest } = quote;
      met.add(`${certainty} ${debit ? 'debited' : 'refused'}`);
      if (certainty === 'LISTED') expect(debit?.toString()).toBe(highest?.amount.toString());
      if (!debit || !lowest || !highest) return;
      expect(lowest.amount.compare(debit)).toBeLessThanOrEqual(0);
      expect(highest.amount.compare(debit)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: runs(2_000, 20_000) },
  );

  expect([...met].sort()).toEqual([
    'ESTIMATED debited',
    'ESTIMATED refused',
    'LISTED debited',
    'UNKNOWN debited',
    'UNKNOWN refused',
  ]);
});
