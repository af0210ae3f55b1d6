import { describe, expect, test } from 'vitest';
import { answerAdmin } from '../../sandbox/admin.ts';
import { parseDomainCall } from '../../sandbox/domain-api/parse-call.ts';
import { JsonPieces, textOf } from '../../sandbox/service/http.ts';
import { contact, order } from './client.ts';
import { createTestService, useTestService } from './service.ts';

const sandbox = useTestService({ domains: 3 });

const login = { username: 'demo', password: 'demo-password' };
const parse = (action: string, body: unknown, method = 'POST') =>
  parseDomainCall(sandbox.service, method, action, body === null ? null : JSON.stringify(body));
const failure = (status: number, Code: string, Message: unknown, Details: unknown) => ({
  status,
  body: { result: 'ERROR', error: { Code, Message, Details } },
});
const fewHosts = order('maple.co.uk', { nameservers: ['a.dns.net'] });
const badContact = order('maple.com', { contact: { ...contact, EMail: 'none' } });
const sentence = (code: string, text: string) => failure(400, code, text, text);

describe('a Domain API call', () => {
  test.each([
    ['getdetails', { domain: ' a.com ' }, { domain: 'a.com', domains: undefined, writes: false }],
    ['getdetails', { domain: 7 }, { domain: undefined, writes: false }],
    ['bulkcheckavailability', { domains: ['a.com', 7, ''] }, { domains: ['a.com', ''] }],
    ['bulkcheckavailability', { domains: 'a.com' }, { domains: undefined }],
    ['unknown', {}, { writes: false }],
  ])('%s with %j is about %j', (action, fields, expected) => {
    expect(parse(action, fields)).toMatchObject({ action, ...expected });
  });

  test.each([
    ['getcontacts', false],
    ['getdetails', false],
    ['getdomainlist', false],
    ['registerdomain', true],
    ['singlecheckavailability', false],
    ['bulkcheckavailability', false],
    ['transferdomain', true],
    ['modifynameserver', true],
    ['addchildnameserver', true],
    ['disabletheftlock', true],
    ['modifyprivacystatus', true],
    ['tldlist', false],
    ['syncfromregistry', true],
    ['resellerdetails', false],
  ])('%s writes: %s', (action, writes) => {
    expect(parse(action, {})).toMatchObject({ writes, username: undefined });
    expect(parse(action, login)).toMatchObject({ username: 'demo' });
  });

  test('is refused for its method, then its length, its action, its login and its fields', () => {
    expect(parse('unknown', null, 'PUT').run()).toEqual({
      ...failure(405, 'API_405_ERROR', 'Use POST, not PUT.', 'Use POST, not PUT.'),
      headers: { allow: 'POST' },
    });
    expect(parse('unknown', null).run()).toEqual({
      ...failure(413, 'API_400_ERROR', expect.any(String), expect.any(String)),
      headers: { connection: 'close' },
    });
    expect(parse('unknown', {}).run()).toMatchObject(
      sentence('API_400_ERROR', 'The action is not known.'),
    );
    const answer = (body: object) => parse('getdetails', body).run();
    const required = (field: string) =>
      sentence('API_400_ERROR', `${field} is required and must be a non-empty string.`);
    expect(answer({})).toMatchObject(required('username'));
    expect(answer({ username: '' })).toMatchObject(required('username'));
    expect(answer({ username: 7 })).toMatchObject(required('username'));
    expect(answer({ username: 'demo', password: '' })).toMatchObject(required('password'));
    const unknown = failure(400, 'API_300_ERROR', 'Failed', 'Reseller not found!');
    for (const wrong of [{ password: 'demo' }, { username: 'other' }, { username: 'Demo' }])
      expect(answer({ ...login, ...wrong })).toMatchObject(unknown);
    expect(answer(login)).toMatchObject(required('domain'));
  });

  test.each([
    ['101', 'API_101_ERROR'],
    ['API_101_ERROR', 'API_101_ERROR'],
    ['UNKNOWN_ERROR', 'UNKNOWN_ERROR'],
    ['CURL_28', 'CURL_28'],
    ['28x', '28x'],
  ])('fails with the code %s as %s', (code, Code) => {
    expect(parse('getdetails', {}).failure(code)).toEqual(
      failure(400, Code, 'Failed', 'No additional details'),
    );
  });

  test.each([
    ['getdetails', { domain: 'a-maple.com' }, 'API_510_ERROR', 'Domain not found.'],
    ['registerdomain', order('maple.tr'), 'API_330_ERROR', /registrant data/],
    ['registerdomain', order('weather.com'), 'API_2302_ERROR', 'Object exists  '],
    ['registerdomain', order('nic.com'), 'API_2304_ERROR', /reserved name {2}$/],
    ['registerdomain', order('exclusive.com'), 'API_362_ERROR', /Premium/],
    ['registerdomain', order('maple.de', { period: 2 }), 'API_530_ERROR', /1 and 1 years/],
    ['registerdomain', order('maple.dev', { nameservers: [''] }), 'API_561_ERROR', /server/],
    [
      'registerdomain',
      order('maple-own.com', { nameservers: ['ns1.maple-own.com'] }),
      'API_2003_ERROR',
      /ns1\.maple-own\.com has no address {2}$/,
    ],
    [
      'singlecheckavailability',
      { domain: 'maple.nosuchtld' },
      'API_320_ERROR',
      /^TLD not found\.$/,
    ],
    ['registerdomain', fewHosts, 'API_560_ERROR', /^Name server count must be between 2 and 10\.$/],
    ['registerdomain', order('maple.com', { period: 11 }), 'API_540_ERROR', /1 and 10 years/],
    ['registerdomain', order('q.com'), 'API_550_ERROR', /between 2 and 63 characters/],
    ['registerdomain', badContact, 'API_400_ERROR', /^Contact EMail is not valid {2}$/],
  ])('%s with %j is refused with %s and %s', (action, fields, Code, details) => {
    const { status, body } = parse(action, { ...login, ...fields }).run();

    expect(status).toBe(400);
    expect(body).toMatchObject({ result: 'ERROR', error: { Code, Message: 'Failed' } });
    const { Details } = (body as { error: { Details: string } }).error;
    expect(Details).toMatch(details);
  });
});

