import { describe, expect, test } from 'vitest';
import { dataAs, startIndependent, withMembers } from './start.ts';
import type { Script } from './upstream.ts';
import type { Json } from './wire-objects.ts';

const { query, upstream, time } = await startIndependent();
upstream.registrar.add('maple-field.com');

const none = expect.toBeOneOf([null, []]);

describe('getdetails with', () => {
  const date = (text: string) => ({ Start: text, Expiration: text, RemainingDays: 0 });
  const noDates = { registeredAt: null, expiresAt: null };
  const hosts = ['ns1.host.example', 'ns2.host.example'];
  const glue = { NameServer: 'NS1.maple-field.com', IPAdresses: ['192.0.2.1', '2001:db8::1'] };
  const child = { name: 'ns1.maple-field.com', addresses: glue.IPAdresses };

  test.each<[string, object, object]>([
    ...['0001-01-01T00:00:00', '1900-01-01T00:00:00', '1970-01-01T00:00:00.0000000', ''].map(
      (text): [string, object, object] => [
        `dates ${JSON.stringify(text)}`,
        { Dates: date(text) },
        { state: 'ACTIVE', ...noDates },
      ],
    ),
    [
      'no date while it is registered',
      { Status: 'WaitingForRegistration', Dates: date('0001-01-01T00:00:00') },
      { state: 'PENDING_REGISTRATION', ...noDates },
    ],
    ['Dates null', { Dates: null }, { ...noDates, remainingDays: null }],
    [
      'RemainingDays 0 without a date',
      { Dates: { Expiration: '0001-01-01T00:00:00', RemainingDays: 0 } },
      { expiresAt: null, remainingDays: null },
    ],
    [
      'RemainingDays -5',
      { Dates: { Expiration: '2020-01-01T00:00:00', RemainingDays: -5 } },
      { remainingDays: 0 },
    ],
    ['an unknown status', { Status: 'Suspended' }, { state: 'UNKNOWN', status: 'Suspended' }],
    [
      'other types of flags and ids',
      { ID: '39', LockStatus: false, PrivacyProtectionStatus: 'TRUE' },
      { upstreamId: 39, transferLocked: false, privacyProtected: true },
    ],
    [
      'further attributes',
      { Additional: { Purpose: 'shop' } },
      { additional: [{ key: 'Purpose', value: 'shop' }] },
    ],
    [
      'repeated name servers',
      { NameServers: ['NS1.Host.Example.', ' ns1.host.example ', 'ns2.host.example'] },
      { nameServers: hosts },
    ],
    [
      'a name server in Unicode',
      { NameServers: ['ns1.BÜCHER.example', 'ns1.xn--bcher-kva.example.'] },
      { nameServers: ['ns1.xn--bcher-kva.example'] },
    ],
    ['child name servers', { ChildNameServers: [glue] }, { childNameServers: [child] }],
    [
      'one unreadable child name server',
      { ChildNameServers: [7, glue] },
      { childNameServers: [child] },
    ],
    [
      '"" for every member',
      {
        ID: '',
        Status: '',
        AuthCode: '',
        LockStatus: '',
        PrivacyProtectionStatus: '',
        IsChildNameServer: '',
        Contacts: '',
        Dates: '',
        NameServers: '',
        Additional: '',
        ChildNameServers: '',
      },
      {
        upstreamId: null,
        status: null,
        state: 'UNKNOWN',
        authCode: null,
        ...noDates,
        transferLocked: null,
        privacyProtected: null,
        isChildNameServer: null,
        remainingDays: null,
        nameServers: none,
        childNameServers: none,
        additional: none,
      },
    ],
    [
      '"" for the members of objects',
      { Dates: { Start: '', Expiration: '', RemainingDays: '' }, Contacts: { Registrant: '' } },
      { ...noDates, remainingDays: null, contacts: { registrant: { upstreamId: null } } },
    ],
  ])('%s', async (_what, members, expected) => {
    upstream.reply('getdetails', withMembers(members));

    const { data, errors } = await query(/* GraphQL */ `{ domain(name: "maple-field.com") {
      status state upstreamId registeredAt expiresAt remainingDays authCode transferLocked privacyProtected
      isChildNameServer nameServers childNameServers { name addresses } additional { key value }
      contacts { registrant { upstreamId } } } }`);

    expect(errors).toBeUndefined();
    expect(data.domain).toMatchObject(expected);
  });
});

