import { expect, test } from 'vitest';
import { createRequest, refusalOf } from '../../../../test/support/server/request.ts';
import { type Callers, type Identity, openCallers } from '../../../access/callers.ts';
import { plainKey } from '../../../config/credentials.ts';
import { anonymous } from '../../../kernel/caller.ts';
import { systemClock } from '../../../lib/system.ts';
import { createLog } from '../../../observability/log.ts';
import { identifyCaller } from './identify-caller.ts';

const log = createLog({ level: 'silent' });
const keys = [
  { ...plainKey('the-key-of-the-shop-0001'), name: 'shop', tenant: 'north' },
  { ...plainKey('the-key-of-nowhere-00001'), name: 'lost', tenant: 'nowhere' },
];
const madeKeys = { read: () => null, parse: () => [] };
const isTenant = (name: string) => name === 'north';

async function identify(
  headers: Readonly<Record<string, string>>,
  answer?: Identity | Promise<Identity>,
) {
  const callers = openCallers({ keys, madeKeys, issuers: [] }, systemClock, log);
  const stub = { ...callers, ...(answer && { identify: () => answer }) } satisfies Callers;
  const request = createRequest({ headers });
  const refusal = await refusalOf(identifyCaller(stub, isTenant).onRequest?.(request));
  await callers.close();
  return { refusal, caller: request.caller };
}

test('a key identifies the caller and its tenant', async () => {
  const { refusal, caller } = await identify({ 'x-api-key': 'the-key-of-the-shop-0001' });

  expect(refusal).toBeNull();
  expect(caller).toMatchObject({ name: 'shop', tenant: 'north' });
});

test('a caller that is verified later is identified too', async () => {
  const caller = { ...anonymous, name: 'ada', tenant: 'north' };

  expect(await identify({}, Promise.resolve(caller))).toEqual({ refusal: null, caller });
});

test.each(['an-unknown-key-00000000', ''])(
  'a request with the key "%s" is refused with a challenge, and its caller remains unknown',
  async (key) => {
    const { refusal, caller } = await identify({ 'x-api-key': key });

    const headers = { 'www-authenticate': 'ApiKey' };
    expect(refusal).toEqual({ code: 'UNAUTHENTICATED', status: 401, headers });
    expect(caller.name).toBeNull();
  },
);

test('credentials that cannot be checked now are refused as temporary, without a challenge', async () => {
  const refusal = { sentence: 'Later.', tokenChallenge: {}, isTemporary: true };

  expect((await identify({}, Promise.resolve(refusal))).refusal).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    status: 503,
    headers: {},
  });
});

test('a caller of a tenant that is not configured is refused', async () => {
  const { refusal } = await identify({ 'x-api-key': 'the-key-of-nowhere-00001' });

  expect(refusal).toEqual({ code: 'FORBIDDEN', status: 403, headers: {} });
});

test.each([
  [anonymous.tenant, null],
  ['north', { code: 'FORBIDDEN', status: 403, headers: {} }],
])(
  'without authentication every request is of the tenant "default": %s',
  async (tenant, expected) => {
    const rule = identifyCaller(null, (name) => name === tenant);

    expect(await refusalOf(rule.onRequest?.(createRequest()))).toEqual(expected);
  },
);
