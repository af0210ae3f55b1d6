import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { priceOf } from '../../support/prices.ts';
import { aliased, freeNames, read } from './reads.ts';
import { nameOf, search } from './searching.ts';

const gateway = await startTestGateway({ sandboxDomains: 40, sandboxTlds: everyTld });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const checkAll = async (names: readonly string[], fields: string) => {
  const document = `query ($names: [String!]!) { found: availabilities(names: $names) { ${fields} } }`;
  return (await read(gateway, document, { names })).found;
};
const check = async (name: string, fields: string) =>
  (await read(gateway, `{ it: availability(name: "${name}") { ${fields} } }`)).it;

describe('the number of upstream calls', () => {
  test('of 50 names, requested as a list and by aliases, is one bulk call of 50 names', {
    tags: ['G24'],
  }, async () => {
    const fifty = freeNames(50);
    const { list, ...aliases } = await read(
      gateway,
      `query ($names: [String!]!) {
        list: availabilities(names: $names) { name state }
        ${aliased('availability', fifty, '{ name state }')}
      }`,
      { names: fifty },
    );

    expect(list).toEqual(fifty.map((name) => ({ name, state: 'AVAILABLE' })));
    expect(Object.values(aliases)).toEqual(list);
    const calls = await gateway.upstreamCalls();
    expect(calls).toMatchObject([{ action: 'bulkcheckavailability' }]);
    expect(calls[0]?.domains?.toSorted()).toEqual(fifty.toSorted());
  });

  test('of one name is one single check, whatever its spelling and the number of fields', async () => {
    const { a, b, c } = await read(
      gateway,
      `{
        a: availability(name: "not-registered.com") { name state }
        b: availability(name: "  Not-RegisTERED.com. ") { name state }
        c: availabilities(names: ["not-registered.com", "NOT-registered.com"]) { name state }
      }`,
    );

    expect(a).toEqual({ name: 'not-registered.com', state: 'AVAILABLE' });
    expect([b, ...c]).toEqual([a, a, a]);
    expect(await gateway.upstreamCalls()).toMatchObject([
      { action: 'singlecheckavailability', domain: 'not-registered.com' },
    ]);
  });

  test('of 100 names with their TLDs is two', async () => {
    const names = freeNames(100);

    expect(await checkAll(names, 'tld { name }')).toEqual(
      names.map(() => ({ tld: { name: 'com' } })),
    );
    expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 1, tldlist: 1 });
  });

  test('of 150 names is two, as estimated, and duplicates and text that is no name cost nothing', async () => {
    const names = freeNames(150);
    const sent = names.flatMap((name) => [name, 'no name', name.toUpperCase()]);
    const { data, extensions } = await gateway.query(
      'query ($names: [String!]!) { availabilities(names: $names) { name } }',
      { names: sent },
    );

    expect(data.availabilities.map(({ name }: { name: string }) => name)).toEqual(
      names.flatMap((name) => [name, 'no name', name]),
    );
    expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 2 });
    expect(extensions.cost.upstreamCalls).toBe(2);
  });

  test.each([[[]], [['a b', '-a.com']]])('of the list %j is none', async (names) => {
    expect(await checkAll(names, 'state')).toEqual(names.map(() => ({ state: 'INVALID' })));
    expect(await gateway.upstreamCalls()).toEqual([]);
  });
});

describe('the values of a name:', () => {
  const fields = `state premium price { amount currency } cost { amount currency } period command status reason
    errorCode retryable`;
  const free = {
    ...{ state: 'AVAILABLE', premium: false, period: 1, command: 'create' },
    ...{ status: 'available', reason: null, errorCode: null, retryable: false },
  };
  const taken = {
    ...free,
    ...{ state: 'TAKEN', price: null, cost: null, period: null },
    status: 'notavailable',
  };
  const usd = (amount: string) => ({ amount, currency: 'USD' });

  test.each([
    [
      'a free name has its price and its cost',
      'not-registered.com',
      { ...free, price: usd('22.5800'), cost: usd('11.2900') },
    ],
    [
      'a price in liras is TRY',
      'not-registered.gen.tr',
      {
        ...{ ...free, price: { amount: '298.0000', currency: 'TRY' } },
        cost: { amount: '149.0000', currency: 'TRY' },
      },
    ],
    ['a taken name has no price', 'google.com', { ...taken, reason: 'Domain exists' }],
    ['a domain in the account is taken', 'private-demo.net', { ...taken, reason: 'Domain exists' }],
    ['a reserved name is taken', 'example.com', { ...taken, reason: 'Domain reserved' }],
  ])('%s', async (_what, name, expected) => {
    expect(await check(name, fields)).toEqual(expected);
  });

  test('a premium name has its own price, the same in single and bulk checks', async () => {
    const premium = await check('casino.com', fields);

    expect(premium).toEqual({
      ...{ ...free, premium: true },
      price: usd(priceOf(premium.cost.amount)),
      cost: usd(expect.stringMatching(/\.0000$/)),
    });
    expect(
      await checkAll(['casino.com', 'not-registered.com'], 'price { amount currency }'),
    ).toEqual([{ price: premium.price }, { price: usd('22.5800') }]);
  });

  test.each([
    ['Straße-Für-Alle.COM.', 'xn--strae-fr-alle-edb25b.com', 'straße-für-alle.com', false],
    ['аррӏе.com', 'xn--80ak6aa92e.com', 'xn--80ak6aa92e.com', true],
    ['раураl.com', 'xn--l-7sba6dbr.com', 'xn--l-7sba6dbr.com', true],
    ['İSTANBUL.com', 'xn--istanbul-o0e.com', 'xn--istanbul-o0e.com', true],
    ['оса.рф', 'xn--80a1aj.xn--p1ai', 'оса.рф', false],
  ])(
    '%s is returned as its A-label and in Unicode unless it is a lookalike',
    { tags: ['G3'] },
    async (spelling, name, unicodeName, lookalike) => {
      expect(await check(spelling, 'name unicodeName lookalike')).toEqual({
        ...{ name, unicodeName, lookalike },
      });
    },
  );
});