describe('getcontacts with', () => {
  const contactsAs = (change: (contacts: Json) => unknown) =>
    dataAs(({ contacts }) => ({ contacts: change(contacts) }));
  const document = /* GraphQL */ `{ domain(name: "maple-field.com") { contacts {
    registrant { firstName } technical { firstName } } } }`;
  const readable = { firstName: 'Grace' };

  test.each<[string, Script, readonly string[]]>([
    ['no contacts', dataAs(() => ({})), ['registrant', 'technical']],
    ['an empty list', contactsAs(() => []), ['registrant', 'technical']],
    ['the registrant alone', contactsAs(({ Registrant }) => ({ Registrant })), ['technical']],
    ['null for one', contactsAs((all) => ({ ...all, Technical: null })), ['technical']],
    ['a text for one', contactsAs((all) => ({ ...all, Registrant: 'Grace' })), ['registrant']],
    ['an empty list for one', contactsAs((all) => ({ ...all, Registrant: [] })), ['registrant']],
  ])('%s: a field error for each that is missing', async (_what, script, missing) => {
    upstream.reply('getcontacts', script);

    const { data, errors } = await query(document);

    const failed = new Set(errors?.map(({ path }: { path: string[] }) => path[2]));
    expect([...failed].sort()).toEqual(missing);
    for (const role of ['registrant', 'technical']) {
      if (!missing.includes(role)) expect(data.domain.contacts[role]).toEqual(readable);
    }
  });

  test('a placeholder for a contact that the domain does not have: null', async () => {
    const { Contacts } = upstream.registrar.domains.get('maple-field.com');
    upstream.reply('getdetails', withMembers({ Contacts: { ...Contacts, Technical: { ID: 0 } } }));
    const Phone = { Phone: { Number: '', CountryCode: '' } };
    const Technical = { ID: 0, Status: null, Type: 'Contact', FirstName: '', EMail: '', Phone };
    upstream.reply(
      'getcontacts',
      contactsAs((all) => ({ ...all, Technical })),
    );

    const { data, errors } = await query(document);

    expect(errors).toBeUndefined();
    expect(data.domain.contacts).toEqual({ registrant: readable, technical: null });
  });

  test.each([
    ['905321234567', '90', ['+905321234567', null]],
    ['05321234567', '90', ['+905321234567', null]],
    ['2025550123 ext 45', '1', ['+12025550123', null]],
    ['00902125550123', '90', ['+902125550123', null]],
    ['0236384331', '39', ['+390236384331']],
    ['12', '49', [null]],
  ])(
    'the number %j and the country code %j: a true e164 or none',
    async (number, countryCode, e164) => {
      const Phone = { Phone: { Number: number, CountryCode: countryCode }, Fax: null };
      upstream.reply(
        'getcontacts',
        contactsAs((all) => ({ ...all, Registrant: { ...all.Registrant, Phone } })),
      );

      const { data, errors } = await query(
        '{ domain(name: "maple-field.com") { contacts { registrant { phone { number countryCode e164 } } } } }',
      );

      expect(errors).toBeUndefined();
      expect(data.domain.contacts.registrant.phone).toEqual({
        number,
        countryCode,
        e164: expect.toBeOneOf(e164),
      });
    },
  );
});

