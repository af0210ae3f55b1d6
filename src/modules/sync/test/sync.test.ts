import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { documentOf, mutate, rowOf } from '../../../../test/graph/writes/mutate.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const values = 'before { text } after { text transferLocked }';
const differences = `registry { status } changes { field ${values} } drift { field ${values} }`;
const none = { changes: [], drift: [], errors: [] };
const pathsOf = (errors: readonly { readonly path: readonly string[] }[]) =>
  errors.map(({ path }) => path.join('.'));
const sync = (domain: string, fields: string) => mutate(gateway, 'syncDomain', { domain }, fields);
const arm = (action: string, fault: string, more: object = {}) =>
  gateway.admin('POST', '/faults', { fault, action, ...more });

test('a sync without differences costs one call', async () => {
  const it = await sync('reseller-demo.com', 'registry { status }');

  expect(it).toEqual({ registry: { status: 'clientTransferProhibited' }, errors: [] });
  expect(await gateway.countCalls()).toEqual({ syncfromregistry: 1 });
});

test('drift and payload domain share one read after the sync', async () => {
  const it = await sync('unlocked-demo.com', 'drift { field } domain { name status }');

  expect(it.domain).toEqual({ name: 'unlocked-demo.com', status: 'Active' });
  expect(await gateway.countCalls()).toEqual({ syncfromregistry: 1, getdetails: 1 });
});

test('changes cost a further read before the sync', async () => {
  await sync('unlocked-demo.com', `${differences} domain { name }`);

  expect((await gateway.upstreamCalls()).map(({ action }) => action)).toEqual([
    'getdetails',
    'syncfromregistry',
    'getdetails',
  ]);
});

test('a lock that the sync corrects is a change and no drift', async () => {
  expect(await rowOf(gateway, 'drifted-demo.com')).toMatchObject({ locked: false });

  const it = await sync('drifted-demo.com', `${differences} domain { transferLocked }`);

  expect(it).toEqual({
    ...{ ...none, registry: { status: 'clientTransferProhibited' } },
    changes: [
      {
        field: 'transferLocked',
        before: { text: 'false' },
        after: { text: 'true', transferLocked: true },
      },
    ],
    domain: { transferLocked: true },
  });
  expect(await rowOf(gateway, 'drifted-demo.com')).toMatchObject({ locked: true });
});

test('a difference that remains after the sync is drift and no change', async () => {
  expect(await sync('two-views-demo.com', differences)).toEqual({
    ...{ ...none, registry: { status: 'clientTransferProhibited' } },
    drift: [
      {
        field: 'transferLocked',
        before: { text: 'false' },
        after: { text: 'true', transferLocked: true },
      },
    ],
  });
});

test('dates, lock and name servers of the registry are returned without a difference', async () => {
  const view = 'registeredAt expiresAt transferLocked nameServers';

  const { domain, registry, drift } = await sync(
    'reseller-demo.com',
    `domain { ${view} } registry { ${view} } drift { field }`,
  );

  expect(drift).toEqual([]);
  expect(registry).toMatchObject({
    expiresAt: domain.expiresAt,
    transferLocked: true,
    nameServers: ['ns1.reseller-demo.com', 'ns2.reseller-demo.com'],
  });
  expect(Date.parse(domain.registeredAt) - Date.parse(registry.registeredAt)).toBe(3_000);
});

// All pairs of statuses are in `src/modules/sync/service.test.ts`.
test.each([
  ['unlocked-demo.com', 'ok'],
  ['private-demo.net', 'clientTransferProhibited'],
  ['xn--bcher-demo-9db.de', 'ok'],
  ['grace-demo.com', 'autoRenewPeriod'],
  ['hold-demo.com', 'clientHold'],
  ['redemption-demo.com', 'redemptionPeriod'],
  ['restoring-demo.org', 'pendingRestore'],
  ['arriving-demo.com', 'pendingTransfer'],
  ['leaving-demo.com', 'pendingTransfer'],
  ['pending-demo.com', 'pendingCreate'],
])('the status of %s is equivalent to %s at the registry, and no drift', async (domain, status) => {
  expect(await sync(domain, differences)).toEqual({ ...none, registry: { status } });
});

test.each([
  ['held-demo.com', 'Active', 'clientUpdateProhibited'],
  ['modifying-demo.com', 'ModificationPending', 'clientTransferProhibited'],
  ['unheard-of-demo.com', 'SomethingNobodyHasSeen', 'clientTransferProhibited'],
])('%s has drift: %s in the account and %s at the registry', async (domain, account, status) => {
  const after = { text: status, transferLocked: null };
  const drift = [{ field: 'status', before: { text: account }, after }];

  expect(await sync(domain, differences)).toEqual({ ...none, registry: { status }, drift });
});

test('a value that cannot be read is an error of its field and no drift', async () => {
  await arm('syncfromregistry', 'wrongtypes');

  const { data, errors } = await gateway.query(
    documentOf('syncDomain', 'registry { status nameServers } drift { field }'),
    { input: { domain: 'unlocked-demo.com' } },
  );

  expect(data.it).toMatchObject({
    registry: { status: '7', nameServers: null },
    drift: [{ field: 'status' }],
  });
  expect(pathsOf(errors)).toEqual(['it.registry.nameServers']);
});

test.each([
  ['before', 0, ['it.changes'], []],
  ['after', 1, ['it.changes', 'it.drift'], null],
])(
  'a failed read %s the sync fails the fields that need it, and not the sync',
  async (_when, after, paths, drift) => {
    // Three, because a read is retried.
    await arm('getdetails', 'code', { code: 'API_2400_ERROR', after, times: after ? 9 : 3 });

    const { data, errors } = await gateway.query(documentOf('syncDomain', differences), {
      input: { domain: 'unlocked-demo.com' },
    });

    expect(data.it).toEqual({ registry: { status: 'ok' }, changes: null, drift, errors: [] });
    expect(pathsOf(errors).sort()).toEqual(paths);
    expect(await gateway.countCalls()).toMatchObject({ syncfromregistry: 1 });
  },
);

test('a reply about another domain, or about none, has an unknown outcome', async () => {
  const recorded = await startRecordedGateway();
  onTestFinished(() => recorded.close());
  const input = { domain: 'unlocked-demo.com' };
  for (const DomainName of ['reseller-demo.com', '']) {
    const data = { DomainName, Status: 'ok' };
    recorded.replyNext({ status: 200, body: JSON.stringify({ result: 'OK', data }) });

    const it = await mutate(recorded.gateway, 'syncDomain', input, 'registry { status }');

    expect(it).toMatchObject({
      registry: null,
      errors: [{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN', retryable: true }],
    });
  }
});

test('an internationalised domain can be written in Unicode', async () => {
  expect(await sync('BÜCHER-demo.de', 'domain { unicodeName }')).toEqual({
    domain: { unicodeName: 'bücher-demo.de' },
    errors: [],
  });
});

test('a sync with its changes of a domain outside the account is NOT_FOUND, before it is sent', async () => {
  expect(await sync('not-registered.com', `${differences} domain { name }`)).toMatchObject({
    ...{ registry: null, drift: null, domain: null },
    errors: [{ __typename: 'PlainError', code: 'NOT_FOUND', executed: 'NO', retryable: false }],
  });
  expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
});
