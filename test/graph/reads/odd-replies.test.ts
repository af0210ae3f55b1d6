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
  test.each([0, '', null])('with the number %j has a null upstreamId', async (ID) => {
    reply({ result: 'OK', data: details({ ID, Contacts: { Registrant: { ID } } }) });

    const { data, errors } = await domain('upstreamId contacts { registrant { upstreamId } }');

    expect(errors).toBeUndefined();
    expect(data.domain).toEqual({
      upstreamId: null,
      contacts: { registrant: { upstreamId: null } },
    });
  });

  test('has the same instant for seven digits without a zone, for Z and for an offset', async () => {
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

  test('without an auth code has a null authCode, and its flags are read in any case', async () => {
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
