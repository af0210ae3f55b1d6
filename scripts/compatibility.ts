import { readFileSync } from 'node:fs';

/**
 * Clients and servers of other makers, which the tests use with the gateway. Columns: name, npm package, the folder whose
 * package.json has its version, a test file without `.test.ts`, and what the test tries. A program of the machine has
 * no package.
 */
const rows = [
  'Apollo Client, `Defer20220824Handler` | @apollo/client | . | test/clients/apollo | queries, errors, `@defer` and `@stream`, hashes, subscriptions by `graphql-sse`',
  'Apollo Client, `GraphQL17Alpha9Handler` | @apollo/client | . | test/clients/apollo | `@defer` and `@stream`, nested and with errors',
  'Relay | relay-runtime | test/clients/relay | test/clients/relay | `semantic.graphql` in the compiler, pages, `@defer`, the store after a mutation',
  'urql | @urql/core | . | test/clients/urql | queries, errors, `@defer` and `@stream`, hashes, subscriptions',
  'graphql-request | graphql-request | test/clients/graphql-request | test/clients/graphql-request | queries, errors, documents with `@defer` in one response',
  'graphql-sse | graphql-sse | . | test/clients/everyday | subscriptions of the ten everyday operations',
  'gql.tada | gql.tada | examples/storefront | test/clients/scalar-types | types of scalars and documents',
  'GraphQL Code Generator | @graphql-codegen/client-preset | . | test/clients/scalar-types | types of scalars, persisted documents',
  '`fetch` alone | – | – | test/docs/documents | the ten everyday operations with the code of docs/clients.md',
  'curl | – | – | test/clients/curl | queries, compression, `@defer`, events, exports',
  'the audits of graphql-http | graphql-http | . | test/server/conformance | GraphQL over HTTP',
  'Hive Gateway | @graphql-hive/gateway-runtime | src/features/supergraph/test/hive-gateway | src/features/supergraph/test/hive-gateway | queries over two subgraphs, entities in batches, purchases',
  'the query planner of Hive Router | @graphql-hive/router-runtime | src/features/supergraph/test/hive-gateway | src/features/supergraph/test/hive-gateway | the same',
  'the composer of The Guild | @theguild/federation-composition | . | src/features/supergraph/test/federated | composition with another subgraph',
  'the composer of Cosmo | @wundergraph/composition | src/features/supergraph/test/hive-gateway | src/features/supergraph/test/hive-gateway | the same',
  'schema stitching | @graphql-tools/stitch | . | src/features/supergraph/test/stitched | queries over two schemas, in batches',
  'nginx in front, with its default configuration | – | – | test/server/behind-nginx | parts and events arrive one by one',
  'nginx with `proxy_cache` | – | – | test/server/public-cache | hits, purging by tag, no response for other callers',
  'MCP by sign-in | @modelcontextprotocol/client | . | src/features/mcp/test/sign-in | OAuth by the address alone',
  'MCP by key | @modelcontextprotocol/client | . | src/features/mcp/test/http | lists and calls tools',
  'MCP by standard input and output | @modelcontextprotocol/client | . | src/features/mcp/test/stdio | lists, calls and cancels tools',
  'the conformance tests of MCP | @modelcontextprotocol/conformance | src/features/mcp/test/conformance | src/features/mcp/test/conformance | the scenarios that apply to any server',
  'Express | express | test/package/express | test/package/express | the graph below a path, before a body parser',
  'Fastify | fastify | . | test/package/create-gateway | all kinds of responses',
  '`node:http` | – | – | test/package/create-gateway | all kinds of responses',
  'a handler of `Request` | – | – | test/package/create-gateway | all kinds of responses, streams, cancellation',
  'npx in an empty folder | – | – | test/package/packed | all commands of the packed package',
  'an OpenTelemetry collector, by OTLP in JSON | – | – | test/processes/traces | traces with their attributes, a collector that is away',
  'the verification of standardwebhooks | standardwebhooks | . | src/features/webhook/test/webhooks | signatures of webhooks',
];

export const peers = rows.map((row) => {
  const [name = '', packageName = '', folder = '', test = '', tried = ''] = row.split(' | ');
  return { name, version: packageName === '–' ? '–' : versionIn(folder, packageName), test, tried };
});

/** The version that the tests install. */
function versionIn(folder: string, packageName: string): string {
  const url = new URL(`../${folder}/package.json`, import.meta.url);
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(url, 'utf8'));
  const version = { ...dependencies, ...devDependencies }[packageName];
  if (version === undefined) throw new Error(`${folder}/package.json has no ${packageName}.`);
  return version;
}
