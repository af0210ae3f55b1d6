import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { freeNames, read } from './reads.ts';
import { search } from './searching.ts';

const gateway = await startTestGateway({ sandboxDomains: 40, sandboxTlds: everyTld });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const fields = 'state errorCode retryable';
const check = (names: readonly string[]) =>
  read(
    gateway,
    `query ($names: [String!]!) { found: availabilities(names: $names) { name ${fields} } }`,
    { names },
  );

describe('a name has the same result in a single check, a bulk check and a search:', {
  tags: ['G4', 'G12'],
}, () => {
  test.each([
    ['of a TLD that is not sold', 'foo', 'unknowntld', 'INVALID', 'TLD_UNSUPPORTED'],
    ['of a TLD that is no longer sold', 'foo', 'museum', 'INVALID', 'TLD_UNSUPPORTED'],
    ['of a label too short for its TLD', 'a', 'io', 'INVALID', 'INVALID_INPUT'],
    ['with letters that its TLD does not accept', 'bücher', 'name', 'INVALID', 'IDN_UNSUPPORTED'],
    ['with letters that its TLD accepts', 'bücher', 'de', 'AVAILABLE', null],
    ['that imitates another', 'оса', 'com', 'INVALID', 'INVALID_INPUT'],
    ['that is reserved', 'www', 'com', 'TAKEN', null],
  ])('%s', async (_what, label, tld, state, errorCode) => {
    const own = await startTestGateway({ sandboxDomains: 1 });
    const [free = ''] = freeNames(1);
    const bulk = await read(
      own,
      `{ found: availabilities(names: ["${label}.${tld}", "${free}"]) { ${fields} } }`,
    );
    const alone = await read(own, `{ found: availability(name: "${label}.${tld}") { ${fields} } }`);
    const [found] = await search(own, { label, tlds: [tld] }, `availability { ${fields} }`);
    await own.close();

    const response = { state, errorCode, retryable: false };
    expect(alone.found).toEqual(response);
    expect(bulk.found[0]).toEqual(response);
    expect(found.availability).toEqual(response);
  });
});

test('a name that the bulk reply omits for its letters is checked alone once, and the result is cached for its TLD', async () => {
  const names = ['bücher.io', 'käse.io', 'maple-harbor.io'];
  const invalid = { state: 'INVALID', errorCode: 'IDN_UNSUPPORTED', retryable: false };

  const { found } = await check(names);

  expect(found).toMatchObject([invalid, invalid, { state: 'AVAILABLE' }]);
  expect(await gateway.countCalls()).toEqual({
    bulkcheckavailability: 1,
    tldlist: 1,
    singlecheckavailability: 1,
  });

  await gateway.resetCalls();
  const again = await check(['grün.io', 'maple-harbor.io']);

  expect(again.found).toMatchObject([invalid, { state: 'AVAILABLE' }]);
  expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
});

test('a search omits TLDs that do not accept the letters, unless the client names them', async () => {
  const results = await search(
    gateway,
    { label: 'bücher' },
    'name availability { state errorCode retryable }',
  );

  expect(results).toHaveLength(100);
  // Confirming each refusal would take every call that one request may make, about 190.
  expect((await gateway.upstreamCalls()).length).toBeLessThan(100);
  // The registrar cannot parse a name under an internationalised TLD.
  for (const { availability } of results.filter(({ name }) => !name.includes('.xn--'))) {
    expect(availability).toEqual({ state: 'AVAILABLE', errorCode: null, retryable: false });
  }
  const named = await search(
    gateway,
    { label: 'bücher', tlds: ['io', 'de'] },
    'availability { state errorCode retryable }',
  );
  expect(named).toMatchObject([
    { availability: { state: 'INVALID', errorCode: 'IDN_UNSUPPORTED', retryable: false } },
    { availability: { state: 'AVAILABLE' } },
  ]);
});

test('an invalid name is INVALID in its position, and the list keeps order and duplicates', async () => {
  const long = `${'x'.repeat(300)} y.com`;
  const names = [
    'maple-harbor.com',
    'a b.com',
    ' Maple-Harbor.COM. ',
    'nodot',
    long,
    'a b.com',
    '',
  ];

  const { found } = await read(
    gateway,
    `query ($names: [String!]!) { found: availabilities(names: $names) {
      name unicodeName lookalike ${fields} reason available premium price { amount } tld { name }
    } }`,
    { names },
  );

  const free = { name: 'maple-harbor.com', state: 'AVAILABLE', tld: { name: 'com' } };
  const no = (name: string) => ({
    name,
    unicodeName: name,
    lookalike: false,
    state: 'INVALID',
    errorCode: 'INVALID_INPUT',
    retryable: false,
    available: false,
    premium: null,
    price: null,
    tld: null,
    reason: expect.stringMatching(/^[A-Z"].*\.$/),
  });
  expect(found).toMatchObject([
    free,
    no('a b.com'),
    free,
    no('nodot'),
    no(`${'x'.repeat(80)}…`),
    no('a b.com'),
    no(''),
  ]);
  expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1, tldlist: 1 });
});

test('a list of invalid names causes no upstream call', async () => {
  const { found } = await check(['a b', '-a.com']);

  expect(found).toMatchObject([{ state: 'INVALID' }, { state: 'INVALID' }]);
  expect(await gateway.upstreamCalls()).toEqual([]);
});

test('a name whose checks fail is UNKNOWN and retryable', { tags: ['G12'] }, async () => {
  const { found } = await check(['gateway-a.com', 'empty-a.com', 'maple-harbor.com']);

  const unknown = { state: 'UNKNOWN', retryable: true };
  expect(found).toMatchObject([unknown, unknown, { state: 'AVAILABLE' }]);
});
