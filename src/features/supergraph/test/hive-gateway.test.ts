import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portfolioNames } from '../../../../test/graph/reads/reads.ts';
import type { GraphQLResponse } from '../../../../test/support/gateway.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { whyNotShort } from '../../../../test/support/long.ts';
import { because } from '../../../../test/support/skipped.ts';
import { schema } from '../../../app/graph.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { printSubgraph } from '../sdl.ts';
import { expectReminders, listed, pageWithReminders } from './expected.ts';
import { federatedNeighbour } from './neighbour.ts';
import { bought, buy } from './purchase.ts';
import { compose } from './router.ts';

/** Routers of other makes, with HTTP on both sides. They have many packages, so they have a folder of their own. */
const folder = join(import.meta.dirname, 'hive-gateway');
const isInstalled = existsSync(join(folder, 'node_modules', '@graphql-hive'));
const why =
  whyNotShort ?? (isInstalled ? null : 'run "npm ci" in src/features/supergraph/test/hive-gateway');

interface Router {
  fetch(url: string, init: RequestInit): Promise<Response>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}

const require = createRequire(join(folder, 'package.json'));
const load = (name: string) => import(require.resolve(name));

/** The router that plans with JavaScript, and the one that plans with the planner of Hive Router, which is written in Rust. */
const runtimes: Readonly<Record<string, () => Promise<object>>> = {
  'Hive Gateway': async () => ({}),
  'Hive Router': async () => {
    const { unifiedGraphHandler } = await load('@graphql-hive/router-runtime');
    return { unifiedGraphHandler };
  },
};

/** The scopes of a request to the router, as its token would have them. */
const scopesHeader = 'x-scopes';

async function startRouter(supergraph: string, runtime: object): Promise<Router> {
  const { createGatewayRuntime } = await load('@graphql-hive/gateway-runtime');
  return createGatewayRuntime({
    supergraph,
    logging: false,
    demandControl: { includeExtensionMetadata: true },
    genericAuth: {
      mode: 'protect-granular',
      resolveUserFn: ({ headers }: { headers: Record<string, string> }) => {
        const scope = headers[scopesHeader];
        return scope === undefined ? null : { scope };
      },
    },
    ...runtime,
  });
}

describe.skipIf(why).each(Object.keys(runtimes))(`behind %s${because(why)}`, (name) => {
  const started = new AsyncDisposableStack();
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let router: Router;

  beforeAll(async () => {
    gateway = await startTestGateway({ env: { SUBGRAPH: 'true' }, sandboxDomains: 60 });
    started.defer(() => gateway.close());
    const neighbour = federatedNeighbour();
    const server = createServer(createYoga({ schema: neighbour.schema, logging: false }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.defer(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const supergraph = compose(printSubgraph(schema), neighbour.sdl, {
      reseller: `${gateway.url}/graphql`,
      visits: `http://127.0.0.1:${port}/graphql`,
    });
    router = started.use(await startRouter(supergraph, (await runtimes[name]?.()) ?? {}));
  });
  afterAll(() => started.disposeAsync());
  beforeEach(() => gateway.resetCalls());

  async function sendQuery(
    query: string,
    variables: object = {},
    scopes: readonly string[] | null = allAccessScopes,
  ): Promise<GraphQLResponse> {
    const response = await router.fetch('http://router/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(scopes && { [scopesHeader]: scopes.join(' ') }),
      },
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  }

  test('the neighbour completes a page of ours from one of our fields, for one call', async () => {
    const { data, errors } = await sendQuery(pageWithReminders);

    expect(errors).toBeUndefined();
    expectReminders(data);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('our graph completes the domains of the neighbour in its order, for one call', async () => {
    const names = [...portfolioNames(60), 'not-registered.com', ...portfolioNames(60)].reverse();

    const { data, errors } = await sendQuery(
      'query ($names: [String!]!) { busiest(names: $names) { name visits expiresAt } }',
      { names },
    );

    expect(errors).toBeUndefined();
    expect(data.busiest).toEqual(listed(names));
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('a purchase is sent once and unchanged', async () => {
    const { data, errors } = await sendQuery(buy('hived-maple.com'));

    expect(errors).toBeUndefined();
    expect(data).toEqual(bought('hived-maple.com'));
    expect(await gateway.countCalls()).toMatchObject({ registerdomain: 1 });
  });

  test.each([
    ['{ domains { nodes { name visits } } }', ['domains:check'], 0],
    ['{ domains { nodes { name visits } } }', null, 0],
    ['{ gateway { __typename } }', null, 0],
    ['{ domains { nodes { name visits } } }', ['domains:read'], 1],
    ['{ purchases { totalCount } }', ['ops'], 0],
  ])('%s with the scopes %j causes upstream calls: %i', async (query, scopes, calls) => {
    const isAllowed = calls > 0 || scopes?.includes('ops');

    const { data, errors } = await sendQuery(query, {}, scopes);

    if (isAllowed) expect(errors).toBeUndefined();
    else expect(errors.length).toBeGreaterThan(0);
    expect(Object.values(data ?? {}).some((value) => value !== null)).toBe(isAllowed === true);
    expect(await gateway.countCalls()).toEqual(calls > 0 ? { getdomainlist: calls } : {});
  });

  test.each([
    '{ domain(name: "reseller-demo.com") { name } }',
    '{ domains(first: 50) { nodes { name } } }',
    '{ domains(first: 3) { nodes { authCode } } }',
    '{ tlds(first: 1000) { nodes { prices { price { amount } } } } reseller { name } }',
    '{ domains(last: 7) { edges { node { contacts { registrant { email } } } } } }',
  ])('the router estimates the cost as the gateway does: %s', async (query) => {
    const { extensions } = await gateway.query(query);
    const routed = await sendQuery(query);

    expect(routed.extensions.cost.estimated).toBe(extensions.cost.upstreamCalls);
  });
});

test.skipIf(why)(
  `Cosmo composes both subgraphs, with the scopes and costs${because(why)}`,
  async () => {
    const {
      federateSubgraphs,
      ROUTER_COMPATIBILITY_VERSION_ONE,
    } = require('@wundergraph/composition');
    // By the copy of graphql that the composer has.
    const { parse } = require('graphql');

    const { errors, warnings, fieldConfigurations, subgraphConfigBySubgraphName } =
      federateSubgraphs({
        version: ROUTER_COMPATIBILITY_VERSION_ONE,
        subgraphs: [
          {
            name: 'reseller',
            url: 'http://reseller/graphql',
            definitions: parse(printSubgraph(schema)),
          },
          {
            name: 'visits',
            url: 'http://visits/graphql',
            definitions: parse(federatedNeighbour().sdl),
          },
        ],
      });

    expect(errors).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(fieldConfigurations).toContainEqual(
      expect.objectContaining({
        typeName: 'Query',
        fieldName: 'purchases',
        requiredScopes: [['domains:spend'], ['ops']],
      }),
    );
    const { fieldWeights, listSizes } = subgraphConfigBySubgraphName.get('reseller').costs;
    expect(fieldWeights.get('Query.domains')).toMatchObject({ weight: 1 });
    expect(listSizes.get('Query.domains')).toMatchObject({
      assumedSize: 20,
      slicingArguments: ['first', 'last'],
    });
  },
);
