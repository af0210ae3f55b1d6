import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;

describe('a sync of the sandbox', () => {
  test('returns the data of the registry: no ids, no auth code, no days left, times with Z', async () => {
    const { body } = await sandbox.act('syncfromregistry', { domain: 'reseller-demo.com' });

    expect(body.result).toBe('OK');
    expect(body.data).toMatchObject({
      ID: 0,
      Status: 'clientTransferProhibited',
      AuthCode: '',
      LockStatus: 'true',
      Contacts: { Registrant: { ID: 0 }, Billing: { ID: 0 } },
      Dates: {
        Start: expect.stringMatching(zoned),
        Expiration: expect.stringMatching(zoned),
        RemainingDays: 0,
      },
    });
    const details = await sandbox.details('reseller-demo.com');
    const startedMs = Date.parse(`${details.Dates.Start.slice(0, 23)}Z`);
    expect(startedMs - Date.parse(body.data.Dates.Start)).toBe(3_000);
    expect(Date.parse(body.data.Dates.Expiration)).toBe(
      Date.parse(`${details.Dates.Expiration.slice(0, 23)}Z`),
    );
  });

  test('returns privacy "false" for a protected domain, whose account has "true"', async () => {
    const { data } = (await sandbox.act('syncfromregistry', { domain: 'private-demo.net' })).body;

    expect(data.PrivacyProtectionStatus).toBe('false');
    expect((await sandbox.details('private-demo.net')).PrivacyProtectionStatus).toBe('true');
  });

  test('does not change the account where the two differ permanently', async () => {
    const before = await sandbox.details('two-views-demo.com');

    const { data } = (await sandbox.act('syncfromregistry', { domain: 'two-views-demo.com' })).body;

    expect(data).toMatchObject({ Status: 'clientTransferProhibited', LockStatus: 'true' });
    expect(await sandbox.details('two-views-demo.com')).toEqual(before);
    expect(before).toMatchObject({ Status: 'Active', LockStatus: 'false' });
  });

  test('corrects an outdated lock of the account', async () => {
    expect((await sandbox.details('drifted-demo.com')).LockStatus).toBe('false');

    const { data } = (await sandbox.act('syncfromregistry', { domain: 'drifted-demo.com' })).body;

    expect(data).toMatchObject({ Status: 'clientTransferProhibited', LockStatus: 'true' });
    expect(await sandbox.details('drifted-demo.com')).toMatchObject({
      Status: 'Active',
      LockStatus: 'true',
    });
  });

  test.each([
    ['unlocked-demo.com', 'ok'],
    ['grace-demo.com', 'autoRenewPeriod'],
    ['hold-demo.com', 'clientHold'],
    ['redemption-demo.com', 'redemptionPeriod'],
    ['restoring-demo.org', 'pendingRestore'],
    ['pending-demo.com', 'pendingCreate'],
    ['arriving-demo.com', 'pendingTransfer'],
    ['held-demo.com', 'clientUpdateProhibited'],
  ])('returns %s in the state %s', async (domain, status) => {
    expect((await sandbox.act('syncfromregistry', { domain })).body.data.Status).toBe(status);
  });
});
