import { describe, expect, test } from 'vitest';
import { gateLimits } from '../../src/upstream/client/gate.ts';
import { type Reply, refusal } from './registrar.ts';
import { changeDocument, order, registerDocument, startIndependent, withMembers } from './start.ts';

const { query, upstream } = await startIndependent({
  upstreamLimits: { ...gateLimits, breaker: { ...gateLimits.breaker, failures: Infinity } },
});
upstream.registrar.add('maple-field.com');

const html = (status: number) => (): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><p>Forbidden</p></html>',
});

describe('a failed read:', () => {
  const unreachable = (code: string) => refusal(code, 'No additional details');
  const status = 'domain(name: "maple-field.com") { status }';
  type Read = readonly [operation: string, code: string, field: string, data: object];
  const reads: readonly Read[] = [
    ['getdetails', 'INVALID_RESPONSE', status, { domain: { status: 'Active' } }],
    [
      'getdomainlist',
      'INVALID_DOMAIN_LIST',
      'domains { totalCount }',
      { domains: { totalCount: 1 } },
    ],
    ['tldlist', 'INVALID_TLD_LIST', 'tlds { totalCount }', { tlds: { totalCount: 3 } }],
    ['resellerdetails', 'RESPONSE', 'reseller { active }', { reseller: { active: true } }],
  ];
  const free = { state: 'AVAILABLE' };

  test.each<Read>([
    ...reads,
    [
      'singlecheckavailability',
      'INVALID_RESPONSE',
      'availability(name: "free-maple.com") { state }',
      { availability: free },
    ],
  ])('%s with %s is sent again', async (operation, code, field, expected) => {
    let failures = 0;
    upstream.reply(operation, () => (failures++ < 2 ? unreachable(code) : undefined));

    const { data, errors } = await query(`{ ${field} }`);

    expect(errors).toBeUndefined();
    expect(data).toEqual(expected);
    expect(upstream.counts()).toEqual({ [operation]: 3 });
  });

  test('a bulk check with INVALID_RESPONSE is halved', async () => {
    upstream.reply('bulkcheckavailability', () => unreachable('INVALID_RESPONSE'));

    const { data } = await query(
      '{ availabilities(names: ["free-maple.com", "other-maple.com"]) { state } }',
    );

    expect(data.availabilities).toEqual([free, free]);
    expect(upstream.counts()).toEqual({ bulkcheckavailability: 1, singlecheckavailability: 2 });
  });

  test.each(reads)('%s with %s for good is temporary', async (operation, code, field) => {
    upstream.reply(operation, () => unreachable(code));

    const { errors } = await query(`{ ${field} }`);

    const facts = { code: 'UPSTREAM_UNAVAILABLE', retryable: true };
    expect(errors).toMatchObject([{ extensions: facts }]);
    expect(upstream.counts()).toEqual({ [operation]: 3 });
  });
});

test('contacts that are refused have the code of the registrar', async () => {
  upstream.reply('getcontacts', () => refusal('API_500_ERROR', 'No such domain'));

  const { data, errors } = await query(
    '{ domain(name: "maple-field.com") { contacts { registrant { email } } } }',
  );

  expect(data.domain.contacts.registrant).toEqual({ email: null });
  expect(errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND', upstreamCode: 'API_500_ERROR' } },
  ]);
});

test('a blank name of the account is null', async () => {
  upstream.reply('resellerdetails', (_fields, ordinary) => ({
    body: { ...(ordinary().body as object), name: '' },
  }));

  const { data, errors } = await query('{ reseller { name active } }');

  expect(errors).toBeUndefined();
  expect(data.reseller).toEqual({ name: null, active: true });
});

const domain = 'maple-field.com';
/** The document of a change, its input, and what its payload shows. */
const changes = {
  modifynameserver: [
    changeDocument('setNameServers', 'nameServers'),
    { domain, nameServers: ['ns8.host.example', 'ns9.host.example'] },
    { nameServers: ['ns8.host.example', 'ns9.host.example'] },
  ],
  addchildnameserver: [
    changeDocument('addChildNameServer', 'childNameServer { name addresses }'),
    { domain, nameServer: `ns1.${domain}`, ipAddress: '8.8.4.4' },
    { childNameServer: { name: `ns1.${domain}`, addresses: ['8.8.4.4'] } },
  ],
  disabletheftlock: [
    changeDocument('disableTransferLock', 'transferLocked'),
    { domain },
    { transferLocked: false },
  ],
  modifyprivacystatus: [
    changeDocument('setPrivacyProtection', 'privacyProtected'),
    { domain, privacyProtected: true },
    { privacyProtected: true },
  ],
} as const;

