import { parse, subscribe } from 'graphql';
import { describe, expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { withParts } from '../../../test/support/with-parts.ts';
import { schema } from '../../app/graph.ts';
import { accessScopes, anonymous } from '../../kernel/caller.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { execute } from '../../lib/graphql-js.ts';
import { offersReply } from '../../upstream/domain-api/availability-shapes.ts';
import { availabilityOf } from '../availability/check.ts';
import { createQuoteService } from '../quote/service.ts';
import { toResult } from './result.ts';

const offer = { Price: '10', Currency: 'USD', Period: 1, IsFee: false, Command: 'create' };
const offersOf = (changes: object = {}) =>
  offersReply([{ ...offer, Status: 'available', ...changes }]);
const name = parseDomainName('bücher.com');
const resultOf = (offers: Parameters<typeof availabilityOf>[1]) =>
  toResult(
    { name, tld: tldWith('com'), named: true, suggested: false, refusal: null },
    3,
    availabilityOf(name, offers),
    plainQuotes,
  );

function start(offers: Parameters<typeof availabilityOf>[1] = offersOf()) {
  const searches: [how: string, search: object][] = [];
  const service = {
    async list(search: object) {
      searches.push(['list', search]);
      return [resultOf(offers)];
    },
    async stream(search: object) {
      searches.push(['stream', search]);
      return (async function* () {
        yield resultOf(offers);
      })();
    },
  };
  const above = () => ({ label: 'bücher', tld: tldWith('com'), labelFault: null });
  const tlds = { above: async () => above(), tldOf: async () => above().tld };
  const quotes = createQuoteService(plainQuotes, tlds);
  const scope = {
    caller: { ...anonymous, scopes: new Set(Object.keys(accessScopes)) },
    ...withParts({ searches: service, quotes, tldReads: tlds }),
  };
  const run = { schema, contextValue: scope };
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  return {
    searches,
    send: async (text: string) => plain(await execute({ ...run, document: parse(text) })),
    async follow(text: string) {
      const events: unknown[] = [];
      const stream = await subscribe({ ...run, document: parse(text) });
      if (!(Symbol.asyncIterator in stream)) throw new Error('There is no stream.');
      for await (const event of stream) events.push(plain(event));
      return events;
    },
  };
}

test('a search has the arguments of the client, and its results', async () => {
  const { send, searches } = start();
  const filter =
    'filter: { available: true, maxPrice: { amount: "9", currency: "USD" } }, first: 2';
  const { data } = await send(`{ searchDomains(labels: ["bücher"], tlds: ["com"], ${filter}) {
    position suggested totals { period certainty }
    availability { name unicodeName state tld { name } quote { period highest { amount } } } } }`);

  expect(searches).toMatchObject([
    ['list', { labels: ['bücher'], tlds: ['com'], first: 2, filter: { available: true } }],
  ]);
  expect(data.searchDomains).toEqual([
    {
      ...{ position: 3, suggested: false },
      totals: [
        { period: 1, certainty: 'LISTED' },
        ...[3, 5, 10].map((period) => ({ period, certainty: 'ESTIMATED' })),
      ],
      availability: {
        ...{ name, unicodeName: 'bücher.com', state: 'AVAILABLE', tld: { name: 'com' } },
        quote: { period: 1, highest: { amount: '10.0000' } },
      },
    },
  ]);
});

test('a subscription has an event for each result', async () => {
  const { follow, searches } = start();

  expect(
    await follow('subscription { searchDomains(labels: ["bücher"]) { availability { name } } }'),
  ).toEqual([{ data: { searchDomains: { availability: { name } } } }]);
  expect(searches).toMatchObject([['stream', { labels: ['bücher'] }]]);
});

describe('the availability of a name', () => {
  const fields = `name unicodeName lookalike premium price { amount } period command status
    reason errorCode retryable`;
  const shown = async (offers: Parameters<typeof availabilityOf>[1], selection = fields) => {
    const { data, errors = [] } = await start(offers).send(
      `{ searchDomains(labels: ["bücher"]) { availability { ${selection} } } }`,
    );
    const paths = errors.map(({ path }: { path: string[] }) => path.at(-1));
    return { ...data.searchDomains[0].availability, paths };
  };
  const upstream = { code: 'API_1_ERROR', message: 'Text of the registrar.' };

  test('has the values of its offer', async () => {
    expect(await shown(offersOf())).toEqual({
      ...{ name, unicodeName: 'bücher.com', lookalike: false, premium: false },
      ...{ price: { amount: '10.0000' }, period: 1, command: 'create', status: 'available' },
      ...{ reason: null, errorCode: null, retryable: false, paths: [] },
    });
  });

  test('has no price when it is taken, and the reason of the offer', async () => {
    const taken = offersOf({ Status: 'notavailable', Reason: 'In use' });

    expect(await shown(taken)).toMatchObject({
      ...{ price: null, reason: 'In use', errorCode: null },
    });
  });

  test('has an error for each value that cannot be read', async () => {
    const odd = offersOf({ IsFee: 'maybe', Price: 'dear' });

    expect((await shown(odd)).paths).toEqual(['premium']);
    expect((await shown(offersOf({ Price: 'dear', Period: {} }))).paths).toEqual([
      ...['price', 'period'],
    ]);
  });

  test.each<[string, Fault, object]>([
    [
      'INVALID, with the text of the registrar',
      new Fault('RESERVED', { upstream }),
      { reason: upstream.message, errorCode: 'RESERVED', retryable: false },
    ],
    [
      'INVALID, without such a text',
      new Fault('RESERVED'),
      { reason: new Fault('RESERVED').message, errorCode: 'RESERVED', retryable: false },
    ],
    [
      'UNKNOWN, with a message of the gateway',
      new Fault('RATE_LIMITED', { upstream }),
      { reason: new Fault('RATE_LIMITED').message, errorCode: 'RATE_LIMITED', retryable: true },
    ],
  ])('has a reason when it is %s', async (_what, fault, expected) => {
    expect(await shown(fault)).toMatchObject({
      ...{ premium: null, price: null, period: null, command: null },
      ...{ status: null, paths: [], ...expected },
    });
  });
});
