import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { startRecordedGateway } from '../graph/writes/recorded-gateway.ts';

const { privateKey, publicKey } = await generateKeyPair('ES256');
const stranger = await generateKeyPair('ES256');
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };

let fetches = 0;
const server = createServer((_request, response) => {
  fetches += 1;
  response.end(JSON.stringify({ keys: [jwk] }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

const issuer = 'https://login.example';
const issuers = [
  {
    ...{ name: 'login', issuer, audience: ['graph', 'others'], algorithms: ['ES256'] },
    jwks: `http://127.0.0.1:${port}/jwks.json`,
  },
];
const lines: string[] = [];
const { gateway, seen, close } = await startRecordedGateway({
  accountToken: null,
  log: createLog({ level: 'trace', write: (line) => void lines.push(line) }),
  env: { JWT_ISSUERS: JSON.stringify(issuers) },
});
afterAll(async () => {
  await close();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
});

const seconds = () => Math.floor(Date.now() / 1000);
const usual = () => ({ iss: issuer, aud: 'graph', sub: 'ada', exp: seconds() + 600 });
const claims = (changes: JWTPayload = {}) => ({
  ...usual(),
  scope: 'domains:check account:write nonsense',
  ...changes,
});
const sign = (payload: JWTPayload, header = {}, key = privateKey) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(key);

const sendQuery = async (token: string, query = '{ tld(name: "com") { name } }', more = {}) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...more };
  const body = JSON.stringify({ query });
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
    body: (await response.json()) as any,
  };
};

test('a token of an issuer identifies the caller and its scopes', { tags: ['R12'] }, async () => {
  const token = await sign(claims());
  const first = await sendQuery(token);
  const again = await sendQuery(token);
  const beyond = await sendQuery(token, '{ reseller { name } }');

  expect(first.body.data).toEqual({ tld: { name: 'com' } });
  expect(again.body.data).toEqual(first.body.data);
  expect(beyond.body.errors).toMatchObject([{ message: expect.stringContaining('account:read') }]);
  expect(seen).toHaveLength(2);
});

describe('a token', () => {
  const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  test.each<[string, () => Promise<string>, string]>([
    ['that has expired', () => sign(claims({ exp: seconds() - 60 })), 'expired'],
    [
      'without an expiry time',
      () => sign({ iss: issuer, aud: 'graph', sub: 'ada' }),
      'no valid expiry time',
    ],
    ['without a subject', () => sign(claims({ sub: undefined as never })), 'has no subject'],
    [
      'whose subject is an object',
      () => sign(claims({ sub: { a: 1 } as never })),
      '"sub" of this token',
    ],
    ['whose subject is a number', () => sign(claims({ sub: 7 as never })), '"sub" of this token'],
    [
      'whose expiry time is a word',
      () => sign(claims({ exp: 'soon' as never })),
      'no valid expiry time',
    ],
    ['for another audience', () => sign(claims({ aud: 'another' })), '("aud") is not one'],
    ['without an audience', () => sign(claims({ aud: undefined as never })), '("aud") is not one'],
    [
      'signed with a key of another issuer',
      () => sign(claims(), {}, stranger.privateKey),
      'signature',
    ],
    ['signed with an unknown key id', () => sign(claims(), { kid: 'two' }), 'signature'],
    [
      'without a signature',
      async () => `${b64({ alg: 'none' })}.${b64(claims())}.`,
      'an algorithm that is not allowed',
    ],
    [
      'signed with a shared secret',
      () => new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32)),
      'an algorithm that is not allowed',
    ],
  ])('%s is refused with a sentence about the reason', async (_what, make, sentence) => {
    const token = await make();
    const { status, challenge, body } = await sendQuery(token);

    expect(status).toBe(401);
    expect(challenge).toMatch(/^Bearer error="invalid_token"/);
    expect(body.errors).toMatchObject([
      { message: expect.stringContaining(sentence), extensions: { code: 'UNAUTHENTICATED' } },
    ]);
    expect(JSON.stringify(body) + challenge + lines.join('')).not.toContain(token);
    expect(seen).toEqual([]);
  });

  test('with an unknown key id does not cause more than one fetch of the keys', async () => {
    const before = fetches;
    for (let at = 0; at < 20; at += 1)
      await sendQuery(await sign(claims(), { kid: `made-up-${at}` }));

    expect(fetches - before).toBeLessThanOrEqual(1);
  });

  test('of an unknown issuer identifies no caller', async () => {
    const { status, challenge } = await sendQuery(
      await sign(claims({ iss: 'https://else.example' })),
    );

    expect([status, challenge]).toEqual([401, 'Bearer, ApiKey']);
  });
});

const rename = `mutation { updateHostingGroup(input: { id: "hg_demo_1", name: "New" }) {
  hostingGroup { name } errors { code } } }`;

test('a token of an issuer is never sent to the Account API; the caller sends another token for that', async () => {
  const token = await sign(claims());
  const alone = await sendQuery(token, rename);
  const twice = await sendQuery(token, rename, { 'x-account-token': token });
  const both = await sendQuery(token, rename, { 'x-account-token': 'demo-token' });

  for (const { body } of [alone, twice]) {
    expect(body.data.updateHostingGroup.errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
  }
  expect(both.body.data.updateHostingGroup.errors).toEqual([]);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer demo-token']);
  expect(JSON.stringify(seen)).not.toContain(token);
  expect(lines.join('')).not.toContain(token);
  expect(lines.join('')).toContain('"caller":"login:ada"');
});
