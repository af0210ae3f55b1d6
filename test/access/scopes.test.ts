import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { openStream } from '../support/event-stream.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { requestPaths } from '../support/request-paths.ts';
import { apiKeysOf, by } from './keys.ts';

const API_KEYS = apiKeysOf({
  nothing: [],
  reader: ['domains:read'],
  people: ['domains:read', 'contacts:read'],
  codes: ['domains:read', 'authcode:read'],
  writer: ['domains:write'],
  buyer: ['domains:spend'],
});

const input = '{ domain: "unlocked-demo.com", nameServers: ["a.example.net", "b.example.net"] }';
const set = `setNameServers(input: ${input}) { nameServers errors { code } }`;

describe.each(requestPaths)('on %s', (_name, way) => {
  let gateway: TestGateway;
  const lines: Record<string, unknown>[] = [];
  beforeAll(async () => {
    const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
    gateway = await startTestGateway({ ...way, log, sandboxDomains: 10, env: { API_KEYS } });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    lines.length = 0;
    await gateway.resetCalls();
  });

  const sendQuery = (name: string, document: string) => gateway.query(document, {}, by(name));
  const audits = () => lines.filter((line) => line.msg === 'audit');

  test.each([
    ['{ domain(name: "reseller-demo.com") { name } }', 'domains:read'],
    ['{ domains { totalCount } }', 'domains:read'],
    ['{ availability(name: "maple-harbor.com") { state } }', 'domains:check'],
    ['{ tlds { totalCount } }', 'domains:check'],
    ['{ reseller { name } }', 'account:read'],
    ['{ purchases { totalCount } }', 'domains:spend" or "ops'],
    [`mutation { ${set} }`, 'domains:write'],
    [
      'mutation { disableTransferLock(input: { domain: "a.com" }) { transferLocked } }',
      'domains:unlock',
    ],
    ['mutation { deleteLogs(input: { confirm: true }) { deleted } }', 'account:danger'],
    ['mutation { logout { loggedOut } }', 'account:danger'],
  ])(
    'without the scope no upstream call is made: %s',
    { tags: ['R12', 'S1'] },
    async (document, scope) => {
      const { errors } = await sendQuery('nothing', document);

      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({
        message: `This needs the scope "${scope}"; your key or token does not have it.`,
        extensions: { code: 'FORBIDDEN', executed: 'NO', retryable: false },
      });
      expect(await gateway.countCalls()).toEqual({});
    },
  );

  test('without contacts:read every path to contacts is refused before an upstream call', {
    tags: ['S1'],
  }, async () => {
    const field = 'contacts { registrant { id email } }';
    const seen = await sendQuery('people', `{ domain(name: "reseller-demo.com") { id ${field} } }`);
    const { id, contacts } = seen.data.domain;
    await gateway.resetCalls();
    const responses = await Promise.all([
      sendQuery('reader', `{ domain(name: "reseller-demo.com") { name ${field} } }`),
      sendQuery(
        'reader',
        '{ domain(name: "reseller-demo.com") { name contacts { registrant { id } } } }',
      ),
      sendQuery('reader', `{ domains(first: 1) { nodes { name ${field} } } }`),
      sendQuery('reader', `{ node(id: "${id}") { ... on Domain { name ${field} } } }`),
      sendQuery(
        'reader',
        `{ nodes(ids: ["${contacts.registrant.id}"]) { id ... on Contact { email } } }`,
      ),
    ]);

    expect(contacts.registrant.email).toContain('@');
    for (const response of responses) {
      expect(response.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      expect(JSON.stringify(response)).not.toContain(contacts.registrant.email);
    }
    expect(responses[0]?.data.domain).toEqual({ name: 'reseller-demo.com', contacts: null });
    expect(await gateway.countCalls()).not.toHaveProperty('getcontacts');
  });

  test('an auth code needs its own scope, and the audit names the reader without the code', {
    tags: ['G21'],
  }, async () => {
    const document = '{ domain(name: "reseller-demo.com") { name authCode } }';
    const refused = await sendQuery('people', document);
    const shown = await sendQuery('codes', document);

    expect(refused.data.domain).toEqual({ name: 'reseller-demo.com', authCode: null });
    expect(refused.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(shown.errors).toBeUndefined();
    const read = { audit: 'authcode.read', subject: 'reseller-demo.com', tenant: 'default' };
    expect(audits()).toMatchObject([
      { ...read, caller: 'people', outcome: 'FORBIDDEN', requestId: expect.any(String) },
      { ...read, caller: 'codes', outcome: 'OK', requestId: expect.any(String) },
    ]);
    expect(JSON.stringify(lines)).not.toContain(shown.data.domain.authCode);
  });

  test('a read of contacts is recorder once for all four', async () => {
    const fields = 'registrant { email } billing { email phone { e164 } }';
    await sendQuery('people', `{ domain(name: "reseller-demo.com") { contacts { ${fields} } } }`);

    expect(audits()).toMatchObject([
      { audit: 'contacts.read', subject: 'reseller-demo.com', caller: 'people', outcome: 'OK' },
    ]);
  });

  test('each write is recorder, also a refused one', async () => {
    await sendQuery('writer', `mutation { ${set} }`);
    await sendQuery('reader', `mutation { ${set} }`);

    expect(audits()).toMatchObject([
      { audit: 'setNameServers', subject: 'unlocked-demo.com', caller: 'writer', outcome: 'OK' },
      { audit: 'setNameServers', subject: 'unlocked-demo.com', outcome: 'FORBIDDEN' },
    ]);
  });

  test('none of several mutations is executed when a later one is forbidden', async () => {
    const { errors } = await sendQuery(
      'writer',
      `mutation { ${set} ...F } fragment F on Mutation { logout { loggedOut } }`,
    );

    expect(errors).toMatchObject([{ message: expect.stringContaining('account:danger') }]);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('the domain in the payload of a write needs the scope to read it', {
    tags: ['S1'],
  }, async () => {
    const { data, errors } = await sendQuery(
      'writer',
      `mutation { ${set.replace('{ nameServers', '{ domain { name } nameServers')} }`,
    );

    expect(data.setNameServers).toMatchObject({ domain: null, errors: [] });
    expect(errors).toMatchObject([{ message: expect.stringContaining('domains:read') }]);
    expect(await gateway.countCalls()).toEqual({ modifynameserver: 1 });
  });

  test('a subscription is refused before an upstream call', async () => {
    const query = 'subscription { searchDomains(labels: ["maple"]) { availability { name } } }';
    const stream = await openStream(gateway.url, { query, headers: by('reader') });

    expect(JSON.stringify(await stream.rest())).toContain('FORBIDDEN');
    expect(await gateway.countCalls()).toEqual({});
  });
});