describe('a change', () => {
  test.each<[keyof typeof changes, unknown]>([
    ['modifynameserver', { result: 'OK' }],
    ['modifynameserver', { result: 'ok', data: { NameServers: null } }],
    ['addchildnameserver', { result: 'OK', data: { IPAddresses: '8.8.4.4' } }],
    ['addchildnameserver', { result: 'OK', data: [] }],
    ['disabletheftlock', { result: 'OK', data: { LockStatus: 'false' } }],
    ['disabletheftlock', { result: 'OK' }],
    ['modifyprivacystatus', []],
    ['modifyprivacystatus', undefined],
    ['modifyprivacystatus', { result: 'OK', data: { PrivacyProtectionStatus: 'true' } }],
  ])('%s that is made, with the reply %j', async (operation, body) => {
    const [document, input, expected] = changes[operation];
    upstream.reply(operation, (_fields, ordinary) => {
      ordinary();
      return { body };
    });

    const { data, errors } = await query(document, { input });

    expect(errors).toBeUndefined();
    expect(data.it).toEqual({ ...expected, errors: [] });
    expect(upstream.counts()[operation]).toBe(1);
  });

  test.each(Object.keys(changes) as (keyof typeof changes)[])(
    '%s that is refused with an unlisted code is not sent again',
    async (operation) => {
      const [document, input] = changes[operation];
      upstream.reply(operation, () => refusal('API_7777_ERROR', 'Not these'));
      // The account does not show the change.
      const unchanged = { NameServers: [], LockStatus: 'true', PrivacyProtectionStatus: 'false' };
      upstream.reply('getdetails', withMembers(unchanged));

      const { data } = await query(document, { input });

      expect(data.it.errors).toMatchObject([
        { upstreamCode: 'API_7777_ERROR', upstreamMessage: 'Not these' },
      ]);
      expect(upstream.counts()[operation]).toBe(1);
    },
  );

  test('a member that the registry does not return is no difference', async () => {
    upstream.reply('syncfromregistry', withMembers({ Dates: null, NameServers: null }));

    const { data } = await query(
      'mutation ($input: DomainInput!) { syncDomain(input: $input) { drift { field } } }',
      { input: { domain } },
    );

    const fields = data.syncDomain.drift.map(({ field }: { field: string }) => field);
    expect(fields.filter((field: string) => /At$|nameServers/.test(field))).toEqual([]);
  });
});

test('a balance below the price is one error of a purchase, without a path', async () => {
  upstream.reply('resellerdetails', (_fields, ordinary) => ({
    body: { ...(ordinary().body as object), balance: '-1.0000', balances: [] },
  }));

  const { data } = await query(registerDocument, { input: order('no-money.com') });

  expect(data.registerDomain).toMatchObject({
    purchase: null,
    errors: [{ code: 'INSUFFICIENT_FUNDS', path: null }],
  });
});

describe('a page of a firewall,', () => {
  test('instead of the balance is one error of a purchase, without a path', async () => {
    upstream.reply('resellerdetails', html(403));

    const { data } = await query(registerDocument, { input: order('no-balance.com') });

    expect(data.registerDomain).toMatchObject({ purchase: null, errors: [{ path: null }] });
    expect(upstream.counts()).not.toHaveProperty('registerdomain');
  });
});

test('a login that one reply refuses in words is read once more', async () => {
  let refusals = 0;
  const refused = refusal('INVALID_CREDINENTIALS', 'Invalid credentials');
  upstream.reply('resellerdetails', () => (refusals++ < 1 ? refused : undefined));

  const { data, errors } = await query('{ reseller { active } }');

  expect(errors).toBeUndefined();
  expect(data.reseller).toEqual({ active: true });
  expect(upstream.counts()).toEqual({ resellerdetails: 2 });

  upstream.reply('resellerdetails', () => refused);
  const second = await query('{ reseller { active } }');
  const during = await query('{ availability(name: "gap-six.com") { errorCode } }');

  expect(second.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_AUTH' } }]);
  expect(upstream.counts()).toEqual({ resellerdetails: 4 });
  expect(during.data.availability).toEqual({ errorCode: 'UPSTREAM_AUTH' });
});
