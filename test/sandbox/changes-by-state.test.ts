import { describe, expect, test } from 'vitest';
import type { NewDomain } from '../../sandbox/service/store.ts';
import { startedAt, useTestService } from './service.ts';

const sandbox = useTestService();

const domain = 'unlocked-demo.com';
/** Puts the domain into a state in which time changes nothing. */
const put = (changes: Partial<NewDomain>) => sandbox.change(domain, { nextAt: null, ...changes });
const hosts = (count: number) => Array.from({ length: count }, (_, at) => `ns${at}.dns.net`);
const changes = {
  modifynameserver: { nameservers: hosts(2) },
  addchildnameserver: { nameServer: `ns1.${domain}`, ipAddress: '9.9.9.9' },
  disabletheftlock: {},
  modifyprivacystatus: { status: true },
};
/** The answers to the four changes. */
const answers = () =>
  Object.entries(changes).map(([action, fields]) => sandbox.code(action, { domain, ...fields }));
const all = (code: string | null) => Object.keys(changes).map(() => code);

describe('a change of a domain', () => {
  test.each([
    'Active',
    'active',
    'PendingHold',
    'WaitingForDocument',
    'ConfirmationEmailSend',
    'ModificationPending',
    'ModificationFailed',
    'MigrationPending',
    'SynchronizationBlocked',
    'TimeOut',
    'InCase',
    'None',
  ])('is executed in the state %s', (status) => {
    put({ status });

    expect(answers()).toEqual(all(null));
  });

  test.each([
    'PendingDelete',
    'PendingRestore',
    'Deleted',
    'TransferredOut',
    'WaitingForIncomingTransfer',
    'WaitingForOutgoingTransfer',
    'TransferRejectedFromOpposed',
    'TransferCancelledFromClient',
    'WaitingForRegistration',
    'PreRegistiration',
    'PreRegistirationFail',
  ])('is refused with 2304 and changes nothing in the state %s', (status) => {
    put({ status, locked: true });
    const before = sandbox.details(domain);

    expect(answers()).toEqual(all('API_2304_ERROR'));
    expect(sandbox.details(domain)).toEqual(before);
    const { error } = sandbox.act('disabletheftlock', { domain });
    expect(error.Details).toBe(`Object status prohibits operation; ${status}  `);
  });

  test('of another account is refused with 510', () => {
    for (const action of ['modifynameserver', 'disabletheftlock', 'modifyprivacystatus'] as const) {
      const fields = { domain: 'others-demo.com', ...changes[action] };
      expect(sandbox.code(action, fields), action).toBe('API_510_ERROR');
    }
  });

  test('of privacy returns the new state, and {} for a name that selects it', () => {
    sandbox.register('terse-maple.com');
    const set = (name: string, status: boolean) => {
      const body = sandbox.act('modifyprivacystatus', { domain: name, status });
      expect(sandbox.details(name).PrivacyProtectionStatus).toBe(String(status));
      return body;
    };

    for (const status of [true, false]) {
      const data = { PrivacyProtectionStatus: status };
      expect(set(domain, status)).toEqual({ result: 'OK', data });
      expect(set('terse-maple.com', status)).toEqual({});
    }
  });

  test.each([
    ['clientUpdateProhibited', true],
    ['serverUpdateProhibited', true],
    ['pendingUpdate', true],
    ['redemptionPeriod', true],
    ['clientTransferProhibited', false],
    ['serverHold', false],
    ['addPeriod', false],
    ['ok', false],
  ])('under the status %s of the registry is refused: %s', (registryStatus, isRefused) => {
    put({ registryStatus });

    expect(answers()).toEqual(all(isRefused ? 'API_2304_ERROR' : null));
    if (!isRefused) return;
    const { error } = sandbox.act('disabletheftlock', { domain });
    expect(error.Details).toBe(`Object status prohibits operation; ${registryStatus}  `);
  });
});

