import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, countPurchases, openShop, type Payload, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

const nobody = {
  firstName: ' ',
  lastName: '',
  email: 'ada at example',
  phone: 'call me',
  address: { line1: '', city: '  ', zipCode: '', country: 'DE' },
};
const endless = 'x'.repeat(256);
const odd = {
  firstName: 'Love\nlace',
  lastName: endless,
  company: endless,
  email: 'a@example.org, b@example.org',
  phone: '+49 1',
  address: { line1: endless, line2: endless, city: 'a\tb', state: endless, zipCode: endless },
};
const places = ['firstName', 'lastName', 'email', 'phone'];
const streets = ['line1', 'city', 'zipCode'].map((field) => `address.${field}`);

test.each<[string, object, readonly string[]]>([
  ['what must not be empty is', nobody, [...places, ...streets]],
  [
    'what is there cannot be right',
    { ...odd, address: { ...odd.address, country: 'DE' } },
    [...places, 'company', ...streets, 'address.line2', 'address.state'],
  ],
])('a contact in which %s is told all its faults, in either role', async (_case, person, wrong) => {
  const { purchase, errors } = await shop.register({
    domain: 'bad-person.com',
    registrant: person,
    contact: person,
  });

  expect(purchase).toBeNull();
  const expected = ['registrant', 'contact'].flatMap((role) =>
    wrong.map((field) => `input.${role}.${field}`),
  );
  expect(errors.map(({ path }: Payload) => path.join('.')).toSorted()).toEqual(expected.toSorted());
  for (const { __typename, code, executed } of errors) {
    expect([__typename, code, executed]).toEqual(['InvalidInput', 'INVALID_INPUT', 'NO']);
  }
  expect(await countPurchases(shop)).toBe(0);
});

test('a country that is none never gets past the document', async () => {
  const registrant = { ...ada, address: { ...ada.address, country: 'XQ' } };

  await expect(shop.register({ domain: 'bad-land.com', registrant })).rejects.toThrow(/country/i);
});
