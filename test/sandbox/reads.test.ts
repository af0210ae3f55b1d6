import { afterAll, describe, expect, test } from 'vitest';
import { startTestSandbox } from './client.ts';

const sandbox = await startTestSandbox();
afterAll(() => sandbox.close());

const noZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+$/;

describe('reads of the sandbox', () => {
  test('return flags as text, ids as numbers and times without a zone', async () => {
    const { status, body } = await sandbox.act('getdetails', { domain: ' Reseller-Demo.COM. ' });

    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'OK',
      data: {
        ID: expect.any(Number),
        Status: 'Active',
        DomainName: 'reseller-demo.com',
        AuthCode: expect.stringMatching(/^.{16}$/),
        LockStatus: 'true',
        PrivacyProtectionStatus: 'false',
        IsChildNameServer: 'true',
        Contacts: {
          Billing: { ID: expect.any(Number) },
          Technical: { ID: expect.any(Number) },
          Administrative: { ID: expect.any(Number) },
          Registrant: { ID: expect.any(Number) },
        },
        Dates: {
          Start: expect.stringMatching(noZone),
          Expiration: expect.stringMatching(noZone),
          RemainingDays: 400,
        },
        NameServers: ['ns1.reseller-demo.com', 'ns2.reseller-demo.com'],
        Additional: [],
        ChildNameServers: [
          { ns: 'ns1.reseller-demo.com', ip: '192.5.6.30' },
          { ns: 'ns2.reseller-demo.com', ip: '2001:503:a83e::2:30' },
        ],
      },
    });
  });

  test('return zero days left for an expired domain, and additional data as a map', async () => {
    expect((await sandbox.details('grace-demo.com')).Dates.RemainingDays).toBe(0);
    expect((await sandbox.details('additional-demo.com.tr')).Additional).toEqual({
      TrabisDomainCategory: '0',
      TrabisCitizenId: '10000000146',
    });
    expect((await sandbox.details('no-address-demo.com')).ChildNameServers[0].ip).toEqual([]);
  });

  test.each(['getdetails', 'getcontacts', 'syncfromregistry'])(
    'refuse %s of a domain of another account with 510, and of an invalid name with 2005',
    async (action) => {
      expect(await sandbox.code(action, { domain: 'others-demo.com' })).toBe('API_510_ERROR');
      expect(await sandbox.code(action, { domain: 'not-registered.com' })).toBe('API_510_ERROR');
      expect(await sandbox.code(action, { domain: '-bad-.com' })).toBe('API_2005_ERROR');
    },
  );

  test('return the type of a contact by its role, not by the person', async () => {
    const { body } = await sandbox.act('getcontacts', { domain: 'reseller-demo.com' });

    const { contacts } = body.data;
    expect(contacts.Administrative).toMatchObject({
      Status: null,
      Additional: [],
      Address: { Line1: '1 Example Street', Line3: '', Country: 'GB' },
      Phone: { Phone: { Number: '2079460101', CountryCode: '44' }, Fax: { Number: '' } },
      AuthCode: '',
      Type: 'Contact',
    });
    expect(contacts.Technical).toEqual({ ...contacts.Administrative, Type: 'CoopContact' });
    expect(contacts.Registrant).toEqual({ ...contacts.Administrative, Type: 'EuContact' });
    expect(contacts.Billing.Type).toBe('UkContact');
  });
});
