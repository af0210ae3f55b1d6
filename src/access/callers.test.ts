import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ApiKey, MadeKey, TokenIssuer } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import { systemClock } from '../lib/system.ts';
import { createLog } from '../observability/log.ts';
import { type Callers, openCallers } from './callers.ts';

const keyOf = (name: string, text: string): ApiKey => ({
  ...{ name, tenant: 'acme', customer: null, limits: {}, scopes: [] },
  sha256: new Secret(createHash('sha256').update(text).digest('hex')),
});
const madeText = `rg_0123456789_${'a'.repeat(43)}`;
const madeKey: MadeKey = {
  ...keyOf('till', madeText),
  ...{ prefix: '0123456789', expiresAt: null },
};
const issuer: TokenIssuer = {
  ...{ name: 'login', issuer: 'https://login.example', jwks: { file: '/no/such/file' } },
  ...{
    audience: ['graph'],
    algorithms: ['ES256'],
    scopesClaim: 'scope',
    tenant: 'acme',
    customerClaim: { name: 'customer', isRequired: false },
    limits: {},
  },
};
const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${b64({ alg: 'ES256' })}.${b64({ iss: issuer.issuer })}.AAAA`;

/** Callers over a file of made keys whose polls the test starts. */
function startCallers(issuers: readonly TokenIssuer[] = []) {
  const file: { content: string | null } = { content: 'one' };
  const lines: Record<string, unknown>[] = [];
  const waits: number[] = [];
  const ended: unknown[] = [];
  let wake = () => {};
  const clock = {
    ...systemClock,
    wait: (ms: number, signal?: AbortSignal) => {
      waits.push(ms);
      return new Promise<void>((resolve, reject) => {
        wake = resolve;
        signal?.addEventListener('abort', () => {
          ended.push(signal);
          reject(signal.reason);
        });
      });
    },
  };
  const madeKeys = {
    read: () => file.content,
    parse: (content: string | null) => {
      if (content === 'broken') throw new Error('not a file of keys');
      return content === 'one' ? [madeKey] : [];
    },
  };
  const log = createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) });
  const callers = openCallers({ keys: [keyOf('shop', 'the-key')], madeKeys, issuers }, clock, log);
  const poll = async (content: string | null) => {
    file.content = content;
    const before = waits.length;
    wake();
    while (waits.length === before) await Promise.resolve();
  };
  return { callers, lines, waits, ended, poll };
}

const identify = (callers: Callers, apiKey: string | null, bearer: string | null) =>
  callers.identify({ apiKey, bearer });

test('a key of the settings and a made key identify their callers immediately', async () => {
  const { callers } = startCallers();

  expect(identify(callers, 'the-key', null)).toMatchObject({ name: 'shop' });
  expect(identify(callers, madeText, null)).toMatchObject({ name: 'till' });
  expect(identify(callers, 'the-key', 'a token of the Account API')).toMatchObject({
    name: 'shop',
  });
  await callers.close();
});

test('a refusal names what to send, and whether a token is accepted', async () => {
  const { callers } = startCallers();
  const { callers: withIssuer } = startCallers([issuer]);
  const alone = {
    sentence: 'Send an API key of this gateway in the header `x-api-key`.',
    ...{ tokenChallenge: null, isTemporary: false },
  };
  const either = {
    sentence:
      'Send an API key of this gateway in the header `x-api-key`, or a token of a known issuer as `Authorization: Bearer`.',
    ...{ tokenChallenge: {}, isTemporary: false },
  };
  const unknown =
    'This API key is not known here, has expired or was revoked. Send another in the header `x-api-key`.';

  expect(identify(callers, null, null)).toEqual(alone);
  expect(identify(callers, null, token)).toEqual(alone);
  expect(identify(withIssuer, null, null)).toEqual(either);
  expect(identify(withIssuer, null, 'another')).toEqual(either);
  expect(identify(callers, 'wrong', null)).toEqual({
    ...{ sentence: unknown, tokenChallenge: null, isTemporary: false },
  });
  await Promise.all([callers.close(), withIssuer.close()]);
});

test('a key and a token of an issuer together are refused, even when the key is right', async () => {
  const { callers } = startCallers([issuer]);

  expect(identify(callers, 'the-key', token)).toEqual({
    sentence: 'Send an API key or a token of an issuer, not both.',
    ...{ tokenChallenge: {}, isTemporary: false },
  });
  await callers.close();
});

test('a token that cannot be checked now is a temporary refusal, a bad one is not', async () => {
  const { callers } = startCallers([issuer]);
  const { callers: strict } = startCallers([{ ...issuer, algorithms: ['RS256'] }]);

  expect(await identify(callers, null, token)).toEqual({
    sentence: 'The keys of the issuer of this token cannot be read now; try again later.',
    ...{ tokenChallenge: {}, isTemporary: true },
  });
  expect(await identify(strict, null, token)).toEqual({
    sentence: 'This token is signed with an algorithm that is not allowed for its issuer.',
    tokenChallenge: {
      error: 'invalid_token',
      error_description:
        'This token is signed with an algorithm that is not allowed for its issuer.',
    },
    isTemporary: false,
  });
  await Promise.all([callers.close(), strict.close()]);
});

test('a changed file of made keys takes effect with the next poll, a broken one changes nothing', async () => {
  const { callers, lines, waits, ended, poll } = startCallers();
  const name = () => identify(callers, madeText, null);

  await poll('broken');
  expect(name()).toMatchObject({ name: 'till' });
  await poll(null);
  expect(name()).toMatchObject({ isTemporary: false });
  await poll('one');
  expect(name()).toMatchObject({ name: 'till' });
  expect(ended).toEqual([]);
  await callers.close();

  expect(ended).not.toEqual([]);
  expect(waits).toEqual([1_000, 1_000, 1_000, 1_000]);
  expect(lines).toMatchObject([
    { msg: 'keys unchanged', error: expect.anything() },
    { msg: 'keys changed', count: 0 },
    { msg: 'keys changed', count: 1 },
  ]);
});

test('the rights of a caller now are those of its key, and a token keeps its rights', async () => {
  const { callers, poll } = startCallers([issuer]);
  const limited = { tenant: 'acme', customer: null, limits: {}, scopes: new Set<never>() };
  const now = (name: string | null, tenant = 'acme') =>
    callers.current({ ...limited, name, tenant })?.name;

  expect([now('shop'), now('till'), now('login:ada'), now(null)]).toEqual([
    ...['shop', 'till', 'login:ada', null],
  ]);
  expect(now('shop', 'bolt')).toBeUndefined();
  await poll(null);
  expect([now('till'), now('shop')]).toEqual([undefined, 'shop']);
  await callers.close();
});

test('an error of the gateway itself is no refusal of a token', async () => {
  const error = new Error('no time');
  const now = () => {
    throw error;
  };
  const callers = openCallers(
    { keys: [], madeKeys: { read: () => null, parse: () => [] }, issuers: [issuer] },
    { ...systemClock, now },
    createLog({ level: 'silent' }),
  );

  await expect(identify(callers, null, token)).rejects.toBe(error);
  await callers.close();
});
