import { afterAll, describe, expect, test } from 'vitest';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';
import { errorFacts, read } from './reads.ts';

// Replies that the sandbox never sends: each test supplies the reply of the next call.
const { gateway, replyNext, close } = await startRecordedGateway();
afterAll(() => close());

const reply = (body: object) =>
  replyNext({ status: 200, body: JSON.stringify({ result: 'OK', ...body }) });
const lost = () => replyNext({ status: 502, body: 'Bad Gateway' });

const details = (changes: object = {}) => ({
  ...{ ID: 7, Status: 'Active', DomainName: 'odd.com', AuthCode: '', LockStatus: 'TRUE' },
  ...{ PrivacyProtectionStatus: 'false', IsChildNameServer: 'false', Contacts: [], Dates: [] },
  ...{ NameServers: [], Additional: [], ChildNameServers: [], ...changes },
});
const replyDetails = (changes?: object) => reply({ data: details(changes) });
const domain = (fields: string) => gateway.query(`{ domain(name: "odd.com") { ${fields} } }`);

/** `domains` is the list of the call. */
const readListed = (domains: readonly (object | null)[], document: string) => {
  reply({ data: { Domains: domains }, TotalCount: domains.length });
  return read(gateway, document);
};

describe('a domain', () => {
  test.each([0, '', null])(
    'with the number %j has a null upstreamId',
    { tags: ['G1'] },
    async (ID) => {
      replyDetails({ ID, Contacts: { Registrant: { ID } } });

      const { data, errors } = await domain('upstreamId contacts { registrant { upstreamId } }');

      expect(errors).toBeUndefined();
      expect(data.domain).toEqual({
        ...{ upstreamId: null, contacts: { registrant: { upstreamId: null } } },
      });
    },
  );

  test.each(['12:30:00.1239999', '12:30:00.123Z', '14:30:00.123+02:00'])(
    'has the same instant for seven digits without a zone, for Z and for an offset: %s',
    { tags: ['G9'] },
    async (time) => {
      replyDetails({ Dates: { Start: `2026-07-01T${time}` } });

      expect((await domain('registeredAt expiresAt remainingDays')).data.domain).toEqual({
        ...{ registeredAt: '2026-07-01T12:30:00.123Z', expiresAt: null, remainingDays: null },
      });
    },
  );

  test('without an auth code has a null authCode, and its flags are read in any case', {
    tags: ['G10'],
  }, async () => {
    reply({ result: 'ok', data: details() });

    expect((await domain('authCode transferLocked privacyProtected')).data.domain).toEqual({
      ...{ authCode: null, transferLocked: true, privacyProtected: false },
    });
  });

  test('that differs from the requested one is an error and is not returned', async () => {
    replyDetails({ DomainName: 'other.com' });

    const { data, errors } = await domain('name authCode');

    expect(data).toEqual({ domain: null });
    expect(errors.map(errorFacts)).toMatchObject([{ path: ['domain'], code: 'UPSTREAM_PROTOCOL' }]);
  });
});

describe('the contacts', () => {
  const ada = { ID: 7, FirstName: 'Ada' };
  const fields = (role: string) => `contacts { ${role} { upstreamId firstName email } }`;
  const replyContacts = (data: object, Contacts: object = { Registrant: { ID: 504 } }) => {
    reply({ data });
    replyDetails({ Contacts });
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
    expect(errors.map(errorFacts)).toMatchObject(
      ['firstName', 'email'].map((field) => ({
        ...{ path: ['domain', 'contacts', 'registrant', field], code: 'UPSTREAM_PROTOCOL' },
        ...{ message: 'The registrar returned no registrant contact.', executed: 'NO' },
      })),
    );
  });
});