describe('a list of domains', () => {
  const list = (options: object, username = 'demo') => {
    const { service, act } = createTestService(options);
    const body = act('getdomainlist', {}, username);
    const isPieces = body instanceof JsonPieces;
    const { data, ...rest } = JSON.parse(textOf({ status: 200, body }));
    const first = act('getdetails', { domain: data.Domains[0].DomainName }, username).data;
    service.close();
    const ids: number[] = data.Domains.map(({ ID }: { ID: number }) => ID);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(new Set(ids).size).toBe(ids.length);
    expect(data.Domains[0]).toEqual(first);
    return { count: ids.length, isPieces, ...rest };
  };

  test.each([
    [{ domains: 199 }, 199, 199],
    [{ domains: 200 }, 200, 200],
    [{ domains: 201 }, 200, 201],
    [{ domains: 201, listSize: 0 }, 201, 201],
    [{ domains: 201, listSize: 150 }, 150, 201],
    [{ domains: 201, listSize: 1 }, 1, 201],
    [{}, 200, 60],
  ])('of %j has %i rows and the count %i', (options, rows, TotalCount) => {
    const count = Math.min(rows, TotalCount);

    expect(list(options)).toEqual({ count, isPieces: false, result: 'OK', TotalCount });
  });

  test('of more than 1,000 rows is sent in pieces with the same members', () => {
    const [whole, pieces] = [1_000, 1_001].map((domains) => list({ domains, listSize: 0 }));

    expect(whole).toEqual({ count: 1_000, isPieces: false, result: 'OK', TotalCount: 1_000 });
    expect(pieces).toEqual({ count: 1_001, isPieces: true, result: 'OK', TotalCount: 1_001 });
    expect(list({ domains: 1_001, listSize: 1_000 }).isPieces).toBe(false);
  });
});

