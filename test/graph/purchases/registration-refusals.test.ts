import { afterAll, afterEach, expect, test } from 'vitest';
import type { FaultCode } from '../../../src/kernel/faults.ts';
import { typeOf } from '../../errors/types.ts';
import { ada } from '../../support/ada.ts';
import { countPurchases, openShop, type Payload } from './shop.ts';

const shop = await openShop();
const before = await shop.balances();
// Each refusal here precedes the upstream purchase.
afterEach(async () => {
  expect(await countPurchases(shop)).toBe(0);
  expect(await shop.balances()).toEqual(before);
});
afterAll(() => shop.close());

const between = (minimum: number, maximum: number) => ({
  message: expect.stringContaining(
    minimum === maximum
      ? `"period" must be ${minimum} for .`
      : `"period" must be between ${minimum} and ${maximum} years for .`,
  ),
  ...{ minimum, maximum },
});
const hosts = Array.from({ length: 14 }, (_, at) => `ns${at}.dns.net`);

test.each<[string, object, FaultCode, string, object?]>([
  ['a taken name', { domain: 'outside-taken.com' }, 'NOT_AVAILABLE', 'domain'],
  ['a name in the account', { domain: 'reseller-demo.com' }, 'ALREADY_OWNED', 'domain'],
  ['a name that the registry reserves', { domain: 'nic.com' }, 'NOT_AVAILABLE', 'domain'],
  [
    'too few years',
    { domain: 'short-stay.ai', period: 1 },
    'PERIOD_OUT_OF_RANGE',
    'period',
    between(2, 10),
  ],
  [
    'too many years',
    { domain: 'a-stay.co', period: 6 },
    'PERIOD_OUT_OF_RANGE',
    'period',
    between(1, 5),
  ],
  [
    'no years',
    { domain: 'no-stay.com', period: 0 },
    'PERIOD_OUT_OF_RANGE',
    'period',
    between(1, 10),
  ],
  [
    'years without end',
    { domain: 'a-stay.com', period: 2_147_483_647 },
    'PERIOD_OUT_OF_RANGE',
    'period',
    between(1, 10),
  ],
  [
    'only one period',
    { domain: 'one-year.de', period: 2 },
    'PERIOD_OUT_OF_RANGE',
    'period',
    between(1, 1),
  ],
  ['a label too short', { domain: 'a.com' }, 'INVALID_INPUT', 'domain'],
  ['two labels above the TLD', { domain: 'www.some-shop.com' }, 'INVALID_INPUT', 'domain'],
  ['a TLD itself', { domain: 'co.uk' }, 'INVALID_INPUT', 'domain'],
  ['a name that imitates another', { domain: 'аррlе.com' }, 'INVALID_INPUT', 'domain'],
  ['a TLD that is not sold', { domain: 'some-shop.zzzz' }, 'TLD_UNSUPPORTED', 'domain'],
  ['a TLD that is listed and not sold', { domain: 'a-shop.museum' }, 'TLD_UNSUPPORTED', 'domain'],
  ['letters that the TLD lacks', { domain: 'bücher-laden.me' }, 'IDN_UNSUPPORTED', 'domain'],
  ['no name servers', { domain: 'a-host.com', nameServers: [] }, 'INVALID_INPUT', 'nameServers'],
  ['14 name servers', { domain: 'a-host.com', nameServers: hosts }, 'INVALID_INPUT', 'nameServers'],
  [
    'a key of two lines',
    { domain: 'a-key.com', idempotencyKey: 'a\nb' },
    'INVALID_INPUT',
    'idempotencyKey',
  ],
])(
  'a registration is refused with type, code, path and facts: %s',
  async (_what, input, code, field, facts = {}) => {
    const { purchase, errors } = await shop.register(input);

    expect(purchase).toBeNull();
    expect(errors).toMatchObject([
      {
        ...{ __typename: typeOf(code), code, path: ['input', field], ...facts },
        ...{ executed: 'NO', retryable: false },
      },
    ]);
    expect(errors[0].message).toMatch(/.{20,}\.$/su);
  },
);

test('the message for a reserved name does not claim a registration, and upstreamMessage has the reason', async () => {
  const { errors } = await shop.register({ domain: 'nic.com' });

  expect(errors).toMatchObject([
    {
      message: 'nic.com is not available for registration.',
      upstreamCode: null,
      upstreamMessage: 'Domain reserved',
    },
  ]);
});

const at = (changes: object) => ({ ...ada, address: { ...ada.address, ...changes } });

test('all errors of an input are returned together, each with its path', {
  tags: ['G14'],
}, async () => {
  const { purchase, errors } = await shop.register({
    domain: 'outside-manifold.co',
    period: 9,
    nameServers: [],
    registrant: { fields: { ...ada, email: 'x', phone: 'y' } },
    contact: { fields: at({ city: '' }) },
    idempotencyKey: '',
  });

  expect(purchase).toBeNull();
  const places = errors.map(({ path }: Payload) => path.slice(1).join('.'));
  expect(places.toSorted()).toEqual([
    'contact.fields.address.city',
    'domain',
    'idempotencyKey',
    'nameServers',
    'period',
    'registrant.fields.email',
    'registrant.fields.phone',
  ]);
});

test('a client can select only code and message of the errors', async () => {
  const { data, errors } = await shop.gateway.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) {
      registerDomain(input: $input) { purchase { id } errors { code message } } }`,
    {
      input: {
        domain: 'outside-simple.com',
        nameServers: ['ns1.dns.net'],
        registrant: { fields: ada },
      },
    },
  );

  expect(errors).toBeUndefined();
  expect(data.registerDomain).toEqual({
    purchase: null,
    errors: [
      {
        code: 'NOT_AVAILABLE',
        message: 'outside-simple.com is not available for registration.',
      },
    ],
  });
});
