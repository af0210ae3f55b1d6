import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readText } from '../docs/markdown.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { generateManifest, type ManifestFile } from '../support/manifest.ts';
import { found, names, recordingFetch } from './contract.ts';

const domain = 'query One($name: String!) { domain(name: $name) { id name state } }';
const deferred =
  'query Late { reseller { name } ... @defer { domain(name: "reseller-demo.com") { state } } }';

let manifest: ManifestFile;
let gateway: TestGateway;
const wire = recordingFetch();
beforeAll(async () => {
  manifest = await generateManifest(readText('schema.graphql'), [domain, deferred, found]);
  gateway = await startTestGateway({
    sandboxDomains: 40,
    env: { DOCUMENT_MODE: 'enforce', DOCUMENT_MANIFEST: manifest.path, DEVELOPMENT: 'false' },
  });
});
beforeEach(() => {
  wire.exchanges.length = 0;
});
afterAll(async () => {
  await gateway?.close();
  manifest?.remove();
});

const endpoint = () => `${gateway.url}/graphql`;
/** The id that the client preset has put beside the document. */
const idOf = async (name: string) => manifest.ids[name] ?? '';
const variables = { name: 'reseller-demo.com' };
const expected = { domain: { name: 'reseller-demo.com', state: 'ACTIVE' } };

const post = async (body: object, accept = 'application/json') => {
  const response = await fetch(endpoint(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  });
  return response.text();
};

test('Apollo Client requests a document of the preset by its id and never sends a text', async () => {
  const client = new ApolloClient({
    link: new PersistedQueryLink({ generateHash: () => idOf('One') }).concat(
      new HttpLink({ uri: endpoint(), fetch: wire.fetch }),
    ),
    cache: new InMemoryCache(),
  });

  const { data } = await client.query({ query: gql(domain), variables });

  expect(data).toMatchObject(expected);
  expect(wire.exchanges).toMatchObject([{ status: 200, sendsText: false }]);
});

test('urql requests a document of the preset by its id and never sends a text', async () => {
  const byId = persistedExchange({
    enforcePersistedQueries: true,
    generateHash: () => idOf('One'),
  });
  const client = new Client({
    url: endpoint(),
    fetch: wire.fetch,
    exchanges: [byId, fetchExchange],
  });

  const { data } = await client.query(domain, variables);

  expect(data).toMatchObject(expected);
  expect(wire.exchanges).toMatchObject([{ method: 'GET', status: 200, sendsText: false }]);
});

test('a deferred document of the manifest arrives in parts, or complete for clients that accept none', async () => {
  const documentId = await idOf('Late');

  const parts = await post({ documentId }, 'multipart/mixed');
  const whole = await post({ documentId });

  expect(parts).toContain('"hasNext":true');
  expect(JSON.parse(whole).data).toMatchObject({ domain: { state: 'ACTIVE' } });
});

test('a subscription of the manifest is requested by its id', async () => {
  const stream = await post({ documentId: await idOf('Found') }, 'text/event-stream');

  expect([...stream.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name).toSorted()).toEqual(
    names,
  );
});

test('any other document is refused without a call, with an error that clients can read', async () => {
  const apollo = new ApolloClient({
    link: new HttpLink({ uri: endpoint() }),
    cache: new InMemoryCache(),
  });
  await gateway.resetCalls();

  const refused = await apollo
    .query({ query: gql('{ reseller { name } }'), errorPolicy: 'all' })
    .then(({ error }) => error?.message);
  const events: unknown[] = [];
  const client = createClient({ url: endpoint() });
  for await (const event of client.iterate({
    query: 'subscription { searchDomains(labels: ["a"]) { availability { name } } }',
  })) {
    events.push(event);
  }
  client.dispose();

  expect(refused).toBe('The manifest of this gateway has no such document.');
  expect(events).toMatchObject([{ errors: [{ extensions: { code: 'DOCUMENT_NOT_LISTED' } }] }]);
  expect(await gateway.countCalls()).toEqual({});
});
