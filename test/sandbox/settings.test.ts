import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.close());

const setHosts = (domain: string, nameservers: object) =>
  sandbox.act('modifynameserver', { domain, nameservers });
const addHost = (nameServer: string, ipAddress: string, domain = 'unlocked-demo.com') =>
  sandbox.act('addchildnameserver', { domain, nameServer, ipAddress });
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`ns${at + 1}`, `ns${at}.dns.net`]));

describe('name servers of the sandbox', () => {
  test.each([
    { ns1: 'a.dns.net', ns2: 'B.dns.net.', ns3: 'b.dns.net', ns4: '', ns10: 'd.dns.net' },
    { first: 'a.dns.net', second: 'b.dns.net', another: 'd.dns.net' },
    ['a.dns.net', 'b.dns.net', 'd.dns.net'],
  ])('accept %j in its order, without duplicates and with any keys', async (wish) => {
    const { body } = await setHosts('unlocked-demo.com', wish);

    const NameServers = ['a.dns.net', 'b.dns.net', 'd.dns.net'];
    expect(body).toEqual({ result: 'OK', data: { NameServers } });
    expect((await sandbox.details('unlocked-demo.com')).NameServers).toEqual(NameServers);
  });

  test.each([
    ['unlocked-demo.com', {}, 'API_400_ERROR'],
    ['unlocked-demo.com', many(14), 'API_560_ERROR'],
    ['country-name-demo.co.uk', many(1), 'API_560_ERROR'],
    ['unlocked-demo.com', { ns1: 'a b.net' }, 'API_2005_ERROR'],
    ['unlocked-demo.com', { ns1: 'ns1.unlocked-demo.com' }, 'API_2303_ERROR'],
    ['unlocked-demo.com', [], 'API_400_ERROR'],
    ['unlocked-demo.com', ['', ' '], 'API_561_ERROR'],
    ['unlocked-demo.com', { ns1: 7 }, 'API_2005_ERROR'],
    ['held-demo.com', many(2), 'API_2304_ERROR'],
    ['redemption-demo.com', many(2), 'API_2304_ERROR'],
    ['arriving-demo.com', many(2), 'API_2304_ERROR'],
    ['others-demo.com', many(2), 'API_510_ERROR'],
  ])('refuse %s with %j with %s', async (domain, nameservers, code) => {
    const before = await sandbox.details(domain);

    expect((await setHosts(domain, nameservers)).body.error.Code).toBe(code);
    expect(await sandbox.details(domain)).toEqual(before);
  });

  test('can be changed in the grace period', async () => {
    expect((await setHosts('grace-demo.com', many(2))).status).toBe(200);
    expect((await setHosts('hold-demo.com', many(2))).status).toBe(200);
  });
});

