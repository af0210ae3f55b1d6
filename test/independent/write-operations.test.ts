import { expect, test } from 'vitest';
import { ada } from '../support/ada.ts';
import { operations } from './request-shapes.ts';
import {
  changeDocument,
  errorFields,
  order,
  registerDocument,
  startIndependent,
  transferDocument,
  transferOf,
} from './start.ts';

const { run, used, upstream } = await startIndependent();
const { registrar } = upstream;
registrar.add('maple-field.com');

test('registerdomain: the request of the specification, once', async () => {
  const contact = { ...ada, company: 'Example Ltd', address: { ...ada.address, line2: 'Flat 2' } };
  const { data, bodies, calls } = await run(
    registerDocument,
    order('new-maple.com', {
      ...{ period: 2, contact: { fields: contact } },
      ...{ privacyProtected: true, transferLocked: false },
    }),
  );

  expect(data.registerDomain).toEqual({
    purchase: {
      kind: expect.any(String),
      state: 'SUCCEEDED',
      domainName: 'new-maple.com',
      period: 2,
      price: { amount: '45.1600', currency: 'USD' },
      errors: [],
    },
    errors: [],
  });
  const names = { FirstName: 'Ada', LastName: 'Lovelace', Company: '', EMail: 'ada@example.org' };
  const address = {
    AddressLine1: 'Musterweg 1',
    City: 'Berlin',
    State: '',
    ZipCode: '10115',
    Country: 'DE',
  };
  const person = { ...names, ...address, Phone: '30123456', PhoneCountryCode: 49 };
  expect(bodies.filter(({ period }) => period)).toEqual([
    {
      domain: 'new-maple.com',
      period: 2,
      registrant: person,
      contact: { ...person, Company: 'Example Ltd', AddressLine2: 'Flat 2' },
      nameservers: ['ns1.host.example', 'ns2.host.example'],
      privacyProtection: true,
      eppLock: false,
    },
  ]);
  expect(calls).toMatchObject({ registerdomain: 1, tldlist: 1, resellerdetails: 1 });
  expect(registrar.balance('USD')).toBe('477.4200');
});

test('transferdomain: the request of the specification, once', async () => {
  const { data, bodies, calls } = await run(transferDocument, transferOf('incoming-maple.com'));

  expect(data.transferDomain).toMatchObject({
    purchase: { state: expect.toBeOneOf(['IN_PROGRESS', 'SUCCEEDED']), errors: [] },
    errors: [],
  });
  const sent = { domain: 'incoming-maple.com', authCode: 'Right-Code-01', period: 1 };
  expect(bodies).toContainEqual(sent);
  expect(calls).toMatchObject({ transferdomain: 1 });
});

test('transferdomain: the failure of the specification', async () => {
  const { data } = await run(transferDocument, {
    ...transferOf('incoming-refused.com'),
    authCode: 'Wrong-Code-01',
  });

  expect(data.transferDomain).toMatchObject({
    purchase: { state: 'FAILED' },
    errors: [{ code: 'AUTH_CODE_INVALID', executed: 'NO' }],
  });
});

const domain = 'maple-field.com';

test.each([
  [
    'modifynameserver',
    changeDocument('setNameServers', 'nameServers domain { nameServers }'),
    { nameServers: ['ns3.host.example', 'ns4.host.example'] },
    { nameservers: { ns1: 'ns3.host.example', ns2: 'ns4.host.example' } },
    {
      nameServers: ['ns3.host.example', 'ns4.host.example'],
      domain: { nameServers: ['ns3.host.example', 'ns4.host.example'] },
    },
  ],
  [
    'addchildnameserver',
    changeDocument('addChildNameServer', 'childNameServer { name addresses }'),
    { nameServer: 'ns1.maple-field.com', ipAddress: '8.8.4.4' },
    { nameServer: 'ns1.maple-field.com', ipAddress: '8.8.4.4' },
    { childNameServer: { name: 'ns1.maple-field.com', addresses: ['8.8.4.4'] } },
  ],
  [
    'disabletheftlock',
    changeDocument('disableTransferLock', 'transferLocked'),
    {},
    {},
    { transferLocked: false },
  ],
  [
    'modifyprivacystatus',
    changeDocument('setPrivacyProtection', 'privacyProtected domain { privacyProtected }'),
    { privacyProtected: true, reason: 'asked by the owner' },
    { status: true, reason: 'asked by the owner' },
    { privacyProtected: true, domain: { privacyProtected: true } },
  ],
  [
    'syncfromregistry',
    changeDocument(
      'syncDomain',
      'registry { status transferLocked nameServers } domain { status }',
    ),
    {},
    {},
    {
      registry: { status: 'clientTransferProhibited', transferLocked: false },
      domain: { status: 'Active' },
    },
  ],
])('%s: one write and its result', async (operation, document, input, fields, expected) => {
  const { data, bodies, calls } = await run(document, { domain, ...input });

  expect(data.it).toMatchObject({ ...expected, errors: [] });
  expect(bodies).toContainEqual({ domain, ...fields });
  expect(calls[operation]).toBe(1);
});

test.each([
  [
    'POST /carts',
    changeDocument('createCart', 'cart { id total items { total } }'),
    {
      items: [
        { description: 'Plan', quantity: 3, unitPrice: '0.3333', productType: 'hosting' },
        { description: 'Gift', quantity: 1, unitPrice: '-0.5', total: '-0.49', productType: 'x' },
      ],
    },
    {
      cartDetails: [
        { description: 'Plan', quantity: 3, price: 0.3333, total: 0.9999, productType: 'hosting' },
        { description: 'Gift', quantity: 1, price: -0.5, total: -0.49, productType: 'x' },
      ],
    },
    { cart: { id: '1', total: '0.5099' } },
  ],
  [
    'PATCH /hosting/group/{id}',
    changeDocument('updateHostingGroup', 'updated hostingGroup { name description imageUrl }'),
    { id: 'a/7', name: 'Shops', description: 'All shops' },
    { hostingGroupName: 'Shops', hostingGroupDescription: 'All shops' },
    { updated: true, hostingGroup: { name: 'Shops', description: 'All shops', imageUrl: null } },
  ],
  [
    'DELETE /hosting/group',
    changeDocument('deleteHostingGroup', 'deleted'),
    { confirm: true },
    null,
    { deleted: true },
  ],
  [
    'DELETE /logs',
    changeDocument('deleteLogs', 'deleted'),
    { confirm: true },
    null,
    { deleted: true },
  ],
  [
    'POST /auth/logout',
    `mutation { it: logout { loggedOut errors { ${errorFields} } } }`,
    undefined,
    null,
    { loggedOut: true },
  ],
])('%s: one call and its result', async (operation, document, input, body, expected) => {
  const { data, bodies, calls } = await run(document, input);

  expect(data.it).toMatchObject({ ...expected, errors: [] });
  expect(bodies).toEqual(body === null ? [] : [body]);
  expect(calls).toEqual({ [operation]: 1 });
});

test('the calls of the Account API reached their objects', () => {
  const { carts, groups, logs, sessions } = registrar.account;

  expect([carts, groups.size, logs, sessions]).toEqual([1, 0, 0, 0]);
});

test('all writes of the specification were used', () => {
  expect([...used]).toEqual(expect.arrayContaining([...operations.writes]));
});
