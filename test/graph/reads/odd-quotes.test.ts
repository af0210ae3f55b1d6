import { afterAll, expect, test } from 'vitest';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';

// Offers and price lists that the sandbox never sends: each test supplies the replies of the next check and `tldlist`.
const { gateway, replyNext, left, close } = await startRecordedGateway();
afterAll(() => close());

const offer = {
  TLD: 'com',
  DomainName: 'odd',
  Status: 'available',
  Command: 'create',
  Period: 1,
  IsFee: false,
  Price: '11.2900',
  Currency: 'USD',
  Reason: null,
};

const com = {
  id: 1,
  status: 'Active',
  tld: 'com',
  minchar: 2,
  maxchar: 63,
  minperiod: 1,
  maxperiod: 10,
  pricing: { registration: { 1: '11.2900' }, renew: { 1: '11.4900' } },
  currencies: { registration: 'USD', renew: 'USD' },
};

async function quote(period: number, offered: object, listed: object) {
  replyNext({ status: 200, body: JSON.stringify([{ ...offer, ...offered }]) });
  const tldlist = { result: 'OK', data: [{ ...com, ...listed }] };
  replyNext({ status: 200, body: JSON.stringify(tldlist) });
  const { data } = await gateway.query(
    `{ availability(name: "odd.com") { quote(period: ${period}) {
      certainty lowest { amount } highest { amount } renewal { amount currency }
    } } }`,
  );
  expect(left()).toBe(0);
  const { certainty, lowest, highest, renewal } = data.availability.quote;
  return { quoted: [certainty, lowest?.amount, highest?.amount], renewal };
}

const unknown = ['UNKNOWN', undefined, undefined];

test.each<[string, number, object, object, unknown[]]>([
  [
    'the offer and the list differ about one period: either may be debited',
    1,
    { Price: '12.0000' },
    {},
    ['ESTIMATED', '11.2900', '12.0000'],
  ],
  [
    'the offer and the list differ about the first of two years',
    2,
    { Price: '12.0000' },
    {},
    ['ESTIMATED', '22.5800', '24.0000'],
  ],
  [
    'renewals cost less than the first year',
    3,
    {},
    { pricing: { registration: { 1: '11.2900' }, renew: { 1: '5.0000' } } },
    ['ESTIMATED', '21.2900', '33.8700'],
  ],
  ['the offer is in another currency than the list', 1, { Currency: 'EUR' }, {}, unknown],
  [
    'renewals are in another currency',
    2,
    {},
    { currencies: { registration: 'USD', renew: 'EUR' } },
    unknown,
  ],
  ['no renewal is listed', 2, {}, { pricing: { registration: { 1: '11.2900' } } }, unknown],
  ['the price of the offer cannot be read', 1, { Price: { amount: 9 } }, {}, unknown],
  ['the price of the offer for one year cannot be read', 5, { Price: 'cheap' }, {}, unknown],
  [
    'the listed price cannot be read',
    1,
    {},
    { pricing: { registration: { 1: 'cheap' }, renew: { 1: '11.4900' } } },
    unknown,
  ],
  ['the offer names no price', 1, { Price: null }, {}, ['LISTED', '11.2900', '11.2900']],
  ['the offer names no period', 1, { Period: null }, {}, ['LISTED', '11.2900', '11.2900']],
  ['only the offer names a price', 1, {}, { pricing: [] }, ['LISTED', '11.2900', '11.2900']],
  ['only the offer names a price, and for another period', 2, {}, { pricing: [] }, unknown],
  [
    'two years are listed, and renewals of one year bound a third',
    3,
    { Price: '139.8000' },
    { minperiod: 2, pricing: { registration: { 2: '139.8000' }, renew: { 1: '79.9000' } } },
    ['ESTIMATED', '139.8000', '279.6000'],
  ],
  [
    'a period below the bounds of the TLD is neither offered nor listed',
    1,
    { Price: '139.8000' },
    { minperiod: 2, pricing: { registration: { 2: '139.8000' } } },
    unknown,
  ],
  ...[1, 2].map((period): [string, number, object, object, unknown[]] => [
    `a premium name is offered for one year, and ${period} year(s) of a TLD that is sold for two`,
    period,
    { IsFee: true, Price: '900.0000' },
    { minperiod: 2, pricing: { registration: { 2: '139.8000' } } },
    unknown,
  ]),
  ['the price of the offer is negative', 1, { Price: '-1.0000' }, {}, unknown],
  [
    'the listed price is negative',
    1,
    { Price: '' },
    { pricing: { registration: { 1: '-1.0000' }, renew: { 1: '11.4900' } } },
    unknown,
  ],
  ['the TLD does not accept the label', 1, {}, { minchar: 4 }, unknown],
  [
    'a premium name is offered for two years',
    2,
    { IsFee: true, Period: 2, Price: '900.0000' },
    {},
    ['LISTED', '900.0000', '900.0000'],
  ],
  [
    'a premium name is offered for two years, not for one',
    1,
    { IsFee: true, Period: 2, Price: '900.0000' },
    {},
    unknown,
  ],
  [
    'a premium name is offered without a period',
    1,
    { IsFee: true, Period: null, Price: '900.0000' },
    {},
    unknown,
  ],
])('%s', async (_case, period, offered, listed, quoted) => {
  expect(await quote(period, offered, listed)).toMatchObject({ quoted });
});

test('the renewal price comes from the price list, and a premium name has none', async () => {
  const plain = await quote(1, {}, {});
  const premium = await quote(1, { IsFee: true, Price: '900.0000' }, {});

  expect([plain.renewal, premium.renewal]).toEqual([{ amount: '11.4900', currency: 'USD' }, null]);
});

test('an unreadable price list makes the quote UNKNOWN and leaves the other fields intact', async () => {
  replyNext({ status: 200, body: JSON.stringify([offer]) });
  const error = { Code: 'API_300_ERROR', Message: 'Failed', Details: 'Reseller not found!' };
  replyNext({ status: 400, body: JSON.stringify({ result: 'ERROR', error }) });

  const { data } = await gateway.query(
    '{ availability(name: "odd.com") { state price { amount } quote { certainty highest { amount } } } }',
  );

  expect(data.availability).toEqual({
    state: 'AVAILABLE',
    price: { amount: '11.2900' },
    quote: { certainty: 'UNKNOWN', highest: null },
  });
});
