import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { mutate, type Problem, rowOf } from './mutate.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const child = 'childNameServer { name addresses }';
const add = (domain: string, nameServer: string, ipAddress: string, fields = child) =>
  mutate(gateway, 'addChildNameServer', { domain, nameServer, ipAddress }, fields);

test.each([
  ['ns1.unlocked-demo.com', '8.8.8.8'],
  ['ns6.unlocked-demo.com', '2606:4700:4700::1111'],
  ['deep.down.unlocked-demo.com', ' 9.9.9.9 '],
])('%s with %j stands in the sandbox after one call', async (name, ipAddress) => {
  const it = await add('unlocked-demo.com', name.toUpperCase(), ipAddress);

  const address = ipAddress.trim();
  expect(it).toEqual({ childNameServer: { name, addresses: [address] }, errors: [] });
  expect((await rowOf(gateway, 'unlocked-demo.com')).glue).toContainEqual({
    ns: name,
    ip: address,
  });
  expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1 });
});

test('the domain read after it lists the host and says that it has one', async () => {
  const it = await add(
    'private-demo.net',
    'ns1.private-demo.net',
    '1.1.1.1',
    'domain { isChildNameServer childNameServers { name addresses } }',
  );

  expect(it.domain).toEqual({
    isChildNameServer: true,
    childNameServers: [{ name: 'ns1.private-demo.net', addresses: ['1.1.1.1'] }],
  });
  expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
});

test('a host under an internationalised domain is found in either spelling', async () => {
  const it = await add('bücher-demo.de', 'ns1.xn--bcher-demo-9db.de', '1.0.0.1');

  expect(it).toMatchObject({ childNameServer: { name: 'ns1.xn--bcher-demo-9db.de' }, errors: [] });
});

test('the same host again is ALREADY_EXISTS, and the first address stays', async () => {
  await add('lowercase-demo.org', 'ns1.lowercase-demo.org', '1.1.1.1');

  const it = await add('lowercase-demo.org', 'ns1.lowercase-demo.org', '1.0.0.1');

  expect(it).toMatchObject({
    childNameServer: null,
    errors: [{ __typename: 'DomainNotAvailable', code: 'ALREADY_EXISTS', executed: 'NO' }],
  });
  expect((await rowOf(gateway, 'lowercase-demo.org')).glue).toEqual([
    { ns: 'ns1.lowercase-demo.org', ip: '1.1.1.1' },
  ]);
});

describe('refused before any call', () => {
  test.each([
    ['private', '10.0.0.1'],
    ['private', '192.168.1.1'],
    ['private', '172.31.255.254'],
    ['shared', '100.64.0.1'],
    ['loopback', '127.11.0.4'],
    ['unspecified', '0.0.0.0'],
    ['link-local', '169.254.169.254'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['documentation', '192.0.2.1'],
    ['documentation', '203.0.113.9'],
    ['benchmark', '198.18.0.1'],
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['relay', '192.88.99.1'],
    ['Teredo', '2001::1'],
    ['6to4', '2002:808:808::1'],
    ['mapped', '::ffff:8.8.8.8'],
    ['with a zone', '2606:4700::1111%eth0'],
    ['malformed', '8.8.8'],
    ['malformed', '8.8.8.8/32'],
    ['malformed', '08.8.8.8'],
    ['malformed', '256.1.1.1'],
    ['malformed', '2606::4700::1'],
    ['malformed', 'ns1.example.com'],
    ['malformed', ''],
  ])('a %s address: %j', async (_what, ipAddress) => {
    const it = await add('unlocked-demo.com', 'ns2.unlocked-demo.com', ipAddress);

    expect(it.childNameServer).toBeNull();
    expect(it.errors).toMatchObject([
      { __typename: 'InvalidInput', path: ['input', 'ipAddress'], executed: 'NO' },
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });

  test.each(['unlocked-demo.com', 'ns1.other-demo.com', 'ns1.notunlocked-demo.com', 'com.tr'])(
    'a host that is not under its domain: %s',
    async (nameServer) => {
      const it = await add('unlocked-demo.com', nameServer, '8.8.8.8');

      expect(it.errors).toMatchObject([
        { __typename: 'InvalidInput', path: ['input', 'nameServer'], executed: 'NO' },
      ]);
      expect(await gateway.countCalls()).toEqual({});
    },
  );

  test('a wrong host and a wrong address are told at once', async () => {
    const { errors } = await add('unlocked-demo.com', 'unlocked-demo.com', '127.0.0.1');

    expect(errors.map(({ path }: Problem) => path)).toEqual([
      ['input', 'nameServer'],
      ['input', 'ipAddress'],
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });
});

test.each([
  ['others-demo.com', 'NOT_FOUND'],
  ['nobody-has-this.com', 'NOT_FOUND'],
  ['redemption-demo.com', 'LOCKED'],
])('a host under %s is %s', async (domain, code) => {
  const it = await add(domain, `ns1.${domain}`, '8.8.8.8');

  expect(it).toMatchObject({ childNameServer: null, errors: [{ code, executed: 'NO' }] });
  expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1 });
});