describe('a name has the same result in a single check, a bulk check and a search:', {
  tags: ['G4', 'G12'],
}, () => {
  const reason = expect.any(String);

  test.each([
    ['of a TLD that is not sold', 'foo', 'unknowntld', 'INVALID', 'TLD_UNSUPPORTED', reason],
    ['of a TLD that is no longer sold', 'foo', 'museum', 'INVALID', 'TLD_UNSUPPORTED', reason],
    ['of a label too short for its TLD', 'a', 'io', 'INVALID', 'INVALID_INPUT', reason],
    ['with letters that its TLD refuses', 'bücher', 'name', 'INVALID', 'IDN_UNSUPPORTED', reason],
    ['with letters that its TLD accepts', 'bücher', 'de', 'AVAILABLE', null, null],
    ['that imitates another', 'оса', 'com', 'INVALID', 'INVALID_INPUT', reason],
    ['that is reserved', 'www', 'com', 'TAKEN', null, 'Domain reserved'],
  ])('%s', async (_what, label, tld, state, errorCode, reason) => {
    const fields = 'state errorCode retryable reason';
    const [bulk] = await checkAll([`${label}.${tld}`, ...freeNames(1)], fields);
    const alone = await check(`${label}.${tld}`, fields);
    const [found] = await search(gateway, { label, tlds: [tld] }, `availability { ${fields} }`);

    const expected = { state, errorCode, retryable: false, reason };
    expect([bulk, alone, found.availability]).toMatchObject([expected, expected, expected]);
  });
});

describe('a name with letters that its TLD does not accept', () => {
  const invalid = { state: 'INVALID', errorCode: 'IDN_UNSUPPORTED', retryable: false };
  const fields = 'state errorCode retryable';

  test('is checked alone once when the bulk reply omits it, and the result is cached for its TLD', async () => {
    const found = await checkAll(['bücher.io', 'käse.io', 'maple-harbor.io'], fields);

    expect(found).toMatchObject([invalid, invalid, { state: 'AVAILABLE' }]);
    expect(await gateway.countCalls()).toEqual({
      ...{ bulkcheckavailability: 1, tldlist: 1, singlecheckavailability: 1 },
    });
    await gateway.resetCalls();
    const again = await checkAll(['grün.io', 'maple-harbor.io'], fields);

    expect(again).toMatchObject([invalid, { state: 'AVAILABLE' }]);
    expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
  });

  test('is not in a search, unless the client names its TLD', async () => {
    const selection = `availability { ${fields} }`;
    const results = await search(gateway, { label: 'bücher' }, selection);

    expect(results).toHaveLength(100);
    // Confirming each refusal would take every call that one request may make, about 190.
    expect((await gateway.upstreamCalls()).length).toBeLessThan(100);
    // The registrar cannot parse a name under an internationalised TLD.
    for (const { availability } of results.filter((one) => !nameOf(one).includes('.xn--'))) {
      expect(availability).toMatchObject({ state: 'AVAILABLE', errorCode: null, retryable: false });
    }
    expect(await search(gateway, { label: 'bücher', tlds: ['io', 'de'] }, selection)).toMatchObject(
      [{ availability: invalid }, { availability: { state: 'AVAILABLE' } }],
    );
  });
});

test('a list keeps its order and its duplicates, with INVALID for a name that is none', async () => {
  const long = `${'x'.repeat(300)} y.com`;
  const names = [
    ...['maple-harbor.com', 'a b.com', 'reseller-demo.com', ' Maple-Harbor.COM. ', 'nodot'],
    ...[long, 'a b.com', ''],
  ];

  const found = await checkAll(
    names,
    `name unicodeName lookalike state errorCode retryable reason premium
      price { amount } tld { name }`,
  );

  const tld = { name: 'com' };
  const free = { name: 'maple-harbor.com', state: 'AVAILABLE', tld };
  const no = (name: string) => ({
    ...{ name, unicodeName: name, lookalike: false, state: 'INVALID', errorCode: 'INVALID_INPUT' },
    ...{ retryable: false, premium: null, price: null, tld: null },
    reason: expect.stringMatching(/^[A-Z"].*\.$/),
  });
  expect(found).toMatchObject([
    ...[free, no('a b.com'), { name: 'reseller-demo.com', state: 'TAKEN', tld }, free, no('nodot')],
    ...[no(`${'x'.repeat(80)}…`), no('a b.com'), no('')],
  ]);
  expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 1, tldlist: 1 });
});