describe('a sync', () => {
  test.each([
    [null, 'Active', true, 'clientTransferProhibited', 'true'],
    [null, 'Active', false, 'ok', 'false'],
    [null, 'PendingRestore', true, 'pendingRestore', 'true'],
    [null, 'WaitingForOutgoingTransfer', false, 'pendingTransfer', 'false'],
    [null, 'WaitingForIncomingTransfer', false, 'pendingTransfer', 'false'],
    [null, 'WaitingForRegistration', false, 'pendingCreate', 'false'],
    ['ok', 'Active', true, 'ok', 'false'],
    ['clientTransferProhibited', 'Active', false, 'clientTransferProhibited', 'true'],
    ['serverTransferProhibited', 'Active', false, 'serverTransferProhibited', 'true'],
    ['serverHold', 'Active', true, 'serverHold', 'true'],
    ['serverHold', 'Active', false, 'serverHold', 'false'],
  ])(
    'of a domain with the registry status %s, the state %s and the lock %s returns %s and the lock %s',
    (registryStatus, status, locked, Status, LockStatus) => {
      put({ registryStatus, status, locked });

      const { data } = sandbox.act('syncfromregistry', { domain });

      expect(data).toMatchObject({ Status, LockStatus });
      expect(sandbox.details(domain)).toMatchObject({ Status: status, LockStatus });
    },
  );

  test('does not change the account where the two differ permanently', () => {
    const before = sandbox.details('two-views-demo.com');

    const { data } = sandbox.act('syncfromregistry', { domain: 'two-views-demo.com' });

    expect(data).toMatchObject({ Status: 'clientTransferProhibited', LockStatus: 'true' });
    expect(sandbox.details('two-views-demo.com')).toEqual(before);
    expect(before).toMatchObject({ Status: 'Active', LockStatus: 'false' });
  });

  test('returns inactive for a domain without name servers or a lock', () => {
    put({ nameServers: [] });

    expect(sandbox.act('syncfromregistry', { domain }).data).toMatchObject({
      Status: 'inactive',
      NameServers: [],
    });
  });

  test('returns no ids, no code and no remaining days, and the data of the registry', () => {
    put({ privacy: true, startAt: startedAt, expiresAt: startedAt + 86_400_000 });

    expect(sandbox.act('syncfromregistry', { domain })).toEqual({
      result: 'OK',
      data: {
        ID: 0,
        Status: 'ok',
        DomainName: domain,
        AuthCode: '',
        LockStatus: 'false',
        PrivacyProtectionStatus: 'false',
        IsChildNameServer: 'false',
        Contacts: {
          Billing: { ID: 0 },
          Technical: { ID: 0 },
          Administrative: { ID: 0 },
          Registrant: { ID: 0 },
        },
        Dates: {
          Start: '2026-03-01T11:59:57.000Z',
          Expiration: '2026-03-02T12:00:00.000Z',
          RemainingDays: 0,
        },
        NameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
        Additional: [],
        ChildNameServers: [],
      },
    });
  });
});

describe('the removal of the lock', () => {
  test.each([
    ['clientTransferProhibited', 'ok', 'false'],
    ['serverTransferProhibited', 'serverTransferProhibited', 'true'],
    ['serverHold', 'serverHold', 'false'],
    [null, 'ok', 'false'],
  ])(
    'under the registry status %s leads to %s with the lock %s',
    (registryStatus, Status, lock) => {
      put({ registryStatus, locked: true });

      expect(sandbox.act('disabletheftlock', { domain })).toEqual({
        ...{ result: 'OK', data: { LockStatus: false } },
      });

      expect(sandbox.details(domain).LockStatus).toBe('false');
      const { data } = sandbox.act('syncfromregistry', { domain });
      expect(data).toMatchObject({ Status, LockStatus: lock });
    },
  );
});

describe('name servers', () => {
  test.each([
    ['unlocked-demo.com', 1, null],
    ['unlocked-demo.com', 13, null],
    ['unlocked-demo.com', 14, 'API_560_ERROR'],
    ['country-name-demo.co.uk', 1, 'API_560_ERROR'],
    ['country-name-demo.co.uk', 2, null],
    ['country-name-demo.co.uk', 10, null],
    ['country-name-demo.co.uk', 11, 'API_560_ERROR'],
  ])('of %s in the number %i are answered with %s', (name, count, code) => {
    const before = sandbox.details(name).NameServers;

    expect(sandbox.code('modifynameserver', { domain: name, nameservers: hosts(count) })).toBe(
      code,
    );
    expect(sandbox.details(name).NameServers).toEqual(code ? before : hosts(count));
  });

  test.each([
    { ns1: 'a.dns.net', ns2: 'B.dns.net.', ns3: 'b.dns.net', ns4: '', ns10: 'd.dns.net' },
    { first: 'a.dns.net', second: 'b.dns.net', another: 'd.dns.net' },
    ['a.dns.net', 'b.dns.net', 'd.dns.net'],
  ])('are accepted as %j in its order, without duplicates and with any keys', (nameservers) => {
    const NameServers = ['a.dns.net', 'b.dns.net', 'd.dns.net'];

    expect(sandbox.act('modifynameserver', { domain, nameservers })).toEqual({
      ...{ result: 'OK', data: { NameServers } },
    });
    expect(sandbox.details(domain).NameServers).toEqual(NameServers);
  });

  test.each([{ ns1: 'a b.net' }, { ns1: 7 }])('are not %j', (nameservers) => {
    expect(sandbox.code('modifynameserver', { domain, nameservers })).toBe('API_2005_ERROR');
  });

  test('skip blank texts, and are none when all are blank', () => {
    const set = (nameservers: string[]) => sandbox.act('modifynameserver', { domain, nameservers });

    expect(set([' ', 'a.dns.net', '']).data.NameServers).toEqual(['a.dns.net']);
    expect(set([' ', '']).error.Code).toBe('API_561_ERROR');
  });

  test('under the domain need an address of their own', () => {
    const set = (...nameservers: string[]) =>
      sandbox.code('modifynameserver', { domain, nameservers });
    sandbox.act('addchildnameserver', { domain, ...changes.addchildnameserver });

    expect(set(`ns1.${domain}`)).toBeNull();
    expect(set(`ns1.${domain}`, `ns2.${domain}`)).toBe('API_2303_ERROR');
    expect(set(domain)).toBe('API_2303_ERROR');
    expect(set(`ns1.not-${domain}`)).toBeNull();
  });
});