describe('child name servers of the sandbox', () => {
  test('are added with an address, appear in the details and can then be delegated to', async () => {
    expect((await addHost('NS1.Unlocked-Demo.com', '9.9.9.9')).body).toEqual({
      result: 'OK',
      data: { NameServer: 'ns1.unlocked-demo.com', IPAdresses: ['9.9.9.9'] },
    });
    expect((await addHost('ns2.unlocked-demo.com', '2620:fe::fe')).status).toBe(200);

    expect(await sandbox.details('unlocked-demo.com')).toMatchObject({
      IsChildNameServer: 'true',
      ChildNameServers: [
        { ns: 'ns1.unlocked-demo.com', ip: '9.9.9.9' },
        { ns: 'ns2.unlocked-demo.com', ip: '2620:fe::fe' },
      ],
    });
    const wish = { ns1: 'ns1.unlocked-demo.com', ns2: 'ns2.unlocked-demo.com' };
    expect((await setHosts('unlocked-demo.com', wish)).status).toBe(200);
    expect((await addHost('ns1.unlocked-demo.com', '9.9.9.10')).body.error.Code).toBe(
      'API_2302_ERROR',
    );
  });

  test('appear in the details after five seconds under delayed glue, and exist before', async () => {
    const add = () => addHost('ns1.delayed-glue-demo.com', '9.9.9.9', 'delayed-glue-demo.com');
    const glue = async () => {
      const { IsChildNameServer, ChildNameServers } =
        await sandbox.details('delayed-glue-demo.com');
      return [IsChildNameServer, ChildNameServers];
    };
    expect((await add()).status).toBe(200);

    expect(await glue()).toEqual(['false', []]);
    expect((await add()).body.error.Code).toBe('API_2302_ERROR');
    await sandbox.admin('POST', '/clock', { advanceMs: 5_000 });

    expect(await glue()).toEqual(['true', [{ ns: 'ns1.delayed-glue-demo.com', ip: '9.9.9.9' }]]);
  });

  test.each([
    '127.11.0.4',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '169.254.1.1',
    '224.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:9.9.9.9',
    '2001:db8::1',
  ])('refuse the address %s, which is not public, with 2004', async (ip) => {
    const { error } = (await addHost('ns1.unlocked-demo.com', ip)).body;

    expect(error.Code).toBe('API_2004_ERROR');
    expect(error.Details).toBe(`Parameter value range error; (${ip}) is not a valid, public ip  `);
  });

  test.each([
    ['ns1.unlocked-demo.com', '9.9.9', 'unlocked-demo.com', 'API_2005_ERROR'],
    ['ns1.unlocked-demo.com', 'localhost', 'unlocked-demo.com', 'API_2005_ERROR'],
    ['ns1.unlocked-demo.com', '2620:fe::fe%eth0', 'unlocked-demo.com', 'API_2005_ERROR'],
    ['ns1.elsewhere.com', '9.9.9.9', 'unlocked-demo.com', 'API_2303_ERROR'],
    ['unlocked-demo.com', '9.9.9.9', 'unlocked-demo.com', 'API_2303_ERROR'],
    ['ns1.others-demo.com', '9.9.9.9', 'others-demo.com', 'API_2303_ERROR'],
    ['ns1.redemption-demo.com', '9.9.9.9', 'redemption-demo.com', 'API_2304_ERROR'],
    ['ns1.-bad.com', '9.9.9.9', 'unlocked-demo.com', 'API_2005_ERROR'],
  ])('refuse %s at %s under %s with %s', async (host, ip, domain, code) => {
    expect((await addHost(host, ip, domain)).body.error.Code).toBe(code);
  });
});

describe('lock and privacy of the sandbox', () => {
  test('return a boolean when the lock is removed', async () => {
    const { body } = await sandbox.act('disabletheftlock', { domain: 'reseller-demo.com' });

    expect(body).toEqual({ result: 'OK', data: { LockStatus: false } });
    expect((await sandbox.details('reseller-demo.com')).LockStatus).toBe('false');
    const sync = await sandbox.act('syncfromregistry', { domain: 'reseller-demo.com' });
    expect(sync.body.data).toMatchObject({ Status: 'ok', LockStatus: 'false' });
  });

  test('return the state of privacy, and {} for a name that selects it', async () => {
    await sandbox.act('registerdomain', order('terse-maple.com'));
    const replies = async (domain: string, status: boolean) => {
      const { body } = await sandbox.act('modifyprivacystatus', { domain, status });
      expect((await sandbox.details(domain)).PrivacyProtectionStatus).toBe(String(status));
      return body;
    };

    for (const status of [true, false]) {
      expect(await replies('reseller-demo.com', status)).toEqual({
        ...{ result: 'OK', data: { PrivacyProtectionStatus: status } },
      });
      expect(await replies('terse-maple.com', status)).toEqual({});
    }
  });

  test.each([
    ['held-demo.com', 'API_2304_ERROR'],
    ['gone-demo.com', 'API_2304_ERROR'],
    ['not-registered.com', 'API_510_ERROR'],
  ])('refuse both changes of %s with %s', async (domain, code) => {
    expect(await sandbox.code('disabletheftlock', { domain })).toBe(code);
    expect(await sandbox.code('modifyprivacystatus', { domain, status: true })).toBe(code);
  });
});
