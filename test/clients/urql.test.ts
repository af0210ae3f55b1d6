import { Client, type ExecutionResult, fetchExchange, gql, type OperationResult } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { createClient } from 'graphql-sse';
import { describe, expect, test } from 'vitest';
import { type Connect, describeClient, found, names, search, useGateway } from './contract.ts';

type Options = Partial<ConstructorParameters<typeof Client>[0]>;

const build = (url: string, fetch: typeof globalThis.fetch, options: Options = {}) =>
  new Client({ url, fetch, exchanges: [fetchExchange], ...options });

const sendBy =
  (client: Client): ReturnType<Connect>['send'] =>
  async (document, variables = {}) => {
    const kind = document.startsWith('mutation') ? 'mutation' : 'query';
    // To its end: its promise hangs up on an answer in parts before that is over, and drops the failure of doing so.
    const last = (await all(client[kind](document, variables))).at(-1);
    if (last?.error?.networkError) throw last.error.networkError;
    return { data: last?.data, errors: last?.error?.graphQLErrors ?? [] };
  };

/** All that a stream of results tells until it ends. */
const all = (source: {
  subscribe(next: (result: OperationResult) => void): { unsubscribe(): void };
}) =>
  new Promise<readonly OperationResult[]>((resolve) => {
    const results: OperationResult[] = [];
    source.subscribe((result) => {
      results.push(result);
      if (!result.hasNext) resolve(results);
    });
  });

describe('urql', () => {
  describeClient((endpoint, fetch) => ({ send: sendBy(build(endpoint, fetch)) }));

  describe('in parts', () => {
    const gateway = useGateway();

    test.each([
      ['the older form', {}, /"$/],
      [
        'the form of graphql-js 17',
        { accept: 'multipart/mixed;incrementalSpec=v0.2' },
        /; incrementalSpec=v0.2$/,
      ],
    ])('deferred data arrives later, in %s', async (_form, headers, type) => {
      const fetchOptions = { headers };
      const client = build(gateway.endpoint, gateway.fetch, { fetchOptions } as Options);
      const document = gql(
        'query Late { reseller { name } ... @defer { domain(name: "reseller-demo.com") { state } } }',
      );

      const results = await all(client.query(document, {}));

      expect(results.length).toBeGreaterThan(1);
      expect(results[0]?.data).toEqual({ reseller: { name: 'Demo Reseller' } });
      expect(results.at(-1)?.data).toMatchObject({ domain: { state: 'ACTIVE' } });
      expect(gateway.exchanges.at(-1)?.type).toMatch(type);
    });

    test('a streamed list grows', async () => {
      const client = build(gateway.endpoint, gateway.fetch);

      const results = await all(
        client.query(
          `query Stream { searchDomains(${search}) @stream { availability { name } } }`,
          {},
        ),
      );

      const lengths = results.map(({ data }) => data.searchDomains.length);
      expect(lengths).toEqual(lengths.toSorted());
      expect([lengths[0], lengths.at(-1)]).toEqual([0, 2]);
    });
  });

  describe('by hash', () => {
    const gateway = useGateway();

    test.each([
      ['POST', false],
      ['GET', 'within-url-limit'],
    ] as const)('the text is sent once, by %s', async (method, preferGetForPersistedQueries) => {
      const client = () =>
        build(gateway.endpoint, gateway.fetch, {
          preferGetMethod: false,
          exchanges: [persistedExchange({ preferGetForPersistedQueries }), fetchExchange],
        });
      const document = `query By${method} { reseller { name } }`;

      const first = await sendBy(client())(document);
      const second = await sendBy(client())(document);

      expect([first.data, second.data]).toMatchObject(
        Array(2).fill({ reseller: { name: 'Demo Reseller' } }),
      );
      expect(
        gateway.exchanges.map(({ method, status, sendsText }) => [method, status, sendsText]),
      ).toEqual([
        [method, 422, false],
        [method, 200, true],
        [method, 200, false],
      ]);
    });
  });

  describe('subscriptions', () => {
    const gateway = useGateway();

    test('work with its own fetch', async () => {
      const client = build(gateway.endpoint, gateway.fetch, {
        fetchSubscriptions: true,
      } as Options);

      const results = await all(client.subscription(found, {}));

      // The last one says that it is over, and has the data of the one before.
      const events = results.filter(({ hasNext }) => hasNext);
      expect(events.map(({ data }) => data?.searchDomains.availability.name).toSorted()).toEqual(
        names,
      );
      expect(gateway.exchanges).toMatchObject([{ status: 200, type: 'text/event-stream' }]);
    });
  });
});

describe('graphql-sse', () => {
  const gateway = useGateway();

  test('a subscription sends its events and ends', async () => {
    const client = createClient({ url: gateway.endpoint });

    const seen: ExecutionResult[] = [];
    for await (const result of client.iterate({ query: found })) seen.push(result as never);
    client.dispose();

    expect(seen.map(({ data }) => data?.searchDomains.availability.name).toSorted()).toEqual(names);
  });

  test('an error is an event and ends the subscription', async () => {
    const client = createClient({ url: gateway.endpoint });

    const seen: unknown[] = [];
    for await (const result of client.iterate({ query: 'subscription { nothing }' })) {
      seen.push(result);
    }
    client.dispose();

    expect(seen).toMatchObject([{ errors: [{ extensions: { code: 'INVALID_REQUEST' } }] }]);
  });
});
