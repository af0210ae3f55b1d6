import { assert, asyncProperty, constantFrom, integer, record, subarray } from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStream } from '../../support/event-stream.ts';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { runs } from '../../support/long.ts';
import { arm } from './reads.ts';
import {
  checkSizes,
  followDocument,
  label,
  learnPace,
  nameOf,
  search as searchNow,
  soldTlds,
} from './searching.ts';

const time = createGatewayClock();
const options = { sandboxDomains: 5, sandboxTlds: everyTld, clock: time.clock };
const gateway = await startTestGateway(options);
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const search: typeof searchNow = (...args) => time.during(searchNow(...args));

const selection = 'availability { state errorCode retryable quote { certainty } }';

describe('a failed call makes its names UNKNOWN and leaves the other names intact:', () => {
  test.each([
    ['a page of a proxy', 'gateway', 'UPSTREAM_UNAVAILABLE'],
    ['half a reply', 'cut', 'UPSTREAM_PROTOCOL'],
    ['no connection', 'reset', 'UPSTREAM_UNAVAILABLE'],
  ])('%s', async (_what, fault, errorCode) => {
    await learnPace(gateway);
    const tlds = soldTlds.slice(0, 250);
    await arm(gateway, fault, 'bulkcheckavailability', { domain: `${label}.${tlds[50]}` });

    const results = await search(gateway, { label, tlds }, selection);

    expect(results.map(nameOf)).toEqual(tlds.map((tld) => `${label}.${tld}`));
    const states = results.map(({ availability }) => availability.state);
    expect(new Set(states.slice(2, 102))).toEqual(new Set(['UNKNOWN']));
    expect(new Set([...states.slice(0, 2), ...states.slice(102)])).toEqual(new Set(['AVAILABLE']));
    expect(results[50]).toMatchObject({
      availability: { errorCode, retryable: true, quote: { certainty: 'UNKNOWN' } },
    });
  });

  test('a search waits for Retry-After and then sends the same number of names', async () => {
    await learnPace(gateway);
    const tlds = soldTlds.slice(0, 40);
    await arm(gateway, 'busy', 'bulkcheckavailability', { ms: 1_000, times: 1 });

    const results = await search(gateway, { label, tlds }, selection);

    expect(new Set(results.map(({ availability }) => availability.state))).toEqual(
      new Set(['AVAILABLE']),
    );
    expect(await checkSizes(gateway)).toEqual([40, 40]);
  });
});

test('an UNKNOWN name passes a price filter, and never the filter `available`', async () => {
  const filter = { maxPrice: { amount: '1000000', currency: 'USD' }, premium: false };
  const tlds = ['com', 'net'];

  const all = await search(gateway, { label: 'busy-maple', tlds, filter }, selection);
  const free = await search(
    gateway,
    { label: 'busy-maple', tlds, filter: { ...filter, available: true } },
    selection,
  );

  expect(all.map(({ availability }) => availability.state)).toEqual(['UNKNOWN', 'UNKNOWN']);
  expect(free).toEqual([]);
});

describe('every requested name is returned exactly once, and a taken name is never AVAILABLE,', () => {
  const spoilers = ['', 'gateway-', 'busy-', 'empty-', 'maps-', 'wrongtypes-', 'lost-answer-'];
  const failures = ['gateway', 'cut', 'reset', 'empty', 'html', 'maps', 'wrongtypes', 'code'];
  const plans = record({
    prefix: constantFrom(...spoilers),
    word: constantFrom('maple-harbor', 'outside-shop', 'gold'),
    tlds: subarray([...soldTlds.slice(0, 70), 'museum', 'nosuchtld'], { minLength: 1 }),
    fault: constantFrom(...failures),
    after: integer({ min: 0, max: 5 }),
    times: integer({ min: 0, max: 12 }),
    suggestions: constantFrom(0, 3),
  });

  const followed = async (fields: string, variables: object) => {
    const stream = await openStream(gateway.url, { query: followDocument(fields), variables });
    return stream.rest();
  };

  test.each(['as a list', 'as a subscription'])('%s', { timeout: 60_000 }, async (how) => {
    await assert(
      asyncProperty(plans, async ({ prefix, word, tlds, fault, after, times, suggestions }) => {
        await gateway.admin('DELETE', '/faults');
        if (times > 0) await arm(gateway, fault, 'bulkcheckavailability', { after, times });
        const variables = { label: `${prefix}${word}`, tlds, suggestions };

        const fields = `suggested ${selection}`;
        const results =
          how === 'as a list'
            ? await search(gateway, variables, fields)
            : (await time.during(followed(fields, variables)))
                .slice(0, -1)
                .map(({ data }) => data.data.searchDomains);

        const own = results.filter(({ suggested }) => !suggested).map(nameOf);
        expect(own.toSorted()).toEqual(tlds.map((tld) => `${prefix}${word}.${tld}`).toSorted());
        expect(new Set(results.map(nameOf)).size).toBe(results.length);
        for (const { suggested, availability } of results) {
          const { name } = availability;
          if (!suggested && word === 'outside-shop')
            expect(availability.state, name).not.toBe('AVAILABLE');
          if (/\.(museum|nosuchtld)$/.test(name)) expect(availability.state).toBe('INVALID');
        }
      }),
      { numRuns: runs(8, 25) },
    );
    expect(gateway.lines).toEqual([]);
  });
});
