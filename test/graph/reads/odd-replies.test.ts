import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, test } from 'vitest';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';
import { errorFacts, read } from './reads.ts';

// Replies that the sandbox never sends: each test supplies the reply of the next call.
const { gateway, replyNext, close } = await startRecordedGateway();
afterAll(() => close());

const reply = (body: unknown) => replyNext({ status: 200, body: JSON.stringify(body) });

const details = (changes: object) => ({
  ID: 7,
  Status: 'Active',
  DomainName: 'odd.com',
  AuthCode: '',
  LockStatus: 'TRUE',
  PrivacyProtectionStatus: 'false',
  IsChildNameServer: 'false',
  Contacts: [],
  Dates: [],
  NameServers: [],
  Additional: [],
  ChildNameServers: [],
  ...changes,
});

const offer = (changes: object) => ({
  TLD: 'com',
  DomainName: 'odd',
  Status: 'available',
  Command: 'create',
  Period: 1,
  IsFee: false,
  Price: '11.2900',
  Currency: 'USD',
  Reason: null,
  ...changes,
});

const domain = (fields: string) => gateway.query(`{ domain(name: "odd.com") { ${fields} } }`);
const fields = 'state available premium price { amount currency } status reason errorCode';
const availability = (name = 'odd.com') =>
  gateway.query(`{ availability(name: "${name}") { ${fields} } }`);

describe('a domain', () => {
  test.each([0, '', null])(
    'with the number %j has a null upstreamId',
    { tags: ['G1'] },
    async (ID) => {
      reply({ result: 'OK', data: details({ ID, Contacts: { Registrant: { ID } } }) });

      const { data, errors } = await domain('upstreamId contacts { registrant { upstreamId } }');

      expect(errors).toBeUndefined();
      expect(data.domain).toEqual({
        upstreamId: null,
        contacts: { registrant: { upstreamId: null } },
      });
    },
  );

  test('has the same instant for seven digits without a zone, for Z and for an offset', {
    tags: ['G9'],
  }, async () => {
    for (const time of ['12:30:00.1239999', '12:30:00.123Z', '14:30:00.123+02:00']) {
      reply({ result: 'OK', data: details({ Dates: { Start: `2026-07-01T${time}` } }) });
      const { data } = await domain('registeredAt expiresAt remainingDays');
      expect(data.domain).toEqual({
        registeredAt: '2026-07-01T12:30:00.123Z',
        expiresAt: null,
        remainingDays: null,
      });
    }
  });

  test('without an auth code has a null authCode, and its flags are read in any case', {
    tags: ['G10'],
  }, async () => {
    reply({ result: 'ok', data: details({}) });

    const { data } = await domain('authCode transferLocked privacyProtected');

    expect(data.domain).toEqual({ authCode: null, transferLocked: true, privacyProtected: false });
  });

  test('that differs from the requested one is an error and is not returned', async () => {
    reply({ result: 'OK', data: details({ DomainName: 'other.com' }) });

    const { data, errors } = await domain('name authCode');

    expect(data).toEqual({ domain: null });
    expect(errorFacts(errors[0])).toMatchObject({ path: ['domain'], code: 'UPSTREAM_PROTOCOL' });
  });
});

/** `domains` is the list of the next call. */
const replyList = (Domains: readonly object[], TotalCount = Domains.length) =>
  reply({ result: 'OK', data: { Domains }, TotalCount });

