import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { mutate, rowOf } from './mutate.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const drift = 'registryStatus drift { field account registry }';
const sync = (domain: string, fields: string) => mutate(gateway, 'syncDomain', { domain }, fields);

test('the registry status alone costs one call', async () => {
  const it = await sync('reseller-demo.com', 'registryStatus');

  expect(it).toEqual({ registryStatus: 'clientTransferProhibited', errors: [] });
  expect(await gateway.countCalls()).toEqual({ syncfromregistry: 1 });
});

test('drift and domain together cost one read, not two', async () => {
  const it = await sync('unlocked-demo.com', `${drift} domain { name status }`);

  expect(it.domain).toEqual({ name: 'unlocked-demo.com', status: 'Active' });
  expect(await gateway.countCalls()).toEqual({ syncfromregistry: 1, getdetails: 1 });
});

test('a lock that the account had lost track of is set right by it', async () => {
  expect(await rowOf(gateway, 'drifted-demo.com')).toMatchObject({ locked: false });

  const it = await sync('drifted-demo.com', `${drift} domain { transferLocked }`);

  expect(it).toEqual({
    registryStatus: 'clientTransferProhibited',
    drift: [],
    domain: { transferLocked: true },
    errors: [],
  });
  expect(await rowOf(gateway, 'drifted-demo.com')).toMatchObject({ locked: true });
});

describe('a domain on which both agree has no drift', () => {
  test.each([
    ['unlocked-demo.com', 'ok'],
    ['lowercase-demo.org', 'clientTransferProhibited'],
    ['private-demo.net', 'clientTransferProhibited'],
    ['hostless-demo.com', 'clientTransferProhibited'],
    ['xn--bcher-demo-9db.de', 'ok'],
    ['grace-demo.com', 'autoRenewPeriod'],
    ['redemption-demo.com', 'redemptionPeriod'],
    ['restoring-demo.org', 'pendingRestore'],
    ['leaving-demo.com', 'pendingTransfer'],
    ['pending-demo.com', 'pendingCreate'],
  ])('%s: %s', async (domain, registryStatus) => {
    expect(await sync(domain, drift)).toEqual({ registryStatus, drift: [], errors: [] });
  });
});

test.each([
  ['held-demo.com', 'Active', 'clientUpdateProhibited'],
  ['hold-demo.com', 'PendingHold', 'clientHold'],
  ['modifying-demo.com', 'ModificationPending', 'clientTransferProhibited'],
  ['unheard-of-demo.com', 'SomethingNobodyHasSeen', 'clientTransferProhibited'],
])('%s drifts: the account says %s, the registry %s', async (domain, account, registry) => {
  expect(await sync(domain, drift)).toEqual({
    registryStatus: registry,
    drift: [{ field: 'status', account, registry }],
    errors: [],
  });
});

test('an internationalised domain may be written as people write it', async () => {
  expect(await sync('BÜCHER-demo.de', 'domain { unicodeName }')).toEqual({
    domain: { unicodeName: 'bücher-demo.de' },
    errors: [],
  });
});

test.each(['others-demo.com', 'nobody-has-this.com'])(
  '%s, which is not in the account, is NOT_FOUND after one call',
  async (domain) => {
    const it = await sync(domain, `${drift} domain { name }`);

    expect(it).toMatchObject({ registryStatus: null, drift: null, domain: null });
    expect(it.errors).toMatchObject([
      { __typename: 'NotFound', code: 'NOT_FOUND', executed: 'NO', retryable: false },
    ]);
    expect(await gateway.countCalls()).toEqual({ syncfromregistry: 1 });
  },
);