const reserved =
  `127.11.0.4 10.0.0.1 192.168.1.1 172.16.0.1 169.254.1.1 224.0.0.1 0.0.0.0 255.255.255.255 240.0.0.1
100.64.0.1 ::1 :: fe80::1 fc00::1 ff02::1 ::ffff:9.9.9.9 2001:db8::1 2001:db8:1::1`.split(/\s+/);

describe('a child name server', () => {
  const add = (ipAddress: string) =>
    sandbox.act('addchildnameserver', { domain, nameServer: `NS1.${domain}`, ipAddress });

  test('is added once, with one address, which the refusal of another address names', () => {
    expect(add('127.11.0.4').error.Details).toBe(
      'Parameter value range error; (127.11.0.4) is not a valid, public ip  ',
    );
    expect(add('2620:fe::fe')).toEqual({
      ...{ result: 'OK', data: { NameServer: `ns1.${domain}`, IPAdresses: ['2620:fe::fe'] } },
    });
    expect(add('9.9.9.10').error.Code).toBe('API_2302_ERROR');
    expect(sandbox.details(domain).IsChildNameServer).toBe('true');
  });

  test.each<[string, string | null]>([
    ['9.9.9.9', null],
    ['172.15.255.255', null],
    ['172.32.0.0', null],
    ['223.255.255.255', null],
    [' 9.9.9.9 ', null],
    ['2000::1', null],
    ['3fff:ffff::1', null],
    ['2001:db7::1', null],
    ['4000::1', 'API_2004_ERROR'],
    ['1fff::1', 'API_2004_ERROR'],
    ...reserved.map((ip): [string, string] => [ip, 'API_2004_ERROR']),
    ['9.9.9.9.9', 'API_2005_ERROR'],
    ['localhost', 'API_2005_ERROR'],
    ['2620:fe::fe%eth0', 'API_2005_ERROR'],
  ])('with the address %s is answered with %s', (ipAddress, code) => {
    expect(
      sandbox.code('addchildnameserver', { domain, nameServer: `ns1.${domain}`, ipAddress }),
    ).toBe(code);
    expect(sandbox.details(domain).ChildNameServers).toEqual(
      code ? [] : [{ ns: `ns1.${domain}`, ip: ipAddress.trim() }],
    );
  });

  test('with a delay appears exactly after five seconds', () => {
    const delayed = 'delayed-glue-demo.com';
    const fields = { domain: delayed, nameServer: `ns1.${delayed}`, ipAddress: '9.9.9.9' };
    const seen = () => {
      const { IsChildNameServer, ChildNameServers } = sandbox.details(delayed);
      return [IsChildNameServer, ChildNameServers.length];
    };
    expect(sandbox.code('addchildnameserver', fields)).toBeNull();
    expect(sandbox.code('addchildnameserver', fields)).toBe('API_2302_ERROR');

    sandbox.advance(4_999);
    expect(seen()).toEqual(['false', 0]);
    sandbox.advance(1);
    expect(seen()).toEqual(['true', 1]);
  });

  test.each([
    ['ns1.others-demo.com', 'others-demo.com', 'API_2303_ERROR'],
    [`ns1.not-${domain}`, domain, 'API_2303_ERROR'],
    [domain, domain, 'API_2303_ERROR'],
    ['ns1.-bad.com', domain, 'API_2005_ERROR'],
    ['ns1.redemption-demo.com', 'redemption-demo.com', 'API_2304_ERROR'],
  ])('%s of %s is refused with %s', (nameServer, parent, code) => {
    const fields = { domain: parent, nameServer, ipAddress: '9.9.9.9' };

    expect(sandbox.code('addchildnameserver', fields)).toBe(code);
  });
});
