import { readFileSync } from 'node:fs';

interface Peer {
  readonly name: string;
  /** The npm package, and the folder whose package.json has its version. */
  readonly from: readonly [packageName: string, folder: string] | null;
  readonly tried: string;
  /** A test file below `test`, without `.test.ts`. */
  readonly test: string;
}

const apollo = ['@apollo/client', '.'] as const;
const mcp = ['@modelcontextprotocol/client', '.'] as const;
const routers = 'test/supergraph/hive-gateway';

/** Clients and servers of other makers, which the tests use with the gateway. */
export const peers: readonly Peer[] = [
  {
    name: 'Apollo Client, `Defer20220824Handler`',
    from: apollo,
    tried: 'queries, errors, `@defer` and `@stream`, hashes, subscriptions by `graphql-sse`',
    test: 'clients/apollo',
  },
  {
    name: 'Apollo Client, `GraphQL17Alpha9Handler`',
    from: apollo,
    tried: '`@defer` and `@stream`, nested and with errors',
    test: 'clients/apollo',
  },
  {
    name: 'Relay',
    from: ['relay-runtime', 'test/clients/relay'],
    tried: '`semantic.graphql` in the compiler, pages, `@defer`, the store after a mutation',
    test: 'clients/relay',
  },
  {
    name: 'urql',
    from: ['@urql/core', '.'],
    tried: 'queries, errors, `@defer` and `@stream`, hashes, subscriptions',
    test: 'clients/urql',
  },
  {
    name: 'graphql-request',
    from: ['graphql-request', '.'],
    tried: 'queries, errors, documents with `@defer` in one response',
    test: 'clients/graphql-request',
  },
  {
    name: 'graphql-sse',
    from: ['graphql-sse', '.'],
    tried: 'subscriptions of the ten everyday operations',
    test: 'clients/everyday',
  },
  {
    name: 'gql.tada',
    from: ['gql.tada', 'examples/storefront'],
    tried: 'types of scalars and documents',
    test: 'clients/scalar-types',
  },
  {
    name: 'GraphQL Code Generator',
    from: ['@graphql-codegen/client-preset', '.'],
    tried: 'types of scalars, persisted documents',
    test: 'clients/scalar-types',
  },
  {
    name: '`fetch` alone',
    from: null,
    tried: 'the ten everyday operations with the code of [`fetch`](fetch.md)',
    test: 'docs/documents',
  },
  {
    name: 'curl',
    from: null,
    tried: 'queries, compression, `@defer`, events, exports',
    test: 'clients/curl',
  },
  {
    name: 'the audits of graphql-http',
    from: ['graphql-http', '.'],
    tried: 'GraphQL over HTTP',
    test: 'server/conformance',
  },
  {
    name: 'Hive Gateway',
    from: ['@graphql-hive/gateway-runtime', routers],
    tried: 'queries over two subgraphs, entities in batches, purchases',
    test: 'supergraph/hive-gateway',
  },
  {
    name: 'the query planner of Hive Router',
    from: ['@graphql-hive/router-runtime', routers],
    tried: 'the same',
    test: 'supergraph/hive-gateway',
  },
  {
    name: 'the composer of The Guild',
    from: ['@theguild/federation-composition', '.'],
    tried: 'composition with another subgraph',
    test: 'supergraph/federated',
  },
  {
    name: 'the composer of Cosmo',
    from: ['@wundergraph/composition', routers],
    tried: 'the same',
    test: 'supergraph/hive-gateway',
  },
  {
    name: 'schema stitching',
    from: ['@graphql-tools/stitch', '.'],
    tried: 'queries over two schemas, in batches',
    test: 'supergraph/stitched',
  },
  {
    name: 'nginx in front, with its default configuration',
    from: null,
    tried: 'parts and events arrive one by one',
    test: 'server/behind-nginx',
  },
  {
    name: 'nginx with `proxy_cache`',
    from: null,
    tried: 'hits, purging by tag, no response for other callers',
    test: 'server/public-cache',
  },
  { name: 'MCP by sign-in', from: mcp, tried: 'OAuth by the address alone', test: 'mcp/sign-in' },
  { name: 'MCP by key', from: mcp, tried: 'lists and calls tools', test: 'mcp/http' },
  {
    name: 'MCP by standard input and output',
    from: mcp,
    tried: 'lists, calls and cancels tools',
    test: 'mcp/stdio',
  },
  {
    name: 'the conformance tests of MCP',
    from: ['@modelcontextprotocol/conformance', 'test/mcp/conformance'],
    tried: 'the scenarios that apply to any server',
    test: 'mcp/conformance',
  },
  {
    name: 'Express',
    from: ['express', 'test/package/express'],
    tried: 'the graph below a path, before a body parser',
    test: 'package/express',
  },
  {
    name: 'Fastify',
    from: ['fastify', '.'],
    tried: 'all kinds of responses',
    test: 'package/create-gateway',
  },
  {
    name: '`node:http`',
    from: null,
    tried: 'all kinds of responses',
    test: 'package/create-gateway',
  },
  {
    name: 'a handler of `Request`',
    from: null,
    tried: 'all kinds of responses, streams, cancellation',
    test: 'package/create-gateway',
  },
  {
    name: 'npx in an empty folder',
    from: null,
    tried: 'all commands of the packed package',
    test: 'package/packed',
  },
  {
    name: 'an OpenTelemetry collector, by OTLP in JSON',
    from: null,
    tried: 'traces with their attributes, a collector that is away',
    test: 'processes/traces',
  },
  {
    name: 'the verification of standardwebhooks',
    from: ['standardwebhooks', '.'],
    tried: 'signatures of webhooks',
    test: 'graph/webhooks/webhooks',
  },
];

/** The version of a peer that the tests install; `–` for a program of the machine. */
export function versionOf({ from }: Peer): string {
  if (from === null) return '–';
  const [name, folder] = from;
  const url = new URL(`../${folder}/package.json`, import.meta.url);
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(url, 'utf8'));
  const version = { ...dependencies, ...devDependencies }[name];
  if (version === undefined) throw new Error(`${folder}/package.json has no ${name}.`);
  return version;
}
