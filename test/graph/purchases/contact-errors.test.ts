import { afterAll, expect, test } from 'vitest';
import { ada } from '../../support/ada.ts';
import { countPurchases, openShop, type Payload } from './shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

const emptyContact = {
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
const streets = ['line1', 'city'].map((field) => `address.${field}`);

test.each<[string, object, readonly string[]]>([
  ['required fields are empty', emptyContact, [...places, ...streets]],
  [
    'the values are invalid',
    { ...odd, address: { ...odd.address, country: 'DE' } },
    [...places, 'company', ...streets, ...['address.line2', 'address.state', 'address.zipCode']],
  ],
])(
  'a contact in which %s gets one error for each wrong field, in either role',
  async (_case, person, wrong) => {
    const { purchase, errors } = await shop.register({
      domain: 'bad-person.com',
      registrant: { fields: person },
      contact: { fields: person },
    });

    expect(purchase).toBeNull();
    const expected = ['registrant', 'contact'].flatMap((role) =>
      wrong.map((field) => `input.${role}.fields.${field}`),
    );
    expect(errors.map(({ path }: Payload) => path.join('.')).toSorted()).toEqual(
      expected.toSorted(),
    );
    for (const { __typename, code, executed } of errors) {
      expect([__typename, code, executed]).toEqual(['PlainError', 'INVALID_INPUT', 'NO']);
    }
    expect(await countPurchases(shop)).toBe(0);
  },
);

test('a country that does not exist is reported at its path, beside an invalid name server', async () => {
  const registrant = { ...ada, email: 'ada@example', address: { ...ada.address, country: 'XX' } };

  const { purchase, errors } = await shop.register({
    domain: 'bad-land.com',
    nameServers: ['ns1.example-dns.net', 'bad host!'],
    registrant: { fields: registrant },
  });

  expect(purchase).toBeNull();
  expect(errors.map(({ path, message }: Payload) => [path.join('.'), message]).toSorted()).toEqual([
    [
      'input.nameServers.1',
      '"bad host!" contains blanks or invisible characters; a domain name has none.',
    ],
    [
      'input.registrant.fields.address.country',
      '"XX" is not a country code such as "DE" (ISO 3166-1).',
    ],
    ['input.registrant.fields.email', '"email" must be one address such as "ada@example.com".'],
  ]);
  expect(await countPurchases(shop)).toBe(0);
});

test('an invalid domain name is reported together with every error that needs no TLD', async () => {
  const { purchase, errors } = await shop.register({
    domain: 'a b.com',
    idempotencyKey: ' ',
    registrant: { fields: { ...ada, phone: '12' } },
  });

  expect(purchase).toBeNull();
  expect(errors.map(({ path }: Payload) => path.join('.')).toSorted()).toEqual([
    'input.domain',
    'input.idempotencyKey',
    'input.registrant.fields.phone',
  ]);
  expect(await shop.gateway.upstreamCalls()).toEqual([]);
});

test('the upstream receives an empty zip code for a country without postal codes', async () => {
  const { zipCode: _, ...address } = ada.address;
  const registrant = {
    ...ada,
    phone: '+971 4 317 0000',
    address: { ...address, city: 'Dubai', country: ' ae ' },
  };

  const { purchase, errors } = await shop.register({
    domain: 'dubai-harbor.com',
    registrant: { fields: registrant },
  });

  expect(errors).toEqual([]);
  expect(purchase.state).toBe('SUCCEEDED');
  const call = (await shop.gateway.upstreamCalls()).find(
    ({ action }: Payload) => action === 'registerdomain',
  );
  expect(call).toBeDefined();
});
