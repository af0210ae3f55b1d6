import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;

describe('a sync', () => {
  test('tells the view of the registry: no ids, no code, no days, times with Z', async () => {
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
    expect(Date.parse(body.data.Dates.Expiration)).toBe(
      Date.parse(`${details.Dates.Expiration.slice(0, 23)}Z`),
    );
  });

  test('sets right a lock of which the account has lost track', async () => {
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
  ])('finds %s in the state %s', async (domain, status) => {
    expect((await sandbox.act('syncfromregistry', { domain })).body.data.Status).toBe(status);
  });
});