describe('getdomainlist with', () => {
  const listAs = (change: (row: Json) => Json[]) =>
    dataAs(({ Domains: [row] }) => ({ Domains: change(row) }));
  const gone = { Status: 'Deleted', Dates: { Start: '', Expiration: '2020-01-01T00:00:00' } };

  test.each<[string, Script, object]>([
    ['two rows of a name', listAs((row) => [row, { ...row, ...gone }]), { state: 'ACTIVE' }],
    ['the same in reverse', listAs((row) => [{ ...row, ...gone }, row]), { state: 'ACTIVE' }],
    [
      'dates that mean none',
      listAs((row) => [{ ...row, Dates: { Start: '', Expiration: '0001-01-01T00:00:00' } }]),
      { state: 'ACTIVE', expiresAt: null },
    ],
    [
      'spellings of one name server',
      listAs((row) => [{ ...row, NameServers: ['NS1.Host.Example.', 'ns1.host.example'] }]),
      { nameServers: ['ns1.host.example'] },
    ],
  ])('%s: one node', async (_what, script, expected) => {
    upstream.reply('getdomainlist', script);

    const { data, errors } = await query(/* GraphQL */ `{
      domains { nodes { name state expiresAt nameServers } }
      byHost: domains(filter: { nameServer: "ns1.host.example" }) { totalCount }
      domainStats { byState { state count } byNameServer { count } byExpiryMonth { value } } }`);

    expect(errors).toBeUndefined();
    expect(data.domains.nodes).toMatchObject([{ name: 'maple-field.com', ...expected }]);
    expect(data.byHost.totalCount).toBe(1);
    expect(data.domainStats.byState).toEqual([{ state: 'ACTIVE', count: 1 }]);
    for (const { value } of data.domainStats.byExpiryMonth) expect(value).toMatch(/^20/);
  });

  test('a TotalCount above its rows is not complete', async () => {
    upstream.reply('getdomainlist', (_fields, ordinary) => ({
      body: { ...(ordinary().body as object), TotalCount: 900 },
    }));

    const { data } = await query('{ domains { coverage { complete } nodes { name } } }');

    expect(data.domains).toEqual({
      coverage: { complete: false },
      nodes: [{ name: 'maple-field.com' }],
    });
  });
});

test.each([
  ['of empty texts', { DomainName: '', Status: '' }],
  ['of another name', { DomainName: 'other-field.com' }],
])('a record %s makes no domain of the account', async (_what, members) => {
  upstream.reply('getdetails', withMembers(members));

  const { data, errors } = await query('{ domain(name: "maple-field.com") { state } }');

  expect(data.domain).toBeNull();
  expect(errors).toMatchObject([{ path: ['domain'], extensions: { code: 'UPSTREAM_PROTOCOL' } }]);
});

test('a record of the domain in another spelling is one of the account', async () => {
  upstream.reply('getdetails', withMembers({ DomainName: 'MAPLE-Field.com.' }));

  const { data } = await query('{ domain(name: "maple-field.com") { state } }');

  expect(data.domain).toEqual({ state: 'ACTIVE' });
});

describe('name servers that cannot be read as a whole:', () => {
  const [first, second] = ['ns1.host.example', 'ns2.host.example'];
  const domainName = 'maple-field.com';

  test.each<[string, unknown, boolean]>([
    ['null', null, false],
    ['null behind one', [first, null], false],
    ['"" behind one', [first, ''], false],
    ['an object', { string: null }, false],
    ['"" for the list', '', true],
    ['an empty list', [], true],
    ['absent', undefined, true],
  ])('%s', async (what, NameServers, isReadable) => {
    upstream.reply('getdetails', withMembers({ NameServers }));
    const changes = [
      { addNameServer: 'ns3.host.example' },
      { removeNameServer: second },
      { replaceNameServer: { from: second, to: 'ns3.host.example' } },
    ];
    const items = [];
    for (const change of changes) {
      const idempotencyKey = JSON.stringify([what, change]);
      const input = { idempotencyKey, names: [domainName], expectedCount: 1, change };
      const { data } = await query(
        /* GraphQL */ `mutation ($input: ChangeDomainsInput!) {
          changeDomains(input: $input) { bulkChange { id } errors { message } } }`,
        { input },
      );
      await time.pass(2_000);
      const { id } = data.changeDomains.bulkChange;
      const job = await query(
        /* GraphQL */ `query ($id: ID!) { bulkChange(by: { id: $id }) { items(first: 1) {
          state before { nameServers } errors { message } } } }`,
        { id },
      );
      items.push(...job.data.bulkChange.items);
    }
    const { data, errors } = await query(`{ domain(name: "${domainName}") { nameServers } }`);

    const hosts = Array.isArray(NameServers) && isReadable ? NameServers : null;
    expect(data.domain.nameServers).toEqual(hosts);
    expect(errors === undefined).toBe(isReadable);
    for (const item of items) {
      expect(item).toMatchObject({
        state: 'FAILED',
        before: hosts && { nameServers: hosts },
        errors: [{ message: expect.stringContaining('name servers') }],
      });
    }
    expect(items).toHaveLength(changes.length);
    expect(upstream.counts().modifynameserver).toBeUndefined();
  });
});