describe('the contacts', () => {
  const ada = { ID: 7, FirstName: 'Ada' };
  const fields = (role: string) => `contacts { ${role} { upstreamId firstName email } }`;
  const replyContacts = (data: object, ids: object = { Registrant: { ID: 504 } }) => {
    reply({ result: 'OK', data });
    reply({ result: 'OK', data: details({ Contacts: ids }) });
  };

  test.each([
    [{}],
    [{ Registrant: ada }],
    [{ contacts: [] }],
    [{ contacts: { Billing: ada } }],
    [{ contacts: { Registrant: [], Billing: ada } }],
    [{ contacts: { Registrant: null, Billing: ada } }],
  ])('of the reply %j have an error for each field of the registrant', async (data) => {
    replyContacts(data);

    const { data: read, errors } = await domain(fields('registrant'));

    expect(read.domain.contacts.registrant).toEqual({
      ...{ upstreamId: 504, firstName: null, email: null },
    });
    const fault = {
      ...{ code: 'UPSTREAM_PROTOCOL', executed: 'NO' },
      message: 'The registrar returned no registrant contact.',
    };
    const path = ['domain', 'contacts', 'registrant'];
    expect(errors.map(errorFacts)).toMatchObject([
      { ...fault, path: [...path, 'firstName'] },
      { ...fault, path: [...path, 'email'] },
    ]);
  });

  test('that are text are an error', async () => {
    replyContacts({ contacts: { Registrant: 'Ada', Billing: ada } });

    expect((await domain(fields('registrant'))).errors).toHaveLength(2);
  });

  test('of a role without a contact and without a number are null', async () => {
    replyContacts({ contacts: { Registrant: ada } }, { Registrant: { ID: 7 }, Billing: { ID: 0 } });

    const { data, errors } = await domain(fields('billing'));

    expect(errors).toBeUndefined();
    expect(data.domain.contacts).toEqual({ billing: null });
  });
});

describe('a date that means none', () => {
  const pending = (date: string | null) => ({
    ...{ Status: 'WaitingForRegistration', LockStatus: '' },
    Dates: { Start: date, Expiration: date, RemainingDays: '' },
  });

  test.each(['0001-01-01T00:00:00', '1900-01-01', '1970-01-01T00:00:00Z', '', null])(
    'is null, and no expiry: %j',
    async (date) => {
      reply({ result: 'OK', data: details(pending(date)) });
      const { data, errors } = await domain(
        'state registeredAt expiresAt remainingDays transferLocked',
      );

      expect(errors).toBeUndefined();
      expect(data.domain).toEqual({
        ...{ state: 'PENDING_REGISTRATION', registeredAt: null, expiresAt: null },
        ...{ remainingDays: null, transferLocked: null },
      });
    },
  );

  test('is in no count and in no filter', async () => {
    const list = [details(pending('0001-01-01T00:00:00'))];
    replyList(list);
    const { domainStats } = await read(
      gateway,
      '{ domainStats { byExpiryMonth { month } byState { state count } } }',
    );
    replyList(list);
    const { domains } = await read(
      gateway,
      '{ domains(filter: { expiresBefore: "2099-01-01T00:00:00Z" }) { totalCount } }',
    );

    expect(domainStats).toEqual({
      ...{ byExpiryMonth: [], byState: [{ state: 'PENDING_REGISTRATION', count: 1 }] },
    });
    expect(domains).toEqual({ totalCount: 0 });
  });
});

test('a day count below 0 is 0', async () => {
  reply({
    result: 'OK',
    data: details({ Dates: { Expiration: '2026-01-01T00:00:00', RemainingDays: -5 } }),
  });

  expect((await domain('remainingDays')).data.domain).toEqual({ remainingDays: 0 });
});

test('two rows of one name are one domain, the one that the account has', async () => {
  const deleted = details({ Status: 'Deleted', Dates: { Expiration: '2020-01-01T00:00:00' } });
  const others = ['a', 'b', 'c', 'd'].map((label) => details({ DomainName: `${label}.com` }));
  const names = JSON.stringify(['odd.com', 'a.com', 'b.com', 'c.com', 'd.com']);
  for (const two of [
    [details({}), deleted],
    [deleted, details({})],
  ]) {
    replyList([...two, ...others]);
    const { domainsByName } = await read(
      gateway,
      `{ domainsByName(names: ${names}) { name state } }`,
    );
    replyList([...two, ...others]);
    const { domains } = await read(
      gateway,
      '{ domains { totalCount upstreamCount complete nodes { name state } } }',
    );

    expect(domainsByName[0]).toEqual({ name: 'odd.com', state: 'ACTIVE' });
    expect(domains).toMatchObject({ totalCount: 5, upstreamCount: 6, complete: true });
    expect(domains.nodes.at(-1)).toEqual({ name: 'odd.com', state: 'ACTIVE' });
  }
});

