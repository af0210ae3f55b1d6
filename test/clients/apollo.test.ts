import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  Observable,
} from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { isMutationOperation, isSubscriptionOperation, print } from '@apollo/client/utilities';
import { createClient } from 'graphql-sse';
import { describe, expect, test } from 'vitest';
import { possibleTypes } from '../../client/index.ts';
import { sha256 } from '../support/manifest.ts';
import { type Connect, describeClient, found, names, search, useGateway } from './contract.ts';

type Handler = NonNullable<ApolloClient.Options['incrementalHandler']>;

const build = (link: ApolloLink, handler: Handler = new Defer20220824Handler()) =>
  new ApolloClient({
    link,
    cache: new InMemoryCache({ possibleTypes }),
    incrementalHandler: handler,
  });

const handlers: readonly [form: string, create: () => Handler][] = [
  ['deferSpec=20220824', () => new Defer20220824Handler()],
  // Its type does not fit with `exactOptionalPropertyTypes`.
  ['incrementalSpec=v0.2', () => new GraphQL17Alpha9Handler() as unknown as Handler],
];

/** Queries as an application does, and returns the thrown error. */
const sendBy =
  (client: ApolloClient): ReturnType<Connect>['send'] =>
  async (document, variables = {}) => {
    const parsed = gql(document);
    const { data, error } = isMutationOperation(parsed)
      ? await client.mutate({ mutation: parsed, variables, errorPolicy: 'all' })
      : await client.query({ query: parsed, variables, errorPolicy: 'all' });
    if (error && !CombinedGraphQLErrors.is(error)) throw error;
    return { data, errors: error?.errors ?? [] };
  };

const connect: Connect = (uri, fetch) => ({ send: sendBy(build(new HttpLink({ uri, fetch }))) });

describe('Apollo Client', () => {
  describeClient(connect);

  describe.each(handlers)('in parts, as %s', (form, createHandler) => {
    const gateway = useGateway();
    const type = `multipart/mixed; boundary="-"; ${form}`;
    const connected = () => {
      const { endpoint: uri, fetch } = gateway;
      return build(new HttpLink({ uri, fetch }), createHandler());
    };

    test('deferred data arrives later', async () => {
      const query = gql(
        'query Late { reseller { id name } ... @defer { domain(name: "reseller-demo.com") { id state } } }',
      );

      const seen: unknown[] = [];
      const { promise: complete, resolve } = Promise.withResolvers<void>();
      const watching = connected()
        .watchQuery({ query })
        .subscribe(({ data, dataState }) => {
          seen.push([
            dataState,
            ['reseller', 'domain'].filter((name) => Object.hasOwn(data ?? {}, name)),
          ]);
          if (dataState === 'complete') resolve();
        });
      await complete;
      watching.unsubscribe();

      expect(seen).toContainEqual(['streaming', ['reseller']]);
      expect(seen.at(-1)).toEqual(['complete', ['reseller', 'domain']]);
      expect(gateway.exchanges).toMatchObject([{ status: 200, type }]);
    });

    test('a streamed list grows', async () => {
      const query = gql(
        `query Stream { searchDomains(${search}) @stream { availability { name } } }`,
      );

      const lengths: number[] = [];
      await new Promise<void>((resolve) => {
        connected()
          .watchQuery<{ searchDomains: readonly unknown[] }>({ query })
          .subscribe((result) => {
            lengths.push(result.data?.searchDomains?.length ?? 0);
            if (!result.loading && lengths.at(-1) === 2) resolve();
          });
      });

      expect(lengths).toEqual(lengths.toSorted());
      expect(gateway.exchanges).toMatchObject([{ status: 200, type }]);
    });

    test('fragments in deferred fragments and their errors arrive', async () => {
      const query = gql(`query Nested {
        reseller { id name }
        ... @defer {
          domain(name: "reseller-demo.com") { id name ... @defer { state ... @defer { expiresAt } } }
          missing: domain(name: "not-ours.com") { id }
          bad: purchases(first: 1, after: "x") { nodes { id } }
        }
      }`);

      const { data, error } = await connected().query<Record<string, unknown>>({
        query,
        errorPolicy: 'all',
      });

      expect(data).toMatchObject({
        reseller: { name: 'Demo Reseller' },
        domain: { name: 'reseller-demo.com', state: 'ACTIVE', expiresAt: expect.any(String) },
        missing: null,
        bad: null,
      });
      expect(CombinedGraphQLErrors.is(error) && error.errors.map(({ path }) => path)).toEqual([
        ['bad'],
      ]);
    });
  });

  describe('by hash', () => {
    const gateway = useGateway();
    const hashed = () => {
      const { endpoint: uri, fetch } = gateway;
      return build(
        ApolloLink.from([new PersistedQueryLink({ sha256 }), new HttpLink({ uri, fetch })]),
      );
    };
    const document = 'query Hashed { reseller { id name } }';
    const expected = { reseller: { name: 'Demo Reseller' } };

    test('the text is sent once, by the first client', async () => {
      const first = await sendBy(hashed())(document);
      const second = await sendBy(hashed())(document);

      expect([first.data, second.data]).toMatchObject([expected, expected]);
      expect(gateway.exchanges.map(({ status, sendsText }) => [status, sendsText])).toEqual([
        [422, false],
        [200, true],
        [200, false],
      ]);
    });

    test('an error is the same as without a hash', async () => {
      const { errors } = await sendBy(hashed())('query Hashed { nothing }');

      expect(errors).toMatchObject([{ message: expect.stringMatching(/^Cannot query field/) }]);
    });

    test('hashes work with GET too', async () => {
      const { endpoint: uri, fetch } = gateway;
      const link = new PersistedQueryLink({ sha256, useGETForHashedQueries: true });
      const client = build(ApolloLink.from([link, new HttpLink({ uri, fetch })]));

      const { data } = await sendBy(client)('query ByGet { reseller { id name } }');

      expect(data).toMatchObject(expected);
      expect(gateway.exchanges.map(({ method }) => method)).toEqual(['GET', 'POST']);
    });
  });

  describe('subscriptions', () => {
    const gateway = useGateway();

    test('work with a link of graphql-sse', async () => {
      const { endpoint, fetch } = gateway;
      const events = createClient({ url: endpoint });
      const stream = new ApolloLink(
        ({ query, variables }) =>
          new Observable((observer) =>
            events.subscribe({ query: print(query), variables }, observer as never),
          ),
      );
      const client = build(
        ApolloLink.split(
          ({ query }) => isSubscriptionOperation(query),
          stream,
          new HttpLink({ uri: endpoint, fetch }),
        ),
      );

      const seen: string[] = [];
      await new Promise<void>((resolve, reject) => {
        client
          .subscribe<{ searchDomains: { availability: { name: string } } }>({ query: gql(found) })
          .subscribe({
            next: ({ data }) => void (data && seen.push(data.searchDomains.availability.name)),
            error: reject,
            complete: resolve,
          });
      });

      expect(seen.toSorted()).toEqual(names);
    });

    test('without it are refused with a sentence that names the media type', async () => {
      const { endpoint: uri, fetch } = gateway;
      const client = build(new HttpLink({ uri, fetch }));

      const error = await new Promise((resolve) => {
        client
          .subscribe({
            query: gql(`subscription { searchDomains(${search}) { availability { name } } }`),
          })
          .subscribe({ next: ({ error }) => resolve(error), error: resolve });
      });

      expect(String((error as { bodyText?: string }).bodyText ?? error)).toContain(
        'send `accept: text/event-stream`',
      );
    });
  });
});
