import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readText } from '../docs/markdown.ts';
import { portfolioNames } from '../graph/reads/reads.ts';
import type { Answer } from '../support/gateway.ts';
import { startTestGateway } from '../support/gateway.ts';
import { federatedNeighbour, visitsOf } from './neighbour.ts';
import { bought, buy } from './purchase.ts';

/** A router of another make, over HTTP on both sides. Its packages are many, so it has a folder of its own. */
const folder = join(import.meta.dirname, 'hive-gateway');
const isInstalled = existsSync(join(folder, 'node_modules', '@graphql-hive'));
const why = isInstalled ? '' : ' (skipped: run "npm ci" in its folder)';

interface Router {
  fetch(url: string, init: RequestInit): Promise<Response>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}

async function startRouter(supergraph: string): Promise<Router> {
  const file = createRequire(join(folder, 'package.json')).resolve('@graphql-hive/gateway-runtime');
  const { createGatewayRuntime } = await import(file);
  return createGatewayRuntime({ supergraph, logging: false });
}

describe.skipIf(!isInstalled)(`behind Hive Gateway${why}`, () => {
  const started = new AsyncDisposableStack();
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  let router: Router;

  beforeAll(async () => {
    gateway = await startTestGateway({ env: { SUBGRAPH: 'true' }, sandboxDomains: 60 });
    started.defer(() => gateway.close());
    const { sdl, schema } = federatedNeighbour();
    const server = createServer(createYoga({ schema, logging: false }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.defer(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { supergraphSdl } = composeServices([
      {
        name: 'reseller',
        url: `${gateway.url}/graphql`,
        typeDefs: parse(readText('subgraph.graphql')),
      },
      { name: 'visits', url: `http://127.0.0.1:${port}/graphql`, typeDefs: parse(sdl) },
    ]);
    router = started.use(await startRouter(supergraphSdl ?? ''));
  }, 60_000);
  afterAll(() => started.disposeAsync());
  beforeEach(() => gateway.resetCalls());

  async function ask(query: string, variables: object = {}): Promise<Answer> {
    const answer = await router.fetch('http://router/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return answer.json();
  }

  test('a page of ours is completed by the neighbour, which needs a field of ours, for one call', async () => {
    const { data, errors } = await ask('{ domains(first: 40) { nodes { name visits reminder } } }');

    expect(errors).toBeUndefined();
    expect(data.domains.nodes).toHaveLength(40);
    for (const { name, visits, reminder } of data.domains.nodes) {
      expect(visits).toBe(visitsOf(name));
      expect(reminder).toMatch(/ends on \d{4}-\d\d-\d\d$/);
    }
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('what the neighbour lists is completed here in its order, for one call', async () => {
    const names = [...portfolioNames(60), 'nobody-has-this.com', ...portfolioNames(60)].reverse();

    const { data, errors } = await ask(
      'query ($names: [String!]!) { busiest(names: $names) { name visits expiresAt } }',
      { names },
    );

    expect(errors).toBeUndefined();
    expect(data.busiest).toEqual(
      names.map((name) => ({
        name,
        visits: visitsOf(name),
        expiresAt: name.startsWith('nobody') ? null : expect.stringMatching(/^\d{4}-/),
      })),
    );
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('a purchase goes through as it is, and once', async () => {
    const { data, errors } = await ask(buy('hived-maple.com'));

    expect(errors).toBeUndefined();
    expect(data).toEqual(bought('hived-maple.com'));
    expect(await gateway.countCalls()).toMatchObject({ registerdomain: 1 });
  });
});