describe('name servers', () => {
  const hosts = ['NS1.Group.example.', '', ' ns1.group.example', null, 'ns.bücher.de', 'a_b'];

  test('are hosts in one spelling, without blank places and repetitions', async () => {
    const glue = [{ NameServer: 'NS1.odd.com.', IPAdresses: ['8.8.8.8'] }, { ip: '1.1.1.1' }];
    reply({ result: 'OK', data: details({ NameServers: hosts, ChildNameServers: glue }) });

    const { data, errors } = await domain('nameServers childNameServers { name addresses }');

    expect(errors).toBeUndefined();
    expect(data.domain).toEqual({
      nameServers: ['ns1.group.example', 'ns.xn--bcher-kva.de', 'a_b'],
      childNameServers: [{ name: 'ns1.odd.com', addresses: ['8.8.8.8'] }],
    });
  });

  test('are found and counted in every spelling', async () => {
    const list = [details({ NameServers: hosts }), details({ DomainName: 'a.com' })];
    replyList(list);
    const { domains } = await read(
      gateway,
      '{ domains(filter: { nameServer: "ns.BÜCHER.de." }) { nodes { name } } }',
    );
    replyList(list);
    const { domainStats } = await read(gateway, '{ domainStats { byNameServer { host count } } }');

    expect(domains.nodes).toEqual([{ name: 'odd.com' }]);
    expect(domainStats.byNameServer).toContainEqual({ host: 'ns1.group.example', count: 1 });
    expect(domainStats.byNameServer).toHaveLength(3);
  });

  const set = () =>
    gateway.query(`mutation { setNameServers(input: {
      domain: "odd.com", nameServers: ["ns1.group.example", "ns.bücher.de", "a.example"]
    }) { nameServers errors { code } } }`);
  const lost = () => replyNext({ status: 502, body: 'Bad Gateway' });

  test('in another spelling prove a change whose reply was lost', async () => {
    lost();
    reply({ result: 'OK', data: details({ NameServers: ['A.EXAMPLE.', ...hosts.slice(0, 5)] }) });

    const { data } = await set();

    expect(data.setNameServers).toEqual({
      ...{ nameServers: ['a.example', 'ns1.group.example', 'ns.xn--bcher-kva.de'], errors: [] },
    });
  });

  test('that a reply leaves out are null, and prove no change', async () => {
    reply({ result: 'OK', data: details({ NameServers: undefined }) });
    expect(await domain('nameServers')).toMatchObject({ data: { domain: { nameServers: null } } });

    lost();
    reply({ result: 'OK', data: details({ NameServers: undefined }) });
    const { data } = await set();

    expect(data.setNameServers).toMatchObject({
      ...{ nameServers: null, errors: [{ code: 'OUTCOME_UNKNOWN' }] },
    });
  });
});

test('what the registry does not report is no drift', async () => {
  const account = details({
    ...{ NameServers: ['ns1.a.net'] },
    Dates: { Start: '2025-01-31T12:00:00', Expiration: '2027-01-31T12:00:00' },
  });
  for (const silent of [
    { Dates: null, NameServers: null, LockStatus: '' },
    { Dates: { Start: '0001-01-01T00:00:00', Expiration: '' }, NameServers: '' },
  ]) {
    reply({ result: 'OK', data: details(silent) });
    reply({ result: 'OK', data: account });

    const { data } = await gateway.query(`mutation { syncDomain(input: { domain: "odd.com" }) {
      registry { expiresAt nameServers } drift { field } errors { code } } }`);

    expect(data.syncDomain).toEqual({
      ...{ registry: { expiresAt: null, nameServers: null }, drift: [], errors: [] },
    });
  }
});

test('a row without a domain name is left out, and the list is not complete', async () => {
  const Domains = [details({}), details({ DomainName: '' }), null];
  reply({ result: 'OK', data: { Domains }, TotalCount: 3 });

  const { domains } = await read(
    gateway,
    '{ domains { complete upstreamCount totalCount nodes { name } } }',
  );

  expect(domains).toEqual({
    complete: false,
    upstreamCount: 3,
    totalCount: 1,
    nodes: [{ name: 'odd.com' }],
  });
});

