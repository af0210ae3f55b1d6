import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactSign, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import type { TokenIssuer } from '../kernel/caller.ts';
import { systemClock } from '../lib/system.ts';
import { BadToken, createIssuerKeys, createTokens } from './tokens.ts';

const folder = await mkdtemp(join(tmpdir(), 'issuer-tokens-'));
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, 'jwks.json');
const { privateKey, publicKey } = await generateKeyPair('ES256');
const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256' };
const writeKeys = (kid: string, path = file) =>
  writeFile(path, JSON.stringify({ keys: [{ ...jwk, kid }] }));
await writeKeys('one');

const issuer: TokenIssuer = {
  ...{ name: 'login', issuer: 'https://login.example', jwks: { file } },
  ...{ audience: ['graph', 'shop'], algorithms: ['ES256'], scopesClaim: 'scope' },
  ...{ tenant: 'acme', limits: { perHour: 7 } },
  customerClaim: { name: 'customer', isRequired: false },
};
const startMs = Date.UTC(2026, 0, 1);

function startTokens(more: Partial<TokenIssuer> = {}) {
  let nowMs = startMs;
  const clock = { ...systemClock, now: () => new Date(nowMs), monotonicMs: () => nowMs - startMs };
  const tokens = createTokens([{ ...issuer, ...more }], clock);
  return { ...tokens, at: (ms: number) => (nowMs = startMs + ms) };
}

