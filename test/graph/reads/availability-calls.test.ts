import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { aliased, freeNames, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const fifty = freeNames(50);

test('50 names, requested as a list and by aliases, are one bulk call of 50 names', {
  tags: ['G24'],
}, async () => {
  const document = `query ($names: [String!]!) {
    list: availabilities(names: $names) { name state }
    ${aliased('availability', fifty, '{ name state }')}
  }`;

  const { list, ...aliases } = await read(gateway, document, { names: fifty });

  expect(list).toEqual(fifty.map((name) => ({ name, state: 'AVAILABLE' })));
  expect(Object.values(aliases)).toEqual(list);
  const calls = await gateway.upstreamCalls();
  expect(calls).toMatchObject([{ action: 'bulkcheckavailability' }]);
  expect([...(calls[0]?.domains ?? [])].sort()).toEqual([...fifty].sort());
});

test('one name is one single check, whatever its spelling and the number of fields', async () => {
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

test('two names are one bulk call', async () => {
  await read(gateway, `{ ${aliased('availability', fifty.slice(0, 2), '{ state }')} }`);

  expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 1 });
});

test('a list keeps its order and its duplicates', async () => {
  const names = ['free-b.com', 'reseller-demo.com', 'free-b.com', 'free-a.com'];

  const { availabilities } = await read(
    gateway,
    'query ($names: [String!]!) { availabilities(names: $names) { name state } }',
    { names },
  );

  expect(availabilities).toEqual([
    { name: 'free-b.com', state: 'AVAILABLE' },
    { name: 'reseller-demo.com', state: 'TAKEN' },
    { name: 'free-b.com', state: 'AVAILABLE' },
    { name: 'free-a.com', state: 'AVAILABLE' },
  ]);
  expect((await gateway.upstreamCalls())[0]?.domains).toHaveLength(3);
});

test('an empty list causes no upstream call', async () => {
  expect(await read(gateway, '{ availabilities(names: []) { name } }')).toEqual({
    availabilities: [],
  });
  expect(await gateway.upstreamCalls()).toEqual([]);
});

test('the TLDs of 100 names cost one further call', async () => {
  const names = freeNames(100);

  const { availabilities } = await read(
    gateway,
    'query ($names: [String!]!) { availabilities(names: $names) { tld { name } } }',
    { names },
  );

  expect(availabilities).toEqual(names.map(() => ({ tld: { name: 'com' } })));
  expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 1, tldlist: 1 });
});
