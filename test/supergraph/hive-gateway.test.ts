import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../src/modules/index.ts';
import { printSubgraph } from '../../src/supergraph/sdl.ts';
import { portfolioNames } from '../graph/reads/reads.ts';
import type { GraphQLResponse } from '../support/gateway.ts';
import { startTestGateway } from '../support/gateway.ts';
import { whyNotShort } from '../support/long.ts';
import { because } from '../support/skipped.ts';
import { expectReminders, listed, pageWithReminders } from './expected.ts';
import { federatedNeighbour } from './neighbour.ts';
import { bought, buy } from './purchase.ts';
import { compose } from './router.ts';

/** Hive Gateway, with HTTP on both sides. It has many packages, so it has a folder of its own. */
const folder = join(import.meta.dirname, 'hive-gateway');
const isInstalled = existsSync(join(folder, 'node_modules', '@graphql-hive'));
const why = whyNotShort ?? (isInstalled ? null : 'run "npm ci" in test/supergraph/hive-gateway');

interface Router {
  fetch(url: string, init: RequestInit): Promise<Response>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}

async function startRouter(supergraph: string): Promise<Router> {
  const file = createRequire(join(folder, 'package.json')).resolve('@graphql-hive/gateway-runtime');
  const { createGatewayRuntime } = await import(file);
  return createGatewayRuntime({ supergraph, logging: false });
}

describe.skipIf(why)(`behind Hive Gateway${because(why)}`, () => {
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
    router = started.use(await startRouter(supergraph));
  });
  afterAll(() => started.disposeAsync());
  beforeEach(() => gateway.resetCalls());

  async function sendQuery(query: string, variables: object = {}): Promise<GraphQLResponse> {
    const response = await router.fetch('http://router/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
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
});
