import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { errors, mutate, rowOf } from './mutate.ts';

// A write gets three times this long before a hanging service is given up.
const gateway = await startTestGateway({ sandboxDomains: 60, env: { UPSTREAM_TIMEOUT_MS: '600' } });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const domain = 'unlocked-demo.com';
const writes = [
  ['setNameServers', 'modifynameserver', { domain, nameServers: ['a.hosts.net', 'b.hosts.net'] }],
  [
    'addChildNameServer',
    'addchildnameserver',
    { domain, nameServer: `ns1.${domain}`, ipAddress: '8.8.8.8' },
  ],
  ['disableTransferLock', 'disabletheftlock', { domain }],
  ['setPrivacyProtection', 'modifyprivacystatus', { domain, enabled: true }],
  ['syncDomain', 'syncfromregistry', { domain }],
  [
    'createCart',
    'POST /carts',
    { items: [{ description: 'x', quantity: '1', unitPrice: '1', productType: 'y' }] },
  ],
  ['updateHostingGroup', 'PATCH /hosting/group/{id}', { id: 'hg_demo_1', name: 'New' }],
  ['deleteHostingGroup', 'DELETE /hosting/group', { confirm: true }],
  ['deleteLogs', 'DELETE /logs', { confirm: true }],
] as const;

const arm = (action: string, fault: string) => gateway.admin('POST', '/faults', { fault, action });
const answerOf = (name: string, input: object) =>
  mutate(gateway, name, input, '').then((it) => it.errors);

/** The reply of a deletion of logs has no body to cut off; the sandbox takes a synchronisation for a read. */
const passesBy = (fault: string, name: string) =>
  `${fault} ${name}` === 'cut deleteLogs' || `${fault} ${name}` === 'lost-answer syncDomain';

const faults = [
  ['gateway', 'UPSTREAM_UNAVAILABLE'],
  ['cut', 'UPSTREAM_PROTOCOL'],
  ['busy', 'RATE_LIMITED'],
  ['reset', 'UPSTREAM_UNAVAILABLE'],
  ['lost-answer', 'UPSTREAM_UNAVAILABLE'],
] as const;

/** A second one would make a second cart, or remove another group. */
const unrepeatable = ['createCart', 'deleteHostingGroup'];

describe.each(faults)('%s: nobody knows whether it was done', (fault, code) => {
  const met = writes.filter(([name]) => !passesBy(fault, name));

  test.each(met)('%s says so, and %s was sent once', async (name, action, input) => {
    await arm(action, fault);

    const told = await answerOf(name, input);

    const retryable = !unrepeatable.includes(name);
    expect(told).toMatchObject([
      { __typename: 'UpstreamUnavailable', code, path: [], executed: 'UNKNOWN', retryable },
    ]);
    expect(await gateway.countCalls()).toEqual({ [action]: 1 });
  });
});

test('a service that hangs is given up after three times the time of a read, and was asked once', async () => {
  for (const [, action] of writes) await arm(action, 'hang');

  const told = await Promise.all(writes.map(([name, , input]) => answerOf(name, input)));

  for (const problems of told) {
    expect(problems).toMatchObject([
      { __typename: 'UpstreamUnavailable', code: 'UPSTREAM_TIMEOUT', executed: 'UNKNOWN' },
    ]);
  }
  expect(await gateway.countCalls()).toEqual(
    Object.fromEntries(writes.map(([, action]) => [action, 1])),
  );
});

test('what a lost answer hid is seen by reading', async () => {
  await arm('modifynameserver', 'lost-answer');
  const nameServers = ['seen.hosts.net', 'later.hosts.net'];

  const told = await answerOf('setNameServers', { domain, nameServers });
  const { data } = await gateway.query(`{ domain(name: "${domain}") { nameServers } }`);

  expect(told).toMatchObject([{ executed: 'UNKNOWN' }]);
  expect(data.domain.nameServers).toEqual(nameServers);
  expect((await rowOf(gateway, domain)).nameServers).toEqual(nameServers);
});

test('a service that asks to wait says for how long', async () => {
  await gateway.admin('POST', '/faults', { fault: 'busy', action: 'syncfromregistry', ms: 7_000 });

  const { data } = await gateway.query(`mutation { syncDomain(input: { domain: "${domain}" }) {
    errors { code ... on UpstreamUnavailable { retryAfterMs } } } }`);

  expect(data.syncDomain.errors).toEqual([{ code: 'RATE_LIMITED', retryAfterMs: 7_000 }]);
});

test('the other mutations of the document still answer', async () => {
  await arm('modifynameserver', 'gateway');

  const { data, errors: beside } = await gateway.query(`mutation {
    one: setPrivacyProtection(input: { domain: "${domain}", enabled: true }) { privacyProtected ${errors} }
    two: setNameServers(input: { domain: "${domain}", nameServers: ["e.hosts.net", "f.hosts.net"] }) { domain { name } ${errors} }
    three: setPrivacyProtection(input: { domain: "${domain}", enabled: false }) { privacyProtected ${errors} }
  }`);

  expect(beside).toBeUndefined();
  expect(data).toMatchObject({
    one: { privacyProtected: true, errors: [] },
    two: { domain: null, errors: [{ code: 'UPSTREAM_UNAVAILABLE', executed: 'UNKNOWN' }] },
    three: { privacyProtected: false, errors: [] },
  });
});

test.each(['html', 'wrongtypes', 'maps'])(
  'a reply spoilt by %s is still a success',
  async (fault) => {
    for (const [, action] of writes.slice(0, 5)) await arm(action, fault);
    const child = { ...writes[1][2], nameServer: `${fault}.${domain}` };

    for (const [name, , input] of writes.slice(0, 5)) {
      expect(await answerOf(name, name === 'addChildNameServer' ? child : input)).toEqual([]);
    }
  },
);
