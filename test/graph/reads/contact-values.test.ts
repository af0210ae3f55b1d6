import { afterAll, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());

const everything = `{
  id upstreamId role firstName lastName company email
  phone { countryCode number e164 } fax { number }
  address { line1 line2 line3 city state zipCode country }
  type status authCode additional { key value }
}`;

test('a contact has every value of the upstream, and null for an empty value', async () => {
  const { domain } = await read(
    gateway,
    `{ domain(name: "private-demo.net") { contacts { registrant ${everything} } } }`,
  );

  expect(domain.contacts.registrant).toEqual({
    id: expect.stringMatching(/^[\w-]+$/),
    upstreamId: expect.any(Number),
    role: 'REGISTRANT',
    firstName: 'Ada',
    lastName: 'Sample',
    company: 'Sample Works Ltd',
    email: 'ada@sample-works.example',
    phone: { countryCode: '44', number: '2079460101', e164: '+442079460101' },
    fax: null,
    address: {
      line1: '1 Example Street',
      line2: 'Floor 2',
      line3: null,
      city: 'London',
      state: null,
      zipCode: 'EC1A 1ZZ',
      country: 'GB',
    },
    type: 'EuContact',
    status: null,
    authCode: null,
    additional: [],
  });
});

test('a person in several roles has one upstreamId, and an id and a type for each role', async () => {
  const { domain } = await read(
    gateway,
    `{ domain(name: "private-demo.net") { contacts {
      registrant { id upstreamId role type } administrative { id upstreamId role type }
      technical { id upstreamId role type } billing { id upstreamId role type }
    } } }`,
  );

  const { registrant, administrative, technical, billing } = domain.contacts;
  const all = [registrant, administrative, technical, billing];
  expect(all.map(({ role }) => role)).toEqual([
    'REGISTRANT',
    'ADMINISTRATIVE',
    'TECHNICAL',
    'BILLING',
  ]);
  expect(all.map(({ type }) => type)).toEqual(['EuContact', 'Contact', 'CoopContact', 'UkContact']);
  expect(new Set(all.map(({ id }) => id)).size).toBe(4);
  expect(administrative.upstreamId).toBe(registrant.upstreamId);
  expect(billing.upstreamId).not.toBe(registrant.upstreamId);
});

test('a country that the upstream spells out is returned unchanged', async () => {
  const { domain } = await read(
    gateway,
    `{ domain(name: "country-name-demo.co.uk") { contacts {
      registrant { address { country } } billing { address { country } }
    } } }`,
  );

  expect(domain.contacts).toEqual({
    registrant: { address: { country: 'United Kingdom' } },
    billing: { address: { country: 'DE' } },
  });
});
