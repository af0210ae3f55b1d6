import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../observability/log.ts';
import { errors, mutate } from '../../../../test/graph/writes/mutate.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';

const lines: string[] = [];
const recorded = await startRecordedGateway({
  accountToken: null,
  // The level that logs everything.
  log: createLog({ level: 'trace', write: (line) => void lines.push(line) }),
});
const { gateway, seen } = recorded;
afterAll(() => recorded.close());
beforeEach(() => {
  seen.length = 0;
});

/** A new session of `demo`, which ends the one before. */
const token = async (): Promise<string> => {
  const request = { headers: { 'content-type': 'application/json' }, body: '{"user":"demo"}' };
  const url = `${recorded.sandbox.url}/admin/tokens`;
  const response = await fetch(url, { method: 'POST', ...request });
  return ((await response.json()) as { token: string }).token;
};

const rename = `mutation { it: updateHostingGroup(input: { id: "hg_demo_1", name: "New" }) {
  hostingGroup { name } ${errors} } }`;
const logout = `mutation { it: logout { loggedOut ${errors} } }`;

const unauthenticated = {
  ...{ __typename: 'PlainError', code: 'UNAUTHENTICATED', executed: 'NO', retryable: false },
};

test('the upstream refuses a token after a logout', async () => {
  const headers = { authorization: `Bearer ${await token()}` };

  const before = await gateway.query(rename, {}, headers);
  const ended = await gateway.query(logout, {}, headers);
  const after = await gateway.query(rename, {}, headers);

  expect(before.data.it.errors).toEqual([]);
  expect(ended.data.it).toEqual({ loggedOut: true, errors: [] });
  expect(after.data.it).toMatchObject({ hostingGroup: null, errors: [unauthenticated] });
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PATCH /account-api/hosting/group/hg_demo_1',
    'POST /account-api/auth/logout',
    'PATCH /account-api/hosting/group/hg_demo_1',
  ]);
});

test('without a token every account mutation is refused before an upstream call, with the header to send', async () => {
  const { data } = await gateway.query(`mutation {
    a: createCart(input: { items: [{ description: "x", quantity: "1", unitPrice: "1", productType: "y" }] }) { ${errors} }
    b: updateHostingGroup(input: { id: "hg_demo_1", name: "New" }) { ${errors} }
    c: deleteHostingGroup(input: { confirm: true }) { ${errors} }
    d: deleteLogs(input: { confirm: true }) { ${errors} }
    e: logout { ${errors} }
  }`);

  for (const payload of Object.values(data)) {
    expect(payload).toMatchObject({ errors: [unauthenticated] });
    expect(JSON.stringify(payload)).toContain('x-account-token');
  }
  expect(seen).toEqual([]);
});

describe('the account token', () => {
  test.each<[string, (token: string) => Record<string, string>]>([
    ['Authorization', (token) => ({ authorization: `Bearer ${token}` })],
    ['Authorization in another case', (token) => ({ authorization: `bearer  ${token}` })],
    ['x-account-token', (token) => ({ 'x-account-token': token })],
    [
      'x-account-token rather than Authorization',
      (token) => ({ 'x-account-token': token, authorization: 'Bearer a.gateway.jwt' }),
    ],
  ])('is read from %s', async (_where, headersWith) => {
    const session = await token();
    const { data } = await gateway.query(rename, {}, headersWith(session));

    expect(data.it.errors).toEqual([]);
    expect(seen.map((request) => request.headers.authorization)).toEqual([`Bearer ${session}`]);
  });

  test.each([
    ['Basic credentials', { authorization: 'Basic ZGVtbzpkZW1v' }],
    ['an empty Bearer', { authorization: 'Bearer ' }],
    ['two words', { authorization: 'Bearer demo token' }],
  ])('is absent in %s', async (_what, headers) => {
    const { data } = await gateway.query(rename, {}, headers);

    expect(data.it.errors).toMatchObject([unauthenticated]);
    expect(seen).toEqual([]);
  });

  test('is UNAUTHENTICATED after one call when the upstream does not accept it', async () => {
    const { data } = await gateway.query(rename, {}, { 'x-account-token': 'wrong-token' });

    expect(data.it.errors).toMatchObject([unauthenticated]);
    expect(JSON.stringify(data)).not.toContain('wrong-token');
    expect(seen).toHaveLength(1);
  });

  test('of another user gives no access to this user', async () => {
    const { data } = await gateway.query(rename, {}, { 'x-account-token': 'other-token' });

    expect(data.it.errors).toMatchObject([{ code: 'NOT_FOUND' }]);
  });
});

test('the Domain API receives no token, and the Account API receives no login', {
  tags: ['I8'],
}, async () => {
  const headers = { 'x-account-token': 'demo-token', authorization: 'Bearer other-secret' };
  const reads =
    '{ reseller { name } domain(name: "unlocked-demo.com") { name } tlds { totalCount } }';
  const writes = `mutation { syncDomain(input: { domain: "unlocked-demo.com" }) { domain { name } }
    ${rename.slice(rename.indexOf('it:'))}`;
  for (const document of [reads, writes]) await gateway.query(document, {}, headers);

  const [toDomain, toAccount] = ['/domain-api', '/account-api'].map((surface) =>
    seen.filter(({ path }) => path.startsWith(surface)).map((request) => JSON.stringify(request)),
  );
  expect(toDomain).toHaveLength(5);
  expect(toAccount).toHaveLength(1);
  for (const request of toDomain ?? []) {
    expect(request).not.toMatch(/demo-token|other-secret|authorization/i);
    expect(request).toContain('demo-password');
  }
  expect(toAccount?.[0]).not.toMatch(/demo-password|other-secret|username/);
});

test('no log line contains a credential after any failure', async () => {
  recorded.replyNext({ status: 500, body: 'demo-token demo-password' });
  await mutate(gateway, 'setNameServers', {
    domain: 'unlocked-demo.com',
    nameServers: ['a.b.net'],
  });
  await gateway.query('{ nothing }', {}, { authorization: 'Bearer demo-token' });
  await gateway.query(rename, { x: 'demo-token' }, { 'x-account-token': 'demo token' });

  expect(lines.join('\n')).not.toMatch(/demo-token|demo token|demo-password|wrong-token/);
  expect(lines.length).toBeGreaterThan(0);
});