describe('a list of domains', () => {
  const page = '{ domains { coverage { complete listed } totalCount nodes { name state } } }';
  const active = { name: 'odd.com', state: 'ACTIVE' };

  test('has one domain for two rows of one name: the one that the account has', async () => {
    const deleted = details({ Status: 'Deleted', Dates: { Expiration: '2020-01-01T00:00:00' } });
    const names = ['a.com', 'b.com', 'c.com', 'd.com'];
    const others = names.map((DomainName) => details({ DomainName }));
    for (const two of [
      [details(), deleted],
      [deleted, details()],
    ]) {
      const rows = [...two, ...others];
      const { domainsByName } = await readListed(
        rows,
        `{ domainsByName(names: ${JSON.stringify(['odd.com', ...names])}) { name state } }`,
      );
      const { domains } = await readListed(rows, page);

      expect(domainsByName[0]).toEqual(active);
      expect(domains).toMatchObject({ totalCount: 5, coverage: { listed: 6, complete: true } });
      expect(domains.nodes.at(-1)).toEqual(active);
    }
  });

  test('has no row without a domain name, and is then not complete', async () => {
    const rows = [details(), details({ DomainName: '' }), null];

    expect((await readListed(rows, page)).domains).toEqual({
      ...{ coverage: { complete: false, listed: 3 }, totalCount: 1, nodes: [active] },
    });
  });
});

describe('name servers', () => {
  const hosts = ['NS1.Group.example.', ' ns1.group.example', 'ns.bücher.de', 'a_b'];
  const set = async () => {
    const { data } = await gateway.query(`mutation { setNameServers(input: {
      domain: "odd.com", nameServers: ["ns1.group.example", "ns.bücher.de", "a.example"]
    }) { nameServers errors { code } } }`);
    return data.setNameServers;
  };

  test('are found and counted in every spelling', async () => {
    const { domains, domainStats } = await readListed(
      [details({ NameServers: hosts }), details({ DomainName: 'a.com' })],
      `{ domains(filter: { nameServer: "ns.BÜCHER.de." }) { nodes { name } }
        domainStats { byNameServer { value count } } }`,
    );

    expect(domains.nodes).toEqual([{ name: 'odd.com' }]);
    expect(domainStats.byNameServer).toContainEqual({ value: 'ns1.group.example', count: 1 });
    expect(domainStats.byNameServer).toHaveLength(3);
  });

  test('in another spelling prove a change whose reply was lost', async () => {
    lost();
    replyDetails({ NameServers: ['A.EXAMPLE.', ...hosts.slice(0, 3)] });

    expect(await set()).toEqual({
      ...{ nameServers: ['a.example', 'ns1.group.example', 'ns.xn--bcher-kva.de'], errors: [] },
    });
  });

  test('that a reply leaves out are null, and prove no change', async () => {
    const without = { NameServers: undefined };
    replyDetails(without);
    expect((await domain('nameServers')).data.domain).toEqual({ nameServers: null });

    lost();
    replyDetails(without);

    expect(await set()).toEqual({ nameServers: null, errors: [{ code: 'OUTCOME_UNKNOWN' }] });
  });
});

/** A TLD of letters for each number. */
const lettersOf = (at: number) =>
  `tld${[...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

test.each([
  ['a full page of 1000 may leave some out', 1_000, [], false],
  ['a page that is not full is complete', 2, [], true],
  ['an entry that names no TLD is missing', 2, [{ id: 3, tld: '' }], false],
])('the list of TLDs is complete or not: %s', async (_what, totalCount, unnamed, complete) => {
  const sold = Array.from({ length: totalCount }, (_, at) => ({ id: at + 1, tld: lettersOf(at) }));
  reply({ data: [...sold, ...unnamed] });

  expect(await read(gateway, '{ tlds(first: 1) { complete totalCount } }')).toEqual({
    tlds: { complete, totalCount },
  });
});

describe('a reply with millions of nested levels', () => {
  const nested = `${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}`;

  test.each([
    ['in an object', '{ domain(name: "odd.com") { name } }', `{"result":"OK","data":${nested}}`],
    ['in a row of a list', '{ domains { totalCount } }', `{"result":"OK","data":[${nested}]}`],
    ['beside the rows', '{ domains { totalCount } }', `{"result":${nested},"data":[]}`],
  ])('%s is unreadable, for little CPU time', async (_where, document, body) => {
    // A read is sent again after a reply that is no JSON.
    for (let attempt = 1; attempt <= 3; attempt += 1) replyNext({ status: 200, body });
    const before = process.cpuUsage();

    const { errors } = await gateway.query(document);
    const { user, system } = process.cpuUsage(before);

    expect(errors.map(errorFacts)).toMatchObject([{ code: 'UPSTREAM_PROTOCOL', executed: 'NO' }]);
    // Microseconds of CPU time, which does not depend on other programs.
    expect(user + system).toBeLessThan(2_000_000);
  });
});
