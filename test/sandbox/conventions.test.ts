import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact, order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
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
    readFileSync(new URL(`../upstream/fixtures/quirks/${name}.json`, import.meta.url), 'utf8'),
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

  test.each([
    ['getdetails', { domain: 'not-registered.com' }, 'API_510_ERROR', 'Domain not found.'],
    ['singlecheckavailability', { domain: 'maple.nosuchtld' }, 'API_320_ERROR', 'TLD not found.'],
    [
      'modifynameserver',
      { domain: 'country-name-demo.co.uk', nameservers: { ns1: 'a.dns.net' } },
      'API_560_ERROR',
      'Name server count must be between 2 and 10.',
    ],
    [
      'registerdomain',
      order('period-demo.com', { period: 11 }),
      'API_540_ERROR',
      'Period must be between 1 and 10 years.',
    ],
    ['registerdomain', order('q.com'), 'API_550_ERROR', expect.stringContaining('characters.')],
    [
      'registerdomain',
      order('contact-demo.com', { contact: { ...contact, EMail: 'none' } }),
      'API_400_ERROR',
      'Contact EMail is not valid  ',
    ],
  ])(
    'answers %s with %j with the message "Failed" and the reason in the details: %s',
    async (action, fields, Code, Details) => {
      const { body } = await sandbox.act(action, fields);

      expect(body).toEqual({ result: 'ERROR', error: { Code, Message: 'Failed', Details } });
    },
  );

  test.each(['renewdomain', '', 'toString', '__proto__', 'GetDetails', 'getdetails '])(
    'refuses the unknown action %j with 400, with and without credentials',
    async (action) => {
      expect(await sandbox.act(action)).toMatchObject(refusal('API_400_ERROR'));
      expect(await raw('POST', '{}', action)).toMatchObject(refusal('API_400_ERROR'));
    },
  );

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s with 405', async (method) => {
    const reply = await raw(method);

    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('POST');
    expect(reply.body.error.Code).toBe('API_405_ERROR');
  });

  test.each(['', 'hello', '[]', 'null', '7', '{"username":', '<xml/>', 'username=demo'])(
    'handles the body %j like one without a username',
    async (body) => {
      const reply = await raw('POST', body);

      expect(reply).toMatchObject(refusal('API_400_ERROR'));
      expect(reply.body.error.Message).toBe('The username field is required.');
    },
  );

  test.each([
    ['getdetails', {}, 'domain'],
    ['getcontacts', { domain: '' }, 'domain'],
    ['syncfromregistry', { domain: null }, 'domain'],
    ['singlecheckavailability', { domains: [] }, 'domain'],
    ['bulkcheckavailability', {}, 'domains'],
    ['bulkcheckavailability', { domains: [] }, 'domains'],
    ['tldlist', {}, 'count'],
    ['disabletheftlock', {}, 'domain'],
    ['modifyprivacystatus', { domain: 'reseller-demo.com' }, 'status'],
    ['modifynameserver', { domain: 'reseller-demo.com' }, 'nameservers'],
    ['addchildnameserver', { domain: 'reseller-demo.com', ipAddress: '9.9.9.9' }, 'nameServer'],
    ['addchildnameserver', { domain: 'reseller-demo.com', nameServer: 'ns3.a.com' }, 'ipAddress'],
    ['transferdomain', { domain: 'outside-a.com', authCode: 'x' }, 'period'],
    ['registerdomain', order('missing-demo.com', { period: undefined }), 'period'],
    ['registerdomain', order('missing-demo.com', { nameservers: undefined }), 'nameservers'],
    ['registerdomain', order('missing-demo.com', { contact: undefined }), 'contact'],
    [
      'registerdomain',
      order('missing-demo.com', { registrant: { ...contact, EMail: undefined } }),
      'registrant.EMail',
    ],
  ])('answers %s with %j with an error that %s is required', async (action, fields, member) => {
    const reply = await sandbox.act(action, fields);

    expect(reply).toMatchObject(refusal('API_400_ERROR'));
    expect(reply.body.error.Message).toBe(`The ${member} field is required.`);
  });

  test.each([
    ['getdetails', { domain: 7 }],
    ['bulkcheckavailability', { domains: 'a.com' }],
    ['bulkcheckavailability', { domains: [1] }],
    ['tldlist', { count: '10' }],
    ['tldlist', { count: 1.5 }],
    ['modifyprivacystatus', { domain: 'reseller-demo.com', status: 'true' }],
    ['modifynameserver', { domain: 'reseller-demo.com', nameservers: 'ns1.a.com' }],
    ['registerdomain', order('wrong-demo.com', { period: '1' })],
    ['registerdomain', order('wrong-demo.com', { eppLock: 'yes' })],
  ])('refuses %s with a member of the wrong type with 400: %j', async (action, fields) => {
    expect(await sandbox.act(action, fields)).toMatchObject(refusal('API_400_ERROR'));
  });

  test('refuses a body of more than one megabyte with 413', async () => {
    const reply = await raw('POST', JSON.stringify({ username: 'x'.repeat(1_100_000) }));

    expect(reply.status).toBe(413);
  });

  test('returns 404 for every path except the two APIs and the admin calls', async () => {
    for (const path of ['/', '/domain-api/x', '/account-api', '/favicon.ico']) {
      expect((await sandbox.send(path)).status, path).toBe(404);
    }
  });
});
