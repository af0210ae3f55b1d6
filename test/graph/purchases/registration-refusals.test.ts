import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ada } from '../../support/ada.ts';
import { countPurchases, openShop, type Payload, type Shop } from './shop.ts';

let shop: Shop;
let before: Payload;
beforeAll(async () => {
  shop = await openShop();
  before = await shop.balances();
});
// Each refusal here precedes the upstream purchase.
afterEach(async () => {
  expect(await countPurchases(shop)).toBe(0);
  expect(await shop.balances()).toEqual(before);
});
afterAll(() => shop?.close());

const inDomain = ['input', 'domain'];
const inPeriod = ['input', 'period'];
const range = (minimum: number, maximum: number) => ({
  __typename: 'PeriodOutOfRange',
  code: 'PERIOD_OUT_OF_RANGE',
  path: inPeriod,
  message: expect.stringContaining(
    minimum === maximum
      ? `"period" must be ${minimum} for .`
      : `"period" must be between ${minimum} and ${maximum} years for .`,
  ),
  minimum,
  maximum,
});
const notAvailable = { __typename: 'DomainNotAvailable', code: 'NOT_AVAILABLE', path: inDomain };
const badName = { __typename: 'InvalidInput', code: 'INVALID_INPUT', path: inDomain };
const badTld = { __typename: 'InvalidInput', code: 'TLD_UNSUPPORTED', path: inDomain };
const bad = (...path: string[]) => ({
  __typename: 'InvalidInput',
  code: 'INVALID_INPUT',
  path: ['input', ...path],
});

describe('a registration is refused with type, code, path and facts:', () => {
  const cases: readonly [string, object, object][] = [
    ['a taken name', { domain: 'outside-taken.com' }, notAvailable],
    [
      'a name in the account',
      { domain: 'reseller-demo.com' },
      { __typename: 'AlreadyOwned', code: 'ALREADY_OWNED', path: inDomain },
    ],
    ['a name that the registry reserves', { domain: 'nic.com' }, notAvailable],
    ['too few years', { domain: 'short-stay.ai', period: 1 }, range(2, 10)],
    ['too many years', { domain: 'long-stay.co', period: 6 }, range(1, 5)],
    ['no years', { domain: 'no-stay.com', period: 0 }, range(1, 10)],
    ['years without end', { domain: 'end-less.com', period: 2_147_483_647 }, range(1, 10)],
    ['only one period', { domain: 'one-year.de', period: 2 }, range(1, 1)],
    ['a label too short', { domain: 'a.com' }, badName],
    ['two labels above the TLD', { domain: 'www.some-shop.com' }, badName],
    ['a TLD itself', { domain: 'co.uk' }, badName],
    ['a name that imitates another', { domain: 'аррlе.com' }, badName],
    ['a TLD that is not sold', { domain: 'some-shop.zzzz' }, badTld],
    ['a TLD that is listed and not sold', { domain: 'some-shop.museum' }, badTld],
    [
      'letters that the TLD does not support',
      { domain: 'bücher-laden.me' },
      { __typename: 'InvalidInput', code: 'IDN_UNSUPPORTED', path: inDomain },
    ],
    ['no name servers', { domain: 'no-hosts.com', nameServers: [] }, bad('nameServers')],
    [
      'more than 13 name servers',
      { domain: 'all-hosts.com', nameServers: [...Array(14)].map((_, at) => `ns${at}.dns.net`) },
      bad('nameServers'),
    ],
    [
      'a key with a line break inside',
      { domain: 'bad-key.com', idempotencyKey: 'a\nb' },
      bad('idempotencyKey'),
    ],
  ];
  let responses: readonly Payload[];
  beforeAll(async () => {
    responses = await shop.makeAll(
      'register',
      cases.map(([, input]) => input),
    );
  });

  test.each(cases.map(([name, , refusal], at) => ({ name, refusal, at })))(
    '$name',
    ({ refusal, at }) => {
      const { purchase, errors } = responses[at];

      expect(purchase).toBeNull();
      expect(errors).toMatchObject([{ ...refusal, executed: 'NO', retryable: false }]);
      expect(errors[0].message).toMatch(/.{20,}\.$/su);
    },
  );
});

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
    registrant: { ...ada, email: 'x', phone: 'y' },
    contact: at({ city: '' }),
    idempotencyKey: '',
  });

  expect(purchase).toBeNull();
  const places = errors.map(({ path }: Payload) => path.slice(1).join('.'));
  expect(places.toSorted()).toEqual([
    'contact.address.city',
    'domain',
    'idempotencyKey',
    'nameServers',
    'period',
    'registrant.email',
    'registrant.phone',
  ]);
});

test('a client can select only code and message of the errors', async () => {
  const { data, errors } = await shop.gateway.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) {
      registerDomain(input: $input) { purchase { id } errors { code message } } }`,
    { input: { domain: 'outside-simple.com', nameServers: ['ns1.dns.net'], registrant: ada } },
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
