import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { sendBeforeReading } from '../support/raw-request.ts';
import { contact, order, startTestSandbox } from './client.ts';

const sandbox = await startTestSandbox();
afterAll(() => sandbox.close());

const refusal = (Code: string) => ({
  status: 400,
  body: {
    result: 'ERROR',
    error: { Code, Message: expect.any(String), Details: expect.any(String) },
  },
});
const captured = (name: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../support/upstream/fixtures/quirks/${name}.json`, import.meta.url),
      'utf8',
    ),
  );
const raw = (method: string, body?: string, action = 'getdomainlist') =>
  sandbox.send(`/domain-api/?action=${action}`, { method, ...(body !== undefined && { body }) });

describe('the Domain API of the sandbox', () => {
  test.each([
    [{ password: 'wrong' }],
    [{ username: 'unknown' }],
    [{ username: 'demo', password: 'broke-password' }],
  ])('refuses wrong credentials with 300 before it validates the action: %j', async (login) => {
    const reply = await sandbox.act('getdetails', { domain: 'reseller-demo.com', ...login });

    expect(reply).toMatchObject({ status: 400, body: captured('getdetails.error-300') });
  });

  test.each(['renewdomain', '', 'toString', '__proto__', 'GetDetails', 'getdetails '])(
    'refuses the unknown action %j with 400, with and without credentials',
    async (action) => {
      expect(await sandbox.act(action)).toMatchObject(refusal('API_400_ERROR'));
      expect(await raw('POST', '{}', action)).toMatchObject(refusal('API_400_ERROR'));
    },
  );

  test.each(['', 'hello', '[]', 'null', '7', '{"username":', '<xml/>', 'username=demo'])(
    'handles the body %j like one without a username',
    async (body) => {
      const reply = await raw('POST', body);

      expect(reply).toMatchObject(refusal('API_400_ERROR'));
      expect(reply.body.error.Message).toBe('username is required and must be a non-empty string.');
    },
  );

  test.each([
    ['getdetails', {}, 'domain', 'a non-empty string'],
    ['getcontacts', { domain: '' }, 'domain', 'a non-empty string'],
    ['syncfromregistry', { domain: null }, 'domain', 'a non-empty string'],
    ['singlecheckavailability', { domains: [] }, 'domain', 'a non-empty string'],
    ['bulkcheckavailability', {}, 'domains', 'a non-empty array'],
    ['bulkcheckavailability', { domains: [] }, 'domains', 'a non-empty array'],
    ['bulkcheckavailability', { domains: 'a.com' }, 'domains', 'a non-empty array'],
    ['disabletheftlock', {}, 'domain', 'a non-empty string'],
    ['modifyprivacystatus', { domain: 'reseller-demo.com' }, 'status', 'a boolean'],
    ...[undefined, [], {}, 'ns1.a.com'].map(
      (nameservers) =>
        [
          'modifynameserver',
          { domain: 'reseller-demo.com', nameservers },
          'nameservers',
          'a non-empty array',
        ] as const,
    ),
    ['addchildnameserver', { domain: 'reseller-demo.com' }, 'nameServer', 'a non-empty string'],
    [
      'addchildnameserver',
      { domain: 'reseller-demo.com', nameServer: 'ns3.a.com' },
      'ipAddress',
      'a non-empty string',
    ],
    ['registerdomain', order('missing-demo.com', { period: undefined }), 'period', 'a number'],
    [
      'registerdomain',
      order('missing-demo.com', { nameservers: [] }),
      'nameservers',
      'a non-empty array',
    ],
    ['registerdomain', order('missing-demo.com', { contact: undefined }), 'contact', 'an object'],
    [
      'registerdomain',
      order('missing-demo.com', { registrant: { ...contact, EMail: undefined } }),
      'registrant.EMail',
      'a non-empty string',
    ],
    [
      'registerdomain',
      order('missing-demo.com', { registrant: { ...contact, PhoneCountryCode: 'x' } }),
      'registrant.PhoneCountryCode',
      'valid',
    ],
  ] as const)('refuses %s with %j: %s must be %s', async (action, fields, member, kind) => {
    const reply = await sandbox.act(action, fields);

    expect(reply).toMatchObject(refusal('API_400_ERROR'));
    expect(reply.body.error.Message).toBe(`${member} is required and must be ${kind}.`);
  });

  test.each([
    ['tldlist', {}],
    ['tldlist', { count: '3' }],
    ['tldlist', { count: 1.5 }],
    ['tldlist', { count: 0 }],
    ['tldlist', { count: -1 }],
    ['modifyprivacystatus', { domain: 'reseller-demo.com', status: 'true' }],
    ['modifyprivacystatus', { domain: 'reseller-demo.com', status: 0 }],
    ['registerdomain', order('lax-period.com', { period: '1' })],
    ['registerdomain', order('lax-flags.com', { eppLock: 'yes', privacyProtection: '' })],
    ['registerdomain', order('lax-hosts.com', { nameservers: { ns1: 'a.b.net', ns2: 'c.b.net' } })],
    ['transferdomain', { domain: 'outside-lax.com', authCode: 'Transfer-Code-01' }],
  ])('executes %s with members of another type, as PHP reads them: %j', async (action, fields) => {
    expect(await sandbox.act(action, fields)).toMatchObject({
      status: 200,
      body: { result: 'OK' },
    });
  });

  test.each([
    ['getdetails', { domain: ['a.com'] }],
    ['bulkcheckavailability', { domains: [['a.com']] }],
    ['bulkcheckavailability', { domains: ['a.com', null] }],
    ['modifynameserver', { domain: 'reseller-demo.com', nameservers: [{}] }],
    ['registerdomain', order('crash-demo.com', { period: {} })],
    ['modifyprivacystatus', { domain: 'reseller-demo.com', status: [] }],
  ])(
    'answers %s with %j with a page of HTML that has status 200 and the type of JSON',
    async (action, fields) => {
      const { status, headers, text } = await sandbox.act(action, fields);

      expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(text).toMatch(/^<br \/>\n<b>Fatal error<\/b>/);
    },
  );

  test('answers a bulk check with a wrong login with 200, and 300 for each name', async () => {
    const domains = ['maple-harbor.com', 'weather.com'];
    const { status, body } = await sandbox.act('bulkcheckavailability', { domains, password: 'x' });

    expect([status, body.status, Object.keys(body.availability)]).toEqual([
      200,
      'success',
      domains,
    ]);
    for (const domain of domains)
      expect(body.availability[domain]).toEqual(captured('getdetails.error-300'));
  });

  test.each(['/domain-api/?action=getdetails', '/account-api/carts', '/admin/reset'])(
    'refuses a body that is too long with 413 that every client can read: %s',
    async (path) => {
      const long = { path, headers: { 'content-type': 'application/json' } };
      const body = Buffer.alloc(10_000_000, ' ');
      const chunked = { ...long.headers, 'transfer-encoding': 'chunked' };

      for (const headers of [long.headers, chunked]) {
        const reply = await sendBeforeReading(sandbox.url, { ...long, headers, body });

        expect(reply.status).toBe('413 Payload Too Large');
        expect(JSON.parse(reply.body)).toBeTypeOf('object');
      }
    },
  );

  test('returns 404 for every path except the two APIs and the admin calls', async () => {
    for (const path of ['/', '/domain-api/x', '/account-api', '/favicon.ico']) {
      expect((await sandbox.send(path)).status, path).toBe(404);
    }
  });
});