const sign = (claims: JWTPayload = {}, header: object = {}) =>
  new SignJWT({
    ...{ iss: issuer.issuer, aud: 'graph', sub: 'ada', exp: startMs / 1_000 + 60 },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(privateKey);

describe('a token', () => {
  test('identifies its caller with name, tenant, scopes and limits', async () => {
    const token = await sign({ scope: 'domains:check nonsense domains:read' });

    expect(await startTokens().verify(token)).toEqual({
      ...{ name: 'login:ada', tenant: 'acme', limits: { perHour: 7 } },
      customer: null,
      scopes: new Set(['domains:check', 'domains:read']),
    });
  });

  test.each(['acme', 'Café 7', 'a'.repeat(64), '🏠'])(
    'with the customer %s is restricted to it',
    async (customer) => {
      expect((await startTokens().verify(await sign({ customer }))).customer).toBe(customer);
    },
  );

  test.each(['', ' a', 'a ', 'a\nb', 'a'.repeat(65), 'a'.repeat(1_024), 7, null, ['acme']])(
    'with the customer %j is refused',
    async (customer) => {
      await expect(startTokens().verify(await sign({ customer }))).rejects.toThrow(
        'must have 1 to 64 printable characters',
      );
    },
  );

  test('must have the claim that its issuer names for the customer', async () => {
    const { verify } = startTokens({ customerClaim: { name: 'shop_id', isRequired: true } });

    expect((await verify(await sign({ shop_id: 'acme', customer: 'other' }))).customer).toBe(
      'acme',
    );
    await expect(verify(await sign({ customer: 'acme' }))).rejects.toThrow('with the customer');
  });

  test.each([
    [['domains:check', 7, null, 'toString'], ['domains:check']],
    [[['domains:check']], []],
    [undefined, []],
    [{ 'domains:check': true }, []],
    ['domains:check,domains:read', []],
  ])('with the scopes %j has only known ones', async (scope, known) => {
    const { scopes } = await startTokens().verify(await sign({ scope }));

    expect([...scopes]).toEqual(known);
  });

  test.each(['a', 'A.b@c|d:e-f_9', `a${'b'.repeat(99)}`])(
    'with the subject %s has that name',
    async (sub) => {
      expect((await startTokens().verify(await sign({ sub }))).name).toBe(`login:${sub}`);
    },
  );

  test.each(['', '-a', '~a', 'a b', 'a\n', 'é', `a${'b'.repeat(100)}`])(
    'with the subject %j has the start of its hash as a name',
    async (sub) => {
      const digest = createHash('sha256').update(sub).digest('hex');

      expect((await startTokens().verify(await sign({ sub }))).name).toBe(
        `login:~${digest.slice(0, 32)}`,
      );
    },
  );

  test.each(['a', 'acme-2', 'x'.repeat(40)])('names the tenant %s in its claim', async (org) => {
    const { tenant } = await startTokens({ tenant: { claim: 'org' } }).verify(await sign({ org }));

    expect(tenant).toBe(org);
  });

  test.each(['', 'Acme', 'a_b', 'x'.repeat(41), 'a\n', 7, ['acme'], undefined])(
    'with the tenant %j names none',
    async (org) => {
      const { verify } = startTokens({ tenant: { claim: 'org' } });

      await expect(verify(await sign({ org }))).rejects.toThrow('This token names no tenant.');
    },
  );

  test.each([undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt', 'application/jwt'])(
    'of the type %s is an access token',
    async (typ) => {
      await expect(startTokens().verify(await sign({}, { typ }))).resolves.toBeDefined();
    },
  );

  test.each(['xjwt', 'jwtx', 'id+jwt', 'application/id+jwt', 'x/jwt', ''])(
    'of the type %j is refused',
    async (typ) => {
      await expect(startTokens().verify(await sign({}, { typ }))).rejects.toThrow('"typ"');
    },
  );

  test('has an end', async () => {
    const claims = `{ "iss": "${issuer.issuer}", "aud": "graph", "sub": "ada", "exp": 1e999 }`;
    const token = await new CompactSign(Buffer.from(claims))
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(privateKey);

    await expect(startTokens().verify(token)).rejects.toThrow('no valid expiry time ("exp")');
  });

  test('is accepted up to five seconds after its expiry and before its beginning, and no further', async () => {
    const { verify, at } = startTokens();
    const expiring = await sign();
    const beginning = await sign({ nbf: startMs / 1_000 + 20 });

    at(64_000);
    await expect(verify(expiring)).resolves.toBeDefined();
    at(65_000);
    await expect(verify(expiring)).rejects.toThrow('This token has expired.');
    at(14_000);
    await expect(verify(beginning)).rejects.toThrow('This token is not valid yet.');
    at(15_000);
    await expect(verify(beginning)).resolves.toBeDefined();
  });

  test('of more than 8192 characters is refused before its signature is verified', async () => {
    const { verify } = startTokens();
    const token = await sign();

    await expect(verify(token.padEnd(8_192, 'A'))).rejects.toThrow(
      'The signature of this token is not valid.',
    );
    await expect(verify(token.padEnd(8_193, 'A'))).rejects.toThrow(
      'This token has more than 8192 characters.',
    );
  });
});

describe('the cache of verified tokens', () => {
  test('has a token for five minutes, and not at the end of them', async () => {
    const { verify, known, at } = startTokens();
    const token = await sign({ exp: startMs / 1_000 + 3_600 });
    expect(known(token)).toBeNull();

    const caller = await verify(token);

    at(299_999);
    expect(known(token)).toBe(caller);
    at(300_000);
    expect(known(token)).toBeNull();
  });

  test('has a token no longer than five seconds after its expiry', async () => {
    const { verify, known, at } = startTokens();
    const token = await sign();
    const caller = await verify(token);

    at(64_999);
    expect(known(token)).toBe(caller);
    at(65_000);
    expect(known(token)).toBeNull();
    expect(known(await sign({ sub: 'bob' }))).toBeNull();
  });
});

test('a token belongs to the issuer that it names, and other text to none', async () => {
  const { owns, verify } = startTokens();
  const token = await sign();
  const foreign = await sign({ iss: 'https://else.example' });

  expect(owns(token)).toBe(true);
  expect(createTokens([], systemClock).owns(token)).toBe(false);
  for (const text of [foreign, await sign({ iss: 7 as never }), '', 'a.b.c', `${token}.x`, 'a.b'])
    expect(owns(text)).toBe(false);
  await expect(verify(foreign)).rejects.toThrow(BadToken);
  await expect(verify(foreign)).rejects.toMatchObject({
    name: 'BadToken',
    message: 'The issuer of this token is not known here.',
  });
  await expect(verify(`AAAA${token.slice(token.indexOf('.'))}`)).rejects.toThrow(
    'This token cannot be read.',
  );
});

describe('the keys of an issuer', () => {
  const path = join(folder, 'times.json');
  function startKeys() {
    let nowMs = 0;
    const keys = createIssuerKeys(
      { file: path },
      { deadline: systemClock.deadline, monotonicMs: () => nowMs },
    );
    const find = async (kid: string): Promise<string> => {
      try {
        await keys({ alg: 'ES256', kid }, { payload: '', signature: '' });
        return 'found';
      } catch (error) {
        return error instanceof Error ? error.name : `${error}`;
      }
    };
    return { find, at: (ms: number) => (nowMs = ms) };
  }

  test('are read again after ten minutes, not before', async () => {
    await writeKeys('old', path);
    const { find, at } = startKeys();
    await find('old');
    await writeKeys('new', path);

    at(599_999);
    expect(await find('old')).toBe('found');
    at(600_000);
    expect(await find('old')).toBe('JWKSNoMatchingKey');
    expect(await find('new')).toBe('found');
  });

  test('are read for an unknown id at most every 30 seconds', async () => {
    await writeKeys('old', path);
    const { find, at } = startKeys();
    await find('old');
    await writeKeys('new', path);

    at(29_999);
    expect(await find('new')).toBe('JWKSNoMatchingKey');
    at(30_000);
    expect(await find('new')).toBe('found');
  });

  test('remain in use for an hour without a read, and not at its end', async () => {
    await writeKeys('old', path);
    const { find, at } = startKeys();
    await find('old');
    await rm(path);

    at(3_599_999);
    expect(await find('old')).toBe('found');
    at(3_600_000);
    expect(await find('old')).toBe('IssuerKeysUnavailable');
  });

  test('are not read again for a token that two of them may have signed', async () => {
    const key = { ...jwk, kid: 'old' };
    await writeFile(path, JSON.stringify({ keys: [key, key] }));
    const { find, at } = startKeys();
    expect(await find('old')).toBe('JWKSMultipleMatchingKeys');
    await writeKeys('old', path);

    at(30_000);
    expect(await find('old')).toBe('JWKSMultipleMatchingKeys');
  });

  test('that were never read are read every two seconds', async () => {
    const { find, at } = startKeys();
    await rm(path, { force: true });
    expect(await find('old')).toBe('IssuerKeysUnavailable');
    await writeKeys('old', path);

    at(1_999);
    expect(await find('old')).toBe('IssuerKeysUnavailable');
    at(2_000);
    expect(await find('old')).toBe('found');
  });
});
