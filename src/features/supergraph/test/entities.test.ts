import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { arm, errorFacts, portfolioNames, read } from '../../../../test/graph/reads/reads.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { requestPaths } from '../../../../test/support/request-paths.ts';
import { globalId } from '../../../kernel/ids.ts';

const document = /* GraphQL */ `
  query ($representations: [_Any!]!) {
    _entities(representations: $representations) {
      __typename
      ... on Domain { name }
      ... on Tld { tld: name }
      ... on Contact { id role }
      ... on Reseller { account: name }
    }
  }
`;

describe.each(requestPaths)('entities on %s', (_name, way) => {
  const started = startTestGateway({ ...way, env: { SUBGRAPH: 'true' }, sandboxDomains: 60 });
  afterAll(async () => (await started).close());
  beforeEach(async () => (await started).resetCalls());

  const entities = async (representations: readonly unknown[]) =>
    (await read(await started, document, { representations }))._entities;

  const domain = { __typename: 'Domain', name: 'private-demo.net' };
  const tld = { __typename: 'Tld', tld: 'xn--p1ai' };
  const contact = { __typename: 'Contact', id: globalId('Contact', 'private-demo.net/billing') };
  const account = { __typename: 'Reseller', account: 'Demo Reseller' };

  test.each([
    [domain, domain, { getdetails: 1 }],
    [{ __typename: 'Domain', id: globalId('Domain', domain.name) }, domain, { getdetails: 1 }],
    [{ __typename: 'Domain', name: ' Private-Demo.NET. ' }, domain, { getdetails: 1 }],
    [{ __typename: 'Tld', name: 'рф' }, tld, { tldlist: 1 }],
    [{ __typename: 'Tld', id: globalId('Tld', 'xn--p1ai') }, tld, { tldlist: 1 }],
    [contact, { ...contact, role: 'BILLING' }, { getdetails: 1 }],
    [{ __typename: 'Reseller', id: globalId('Reseller', 'self') }, account, { resellerdetails: 1 }],
  ])('%j is found by its key', async (representation, found, calls) => {
    expect(await entities([representation])).toEqual([found]);
    expect(await (await started).countCalls()).toEqual(calls);
  });

  test('a hundred representations, repeated and unknown ones among them, cost one call of each kind', async () => {
    const names = portfolioNames(60).slice(0, 30);
    const groups = [
      ...names.map((name) => ({ __typename: 'Domain', name })),
      ...names.map((name) => ({ __typename: 'Domain', id: globalId('Domain', name) })),
      ...names.slice(0, 10).map((name) => contactOf(name)),
      ...['com', 'net', 'com', 'рф'].map((name) => ({ __typename: 'Tld', name })),
      ...Array.from({ length: 6 }, () => ({
        __typename: 'Reseller',
        id: globalId('Reseller', 'self'),
      })),
      ...Array.from({ length: 10 }, (_, at) => ({
        __typename: 'Domain',
        name: `absent-${at}.com`,
      })),
      ...Array.from({ length: 10 }, (_, at) => ({ __typename: 'Tld', name: `unsold-${at}` })),
    ];
    // A step without a common factor with 100 visits each representation once, in mixed order.
    const requested = groups.map((_, at) => groups[(at * 37) % groups.length] ?? {});

    const found = await entities(requested);

    expect(requested).toHaveLength(100);
    expect(found).toEqual(requested.map(expected));
    expect(await (await started).countCalls()).toEqual({
      getdomainlist: 1,
      tldlist: 1,
      resellerdetails: 1,
    });
  });

  test.each([
    ['text', 'A representation must be an object with "__typename".'],
    [{ name: 'a.com' }, 'A representation must be an object with "__typename".'],
    [{ __typename: { name: 1 } }, 'A representation must be an object with "__typename".'],
    [['Domain'], 'A representation must be an object with "__typename".'],
    [{ __typename: 'Cart' }, '"Cart" is not an entity of this graph.'],
    [{ __typename: 'toString' }, '"toString" is not an entity of this graph.'],
    [{ __typename: 'Domain' }, 'A representation of Domain must have "id" or "name" as a string.'],
    [
      { __typename: 'Domain', name: 7 },
      'A representation of Domain must have "id" or "name" as a string.',
    ],
    [
      { __typename: 'Contact', name: 'x' },
      'A representation of Contact must have "id" as a string.',
    ],
    [
      { __typename: 'Reseller', id: 'zzz' },
      expect.stringContaining('"zzz" is not an id of this graph'),
    ],
  ])(
    '%j has an error of its own, and the other representations are resolved',
    async (bad, message) => {
      const gateway = await started;

      const { data, errors } = await gateway.query(document, {
        representations: [domain, bad, { __typename: 'Tld', name: 'рф' }],
      });

      expect(data._entities).toEqual([domain, null, tld]);
      expect(errors.map(errorFacts)).toEqual([
        {
          path: ['_entities', 1],
          message,
          code: 'INVALID_INPUT',
          retryable: false,
          executed: 'NO',
        },
      ]);
      expect(await gateway.countCalls()).toEqual({ getdetails: 1, tldlist: 1 });
    },
  );

  test('an id of another type, and text that is no name, are null without an upstream call', async () => {
    const found = await entities([
      { __typename: 'Domain', id: globalId('Tld', 'com') },
      { __typename: 'Domain', id: globalId('Domain', 'Not-As-Given.com') },
      { __typename: 'Domain', name: 'not a name' },
    ]);

    expect(found).toEqual([null, null, null]);
    expect(await (await started).upstreamCalls()).toEqual([]);
  });

  test('a failing call is an error at the entities that need it, and at no other', async () => {
    const gateway = await started;
    await arm(gateway, 'gateway', 'tldlist');

    const { data, errors } = await gateway.query(document, {
      representations: [{ __typename: 'Tld', name: 'com' }, domain],
    });

    expect(data._entities).toEqual([null, domain]);
    expect(errors.map(errorFacts)).toMatchObject([
      { path: ['_entities', 0], code: 'UPSTREAM_UNAVAILABLE' },
    ]);
  });

  test('more than a thousand representations are refused without an upstream call', async () => {
    const gateway = await started;
    const representations = Array.from({ length: 1_001 }, () => domain);

    const { errors } = await gateway.query(document, { representations });

    expect(errors[0].message).toContain('"representations" must have at most 1000 items');
    expect(await gateway.upstreamCalls()).toEqual([]);
  });
});

const contactOf = (name: string) => ({
  __typename: 'Contact',
  id: globalId('Contact', `${name}/billing`),
});

/** The expected entity of a representation in the test with a hundred of them. */
function expected(requested: Readonly<Record<string, unknown>>): object | null {
  const { __typename, name, id } = requested;
  if (/^(absent|unsold)-/.test(`${name}`)) return null;
  switch (__typename) {
    case 'Domain':
      return { __typename, name: name ?? Buffer.from(`${id}`, 'base64url').toString().slice(7) };
    case 'Tld':
      return { __typename, tld: name === 'рф' ? 'xn--p1ai' : name };
    case 'Reseller':
      return { __typename, account: 'Demo Reseller' };
    default:
      return { __typename, id, role: 'BILLING' };
  }
}
