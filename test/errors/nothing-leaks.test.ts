import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { startRecordedGateway } from '../graph/writes/recorded-gateway.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';

const username = 'reseller-zx81';
const password = 'p"ss/wörd-zx81';
const token = 'token-zx81';
const lines: string[] = [];
const time = createGatewayClock();
const recorded = await startRecordedGateway({
  clock: time.clock,
  accountToken: token,
  env: { DOMAIN_API_USERNAME: username, DOMAIN_API_PASSWORD: password },
  log: createLog({ level: 'trace', write: (line) => void lines.push(line) }),
});
const { replyNext, sandbox, seen } = recorded;
const gateway = time.withTime(recorded.gateway);
afterAll(() => recorded.close());
beforeEach(() => {
  lines.length = 0;
});

const secrets = [username, password, JSON.stringify(password).slice(1, -1), token, 'zx81'];
/** What only the inside of a program or of the service would say. */
const inside = ['SECRET-PART', 'node_modules', '.ts:', ' at ', '/srv/', 'SELECT', 'stack'];

const expectClean = (text: string) => {
  for (const secret of [...secrets, sandbox.url, ...inside]) expect(text).not.toContain(secret);
};

const read = '{ domain(name: "unlocked-demo.com") { status } }';
const write = `mutation { setNameServers(input: { domain: "unlocked-demo.com", nameServers: ["a.hosts.net", "b.hosts.net"] }) {
  errors { __typename code message upstreamMessage } } }`;
const account = `mutation { deleteLogs(input: { confirm: true }) {
  errors { __typename code message upstreamMessage } } }`;

const failure = (error: object, more: object = {}) =>
  JSON.stringify({ result: 'ERROR', error, ...more });
const hostile: readonly (readonly [what: string, status: number, body: string])[] = [
  [
    'a stack trace',
    500,
    '<pre>Fatal error: SECRET-PART in /srv/api/index.php\n  at run (app.ts:7)</pre>',
  ],
  ['a page with the request in it', 502, `<p>SECRET-PART ${username} ${password} ${token}</p>`],
  ['text under 200', 200, `SECRET-PART ${password}`],
  ['an object that is no reply', 200, JSON.stringify({ SELECT: 'SECRET-PART', password, token })],
  ['a list', 200, '["SECRET-PART"]'],
  ['a redirect', 302, 'SECRET-PART'],
  [
    'an error that echoes the login',
    400,
    failure({
      Code: 'API_400_ERROR',
      Message: `${username}/${password} refused`,
      Details: `it was ${password}`,
    }),
  ],
  [
    'an error with members of its own',
    400,
    failure(
      {
        Code: 'API_2306_ERROR',
        Message: 'Failed',
        Details: 'No. ',
        Trace: '/srv/a.php SECRET-PART',
      },
      { sql: 'SELECT 1', stack: 'SECRET-PART' },
    ),
  ],
  [
    'an error with markup',
    400,
    failure({
      Code: 'API_2306_ERROR',
      Message: '<b onclick="SECRET-PART">No</b>\u0000',
      Details: '<!-- SECRET-PART -->',
    }),
  ],
  [
    'an error whose code is an object',
    400,
    failure({ Code: { a: 'SECRET-PART' }, Message: 'Failed' }),
  ],
];

describe('no part of a hostile body reaches a client or the log', { tags: ['I8', 'G20'] }, () => {
  test.each(hostile)('%s', async (_what, status, body) => {
    for (const document of [read, write]) {
      // A read is tried three times at most.
      for (let attempt = 0; attempt < 3; attempt += 1) replyNext({ status, body });
      const response = await gateway.query(document);
      const errors = response.errors ?? response.data.setNameServers.errors;

      expect(errors).toHaveLength(1);
      expectClean(JSON.stringify(response));
      await drain();
    }
    expectClean(lines.join('\n'));
  });

  test.each([
    [
      404,
      JSON.stringify({
        statusCode: 404,
        message: `No logs for ${token}`,
        stack: 'SECRET-PART',
        path: '/srv/x',
      }),
    ],
    [500, `<html>SECRET-PART ${token}</html>`],
    [401, JSON.stringify({ message: `Bearer ${token} is over` })],
  ])('a %i of the Account API', async (status, body) => {
    replyNext({ status, body });

    const response = await gateway.query(account);

    expect(response.data.deleteLogs.errors).toHaveLength(1);
    expectClean(JSON.stringify(response));
    expectClean(lines.join('\n'));
  });
});

/** Consumes the remaining canned replies, so that the next document gets its own. */
async function drain(): Promise<void> {
  for (let left = recorded.left(); left > 0; left = recorded.left()) {
    await gateway.query(
      'mutation { syncDomain(input: { domain: "unlocked-demo.com" }) { errors { code } } }',
    );
  }
}

test('the error of a refused login does not contain the login', { tags: ['I8'] }, async () => {
  const response = await gateway.query(
    `{ reseller { name } tlds { totalCount } domains { totalCount } availability(name: "a.com") { state reason } }`,
  );

  expect(seen.at(-1)?.body).toContain(username);
  expect(response.errors).not.toEqual([]);
  expectClean(JSON.stringify(response));
  expectClean(lines.join('\n'));
});

test('the schema does not contain the login', { tags: ['G20'] }, async () => {
  const { data } = await gateway.query(
    '{ __schema { types { name fields { name } inputFields { name } } } }',
  );

  expect(JSON.stringify(data)).not.toMatch(/password|username|apiKey|credential"/i);
});
