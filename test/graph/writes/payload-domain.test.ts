import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { mutate } from './mutate.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const domain = 'unlocked-demo.com';
const nameServers = ['ns1.hosts.net', 'ns2.hosts.net'];
const writes = [
  ['setNameServers', 'modifynameserver', { domain, nameServers }],
  [
    'addChildNameServer',
    'addchildnameserver',
    { domain, nameServer: `ns1.${domain}`, ipAddress: '8.8.8.8' },
  ],
  ['disableTransferLock', 'disabletheftlock', { domain }],
  ['setPrivacyProtection', 'modifyprivacystatus', { domain, enabled: true }],
  ['syncDomain', 'syncfromregistry', { domain }],
] as const;

test.each(writes)('%s without the payload domain is one %s', async (name, action, input) => {
  await mutate(gateway, name, input);

  expect(await gateway.countCalls()).toEqual({ [action]: 1 });
});

test.each(
  writes.map(
    ([name, action, input], at) =>
      // A host that exists is refused, and then no domain is read.
      [name, action, at === 1 ? { ...input, nameServer: `ns2.${domain}` } : input] as const,
  ),
)(
  '%s with the payload domain costs one further getdetails, whatever its fields',
  async (name, action, input) => {
    const fields = `domain { id status nameServers expiresAt transferLocked authCode additional { key }
    contacts { registrant { id upstreamId role } } } again: domain { name }`;

    const it = await mutate(gateway, name, input, fields);

    expect(it.again).toEqual({ name: domain });
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  },
);

test('mutations run in order, and each payload has the domain as it is after that mutation', async () => {
  const shown = 'domain { nameServers privacyProtected transferLocked }';
  const { data, errors } = await gateway.query(`mutation {
    before: setPrivacyProtection(input: { domain: "private-demo.net", enabled: true }) { ${shown} }
    one: setNameServers(input: { domain: "private-demo.net", nameServers: ["a.hosts.net", "b.hosts.net"] }) { ${shown} }
    two: setNameServers(input: { domain: "private-demo.net", nameServers: ["b.hosts.net", "a.hosts.net"] }) { ${shown} }
    three: disableTransferLock(input: { domain: "private-demo.net" }) { ${shown} }
    four: setPrivacyProtection(input: { domain: "private-demo.net", enabled: false }) { ${shown} }
  }`);

  expect(errors).toBeUndefined();
  const old = ['ns1.example-dns.net', 'ns2.example-dns.net'];
  const [ab, ba] = [
    ['a.hosts.net', 'b.hosts.net'],
    ['b.hosts.net', 'a.hosts.net'],
  ];
  const state = (hosts: unknown, privacyProtected: boolean, transferLocked: boolean) => ({
    domain: { nameServers: hosts, privacyProtected, transferLocked },
  });
  expect(data).toEqual({
    before: state(old, true, true),
    one: state(ab, true, true),
    two: state(ba, true, true),
    three: state(ba, true, false),
    four: state(ba, false, false),
  });
  expect((await gateway.upstreamCalls()).map(({ action }) => action)).toEqual([
    'modifyprivacystatus',
    'getdetails',
    'modifynameserver',
    'getdetails',
    'modifynameserver',
    'getdetails',
    'disabletheftlock',
    'getdetails',
    'modifyprivacystatus',
    'getdetails',
  ]);
});

test('contacts are read again after a write', async () => {
  const contact = 'domain { contacts { registrant { firstName } } }';
  await gateway.query(`mutation {
    one: syncDomain(input: { domain: "${domain}" }) { ${contact} }
    two: syncDomain(input: { domain: "${domain}" }) { ${contact} }
  }`);

  expect(await gateway.countCalls()).toEqual({
    syncfromregistry: 2,
    getdetails: 2,
    getcontacts: 2,
  });
});

test('a failed read of the payload domain does not affect the result of the write', async () => {
  await gateway.admin('POST', '/faults', {
    fault: 'code',
    action: 'getdetails',
    code: '101',
    times: 9,
  });

  const response = await gateway.query(`mutation { setNameServers(input: { domain: "${domain}",
    nameServers: ["c.hosts.net", "d.hosts.net"] }) { nameServers domain { name } errors { code } } }`);
  await gateway.admin('DELETE', '/faults');

  expect(response.data.setNameServers).toEqual({
    nameServers: ['c.hosts.net', 'd.hosts.net'],
    domain: null,
    errors: [],
  });
  expect(response.errors).toMatchObject([
    {
      path: ['setNameServers', 'domain'],
      extensions: { code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' },
    },
  ]);
});
