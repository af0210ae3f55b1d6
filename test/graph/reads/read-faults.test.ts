import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { arm, errorFacts } from './reads.ts';

const time = createGatewayClock();
const gateway = time.withTime(await startTestGateway({ sandboxDomains: 60, clock: time.clock }));
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const unavailable = (...path: (string | number)[]) => ({
  path,
  message: 'The registrar is not available now.',
  code: 'UPSTREAM_UNAVAILABLE',
  retryable: true,
  executed: 'NO',
});

test('a failed getcontacts fails the fields that need it, and no other field of the contact', async () => {
  await arm(gateway, 'gateway', 'getcontacts');

  const { data, errors } = await gateway.query(`{
    domain(name: "private-demo.net") { name contacts {
      registrant { id role upstreamId firstName phone { e164 } address { city } }
      billing { role }
    } }
    reseller { name }
  }`);

  const { registrant, billing } = data.domain.contacts;
  expect(registrant).toMatchObject({ role: 'REGISTRANT', firstName: null });
  expect(registrant.id).toMatch(/^\w+$/);
  expect(registrant.upstreamId).toBeGreaterThan(0);
  expect(billing).toEqual({ role: 'BILLING' });
  expect(data.reseller).toEqual({ name: 'Demo Reseller' });
  const at = ['domain', 'contacts', 'registrant'];
  expect(errors.map(errorFacts)).toEqual(
    ['firstName', 'phone', 'address'].map((field) => unavailable(...at, field)),
  );
});

test('a failed getcontacts leaves the ids of all four contacts', async () => {
  await arm(gateway, 'gateway', 'getcontacts');
  const each = (selection: string) =>
    ['registrant', 'administrative', 'technical', 'billing']
      .map((role) => `${role} { ${selection} }`)
      .join(' ');
  const document = (selection: string) =>
    `{ domain(name: "private-demo.net") { contacts { ${each(selection)} } } }`;

  const ids = await gateway.query(document('id upstreamId'));
  const { data, errors } = await gateway.query(document('id upstreamId additional { key }'));

  for (const [role, contact] of Object.entries(ids.data.domain.contacts)) {
    expect(data.domain.contacts[role]).toEqual({ ...(contact as object), additional: null });
  }
  expect(errors).toHaveLength(4);
  expect(errors.map(errorFacts)).toContainEqual(
    unavailable('domain', 'contacts', 'registrant', 'additional'),
  );
});

test.each([
  ['domains', '{ totalCount }', 'getdomainlist'],
  ['domainStats', '{ totalCount }', 'getdomainlist'],
  ['tlds', '{ totalCount }', 'tldlist'],
  ['searchDomains', '(label: "maple") { name }', 'tldlist'],
])('a failed `%s` is null, and the other root fields are intact', async (field, rest, action) => {
  await arm(gateway, 'code', action, { code: 'API_2400_ERROR', times: 10 });

  const { data, errors } = await gateway.query(
    `{ reseller { name balance { money { currency } } } purchases { totalCount } ${field} ${rest} }`,
  );

  expect(data).toEqual({
    reseller: { name: 'Demo Reseller', balance: { money: { currency: 'USD' } } },
    purchases: { totalCount: 0 },
    [field]: null,
  });
  expect(errors.map(errorFacts)).toMatchObject([{ path: [field], code: 'UPSTREAM_UNAVAILABLE' }]);
});

test('a failed tldlist fails the `tld` of every row only', async () => {
  await arm(gateway, 'gateway', 'tldlist');

  const { data, errors } = await gateway.query(`{
    domains(first: 2) { nodes { name tld { name } } }
    availability(name: "not-registered.com") { state tld { name } }
  }`);

  expect(data.domains.nodes).toMatchObject([{ tld: null }, { tld: null }]);
  expect(data.domains.nodes[0].name).toMatch(/\./);
  expect(data.availability).toEqual({ state: 'AVAILABLE', tld: null });
  expect(errors.map(errorFacts)).toEqual(
    expect.arrayContaining([
      unavailable('domains', 'nodes', 0, 'tld'),
      unavailable('domains', 'nodes', 1, 'tld'),
      unavailable('availability', 'tld'),
    ]),
  );
  expect((await gateway.countCalls()).tldlist).toBe(3);
});

describe('a failed resellerdetails is one error with code and request id, and the other fields are intact:', () => {
  test.each([
    ['gateway', {}, 'UPSTREAM_UNAVAILABLE', true],
    ['empty', {}, 'UPSTREAM_PROTOCOL', true],
    ['busy', { ms: 5_000 }, 'RATE_LIMITED', true],
    ['code', { code: 'API_300_ERROR' }, 'UPSTREAM_UNAVAILABLE', false],
    ['code', { code: 'API_301_ERROR' }, 'UPSTREAM_UNAVAILABLE', false],
  ])('%s %j', async (fault, how, code, retryable) => {
    await arm(gateway, fault, 'resellerdetails', how);

    const response = await gateway.query(
      '{ reseller { name } domain(name: "private-demo.net") { state } }',
      undefined,
      { 'x-request-id': 'of-this-very-test' },
    );

    expect(response.status).toBe(200);
    expect(response.data).toEqual({ reseller: null, domain: { state: 'ACTIVE' } });
    expect(response.errors).toHaveLength(1);
    expect(response.errors[0]).toMatchObject({
      path: ['reseller'],
      extensions: { code, retryable, executed: 'NO', requestId: 'of-this-very-test' },
    });
    expect(JSON.stringify(response.errors)).not.toMatch(/demo-password|127\.0\.0\.1|<html/);
  });
});

test('a failed getdetails is an error of its domain, and an absent domain is null without an error', {
  tags: ['G5'],
}, async () => {
  await arm(gateway, 'gateway', 'getdetails', { domain: 'private-demo.net' });

  const { data, errors } = await gateway.query(`{
    broken: domain(name: "private-demo.net") { name }
    absent: domain(name: "absent.com") { name }
    whole: domain(name: "unlocked-demo.com") { name }
  }`);

  expect(data).toEqual({ broken: null, absent: null, whole: { name: 'unlocked-demo.com' } });
  expect(errors.map(errorFacts)).toEqual([unavailable('broken')]);
});

test('a domain that the upstream reports absent by a registry code is null', {
  tags: ['G5'],
}, async () => {
  await arm(gateway, 'code', 'getdetails', { code: 'API_2303_ERROR' });

  const { data, errors } = await gateway.query('{ domain(name: "private-demo.net") { name } }');

  expect(errors).toBeUndefined();
  expect(data).toEqual({ domain: null });
});

test('a failed getdomainlist is replaced by getdetails calls for known names', async () => {
  await arm(gateway, 'code', 'getdomainlist', { code: 'API_2000_ERROR' });
  const names = ['private-demo.net', 'a-a.com', 'a-b.com', 'a-c.com', 'unlocked-demo.com'];

  const { data, errors } = await gateway.query(
    `{ domainsByName(names: ${JSON.stringify(names)}) { name } }`,
  );

  expect(errors).toBeUndefined();
  expect(data.domainsByName).toEqual([{ name: names[0] }, null, null, null, { name: names[4] }]);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getdetails: 5 });
});