describe('the admin API', () => {
  const admin = async (method: string, path: string, body: unknown = {}, query = '') =>
    answerAdmin(sandbox.service, {
      method,
      path: `/admin${path}`,
      query: new URLSearchParams(query),
      type: 'application/json',
      body: body === null ? null : JSON.stringify(body),
    });
  const set = async (now: string) => (await admin('POST', '/clock', { now })).status;

  test('moves the clock to an instant, by milliseconds or by days, from 1970 to 9899', {
    tags: ['R14'],
  }, async () => {
    const clock = async (move: object) => (await admin('POST', '/clock', move)).body;

    expect(await clock({ now: '2030-01-01T00:00:00Z' })).toMatchObject({
      now: '2030-01-01T00:00:00.000Z',
    });
    expect(await clock({ advanceMs: 7 })).toMatchObject({ now: '2030-01-01T00:00:00.007Z' });
    expect(await clock({ advanceDays: 1.5 })).toMatchObject({ now: '2030-01-02T12:00:00.007Z' });
    expect(await clock({ advanceMs: -7 })).toMatchObject({ now: '2030-01-02T12:00:00.000Z' });
    expect((await admin('GET', '/clock')).body).toMatchObject({ now: '2030-01-02T12:00:00.000Z' });
    expect([await set('1970-01-01T00:00:00.000Z'), await set('1969-12-31T23:59:59.999Z')]).toEqual([
      200, 400,
    ]);
    expect([await set('9900-01-01T00:00:00.000Z'), await set('9900-01-01T00:00:00.001Z')]).toEqual([
      200, 400,
    ]);
    await admin('POST', '/reset');
    expect((await admin('GET', '/clock')).body).toMatchObject({ now: '2026-03-01T12:00:00.000Z' });
  });

  test('returns the state of an account, after the changes that are due', async () => {
    const fields = { authCode: 'Transfer-Code-01', period: 1 };
    sandbox.act('transferdomain', { domain: 'reject-maple.com', ...fields });
    sandbox.advance(5 * 86_400_000);

    expect((await admin('GET', '/state')).body).toEqual({
      reseller: 'demo',
      balances: [
        { balance: '2500.0000', currency: 'USD', symbol: '$' },
        { balance: '60000.0000', currency: 'TL', symbol: 'TL' },
      ],
      domains: 4,
      purchases: [
        expect.objectContaining({ kind: 'transfer', balanceAfter: '2489.4100' }),
        expect.objectContaining({ kind: 'refund', balanceAfter: '2500.0000' }),
      ],
    });
    expect((await admin('GET', '/state', {}, 'reseller=broke')).body).toMatchObject({ domains: 2 });
    expect((await admin('GET', '/state', {}, 'reseller=')).status).toBe(400);
    sandbox.act('transferdomain', { domain: 'cancel-maple.com', ...fields });
    sandbox.advance(5 * 86_400_000);
    expect((await admin('GET', '/domain', {}, 'name=Cancel-Maple.com')).body).toMatchObject([
      { reseller: 1, status: 'TransferCancelledFromClient' },
    ]);
  });

  test('replaces the latency by the sent members, and others by zero', async () => {
    const latency = { perCallMs: 1, spreadMs: 2, perNameMs: 3, purchaseMs: 4 };
    const none = { perCallMs: 0, spreadMs: 0, perNameMs: 0, purchaseMs: 0 };

    expect((await admin('POST', '/latency', latency)).body).toEqual(latency);
    expect((await admin('POST', '/latency', { perNameMs: 5 })).body).toEqual({
      ...none,
      perNameMs: 5,
    });
    expect((await admin('POST', '/latency', { perCallMs: -1 })).status).toBe(400);
    expect((await admin('GET', '/latency')).body).toEqual({ ...none, perNameMs: 5 });
    await admin('POST', '/reset');
    expect((await admin('GET', '/latency')).body).toEqual(none);
  });

  test('refuses a body that is too long or no object, and answers nothing with {}', async () => {
    expect((await admin('POST', '/reset', null)).status).toBe(413);
    expect((await admin('POST', '/reset', [])).status).toBe(400);
    expect(await admin('DELETE', '/faults', {})).toEqual({ status: 200, body: {} });
    expect((await admin('GET', '/toString')).status).toBe(404);
    expect((await admin('GET', '/domain', {}, 'name=a b')).status).toBe(400);
  });

  test('holds the last 10,000 to 20,000 calls', () => {
    const { calls } = sandbox.service;
    for (let at = 0; at < 20_000; at += 1) calls.add(parse(`call-${at}`, {}));
    expect(calls.list()).toHaveLength(20_000);

    calls.add(parse('last', login));

    expect(calls.list()).toHaveLength(10_001);
    expect(calls.list()[0]).toMatchObject({ action: 'call-10000' });
    expect(calls.list().at(-1)).toEqual({
      action: 'last',
      reseller: 'demo',
      at: '2026-03-01T12:00:00.000Z',
      status: null,
    });
  });
});