describe('an availability reply', () => {
  const free = {
    state: 'AVAILABLE',
    available: true,
    price: { amount: '11.2900', currency: 'USD' },
  };
  const unknown = { state: 'UNKNOWN', available: false, price: null };

  test.each([
    ['has a status in upper case', { Status: ' AVAILABLE ' }, free],
    ['has no name', { DomainName: null, TLD: null }, free],
    ['has the whole name', { DomainName: 'Odd.COM', TLD: 'com' }, free],
    ['has a status with a blank', { Status: 'Not Available' }, { state: 'TAKEN', price: null }],
    ['is about another name', { DomainName: 'other' }, unknown],
    ['has an unknown status', { Status: 'maybe' }, unknown],
    ['has no status', { Status: null }, unknown],
    ['has no price', { Price: '' }, { state: 'AVAILABLE', price: null }],
    ['costs nothing', { Price: '0.0000' }, { price: { amount: '0.0000', currency: 'USD' } }],
  ])('that %s', async (_what, changes, expected) => {
    reply([offer(changes)]);

    const { data, errors } = await availability();

    expect(errors).toBeUndefined();
    expect(data.availability).toMatchObject(expected);
  });

  test('for an IDN can have its Unicode name', async () => {
    reply([offer({ DomainName: 'BÜCHER', TLD: 'com' })]);

    expect((await availability('xn--bcher-kva.com')).data.availability).toMatchObject(free);
  });

  test('without a premium flag is UNKNOWN, and `premium` is null with an error', async () => {
    reply([offer({ IsFee: null })]);

    const { data, errors } = await availability();

    expect(data.availability).toMatchObject({ ...unknown, premium: null });
    expect(errors.map(errorFacts)).toMatchObject([
      { path: ['availability', 'premium'], code: 'UPSTREAM_PROTOCOL' },
    ]);
  });

  test('with an unreadable price fails the price only', async () => {
    reply([offer({ Price: 'eleven' })]);

    const { data, errors } = await availability();

    expect(data.availability).toMatchObject({ state: 'AVAILABLE', price: null, errorCode: null });
    expect(errors.map(errorFacts)).toMatchObject([
      { path: ['availability', 'price'], code: 'UPSTREAM_PROTOCOL' },
    ]);
  });
});

/** A TLD of letters for each number. */
const lettersOf = (at: number) =>
  `tld${[...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

test.each([
  ['a full page of 1000 may leave some out', 1_000, [], false],
  ['a page that is not full is complete', 2, [], true],
  ['an entry that names no TLD is missing', 2, [{ id: 3, tld: '' }], false],
])(
  'the list of TLDs reports whether it is complete: %s',
  async (_what, count, unnamed, complete) => {
    const sold = Array.from({ length: count }, (_, at) => ({ id: at + 1, tld: lettersOf(at) }));
    reply({ result: 'OK', data: [...sold, ...unnamed] });

    const { tlds } = await read(gateway, '{ tlds(first: 1) { complete totalCount } }');

    expect(tlds).toEqual({ complete, totalCount: count });
  },
);

describe('a reply with millions of nested levels', () => {
  const nested = `${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}`;

  test.each([
    ['in an object', '{ domain(name: "odd.com") { name } }', `{"result":"OK","data":${nested}}`],
    ['in a row of a list', '{ domains { totalCount } }', `{"result":"OK","data":[${nested}]}`],
    ['beside the rows', '{ domains { totalCount } }', `{"result":${nested},"data":[]}`],
  ])('%s is unreadable and delays no other request', async (_where, document, body) => {
    // A read is sent again after a reply that is no JSON.
    for (let attempt = 1; attempt <= 3; attempt += 1) replyNext({ status: 200, body });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();

    const { errors } = await gateway.query(document);
    delay.disable();

    expect(errors.map(errorFacts)).toMatchObject([{ code: 'UPSTREAM_PROTOCOL', executed: 'NO' }]);
    expect(delay.max / 1e6).toBeLessThan(1_000);
  });
});
