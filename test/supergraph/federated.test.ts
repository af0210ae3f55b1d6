import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { composeServices } from '@theguild/federation-composition';
import { execute, type GraphQLSchema, parse } from 'graphql';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { globalId } from '../../src/schema/global-id.ts';
import { readText } from '../docs/markdown.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { federatedNeighbour, inProcess, overHttp, watched } from './neighbour.ts';

const ours = readText('subgraph.graphql');

/** Composes our subgraph with the neighbour's; throws what the composer objects to. */
function compose(typeDefs: string, neighbour: string): string {
  const { supergraphSdl, errors } = composeServices([
    { name: 'reseller', url: 'http://reseller/graphql', typeDefs: parse(typeDefs) },
    { name: 'visits', url: 'http://visits/graphql', typeDefs: parse(neighbour) },
  ]);
  expect(errors ?? []).toEqual([]);
  return supergraphSdl ?? '';
}

/** A router over both, made of nothing but the composed supergraph. */
function route(gateway: TestGateway, supergraphSdl: string, neighbour: GraphQLSchema) {
  const executors: Readonly<Record<string, ReturnType<typeof overHttp>>> = {
    RESELLER: overHttp(gateway),
    VISITS: inProcess(neighbour),
  };
  const schema = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    onSubschemaConfig(config) {
      config.executor = executors[config.name.toUpperCase()] as typeof config.executor;
    },
  });
  return async (document: string) =>
    JSON.parse(JSON.stringify(await execute({ schema, document: parse(document) })));
}

const gateway = await startTestGateway({ env: { SUBGRAPH: 'true' }, sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

describe('a router over this graph and another', () => {
  const neighbour = federatedNeighbour();
  const ask = route(gateway, compose(ours, neighbour.sdl), neighbour.schema);

  test('what the other lists is completed here, one call a name, in its order, null where it is not ours', async () => {
    const { data, errors } = await ask('{ busiest { name visits status transferLocked } }');

    expect(errors).toBeUndefined();
    expect(data.busiest).toEqual([
      { name: 'private-demo.net', visits: 70, status: 'Active', transferLocked: true },
      { name: 'nobody-has-this.com', visits: 20, status: null, transferLocked: null },
      { name: 'reseller-demo.com', visits: 10, status: 'Active', transferLocked: true },
    ]);
    expect(await gateway.countCalls()).toEqual({ getdetails: watched.length });
  });

  test('what the other adds needs a field of ours, and a page of ours still costs one list', async () => {
    const { data, errors } = await ask('{ domains(first: 40) { nodes { name visits reminder } } }');

    expect(errors).toBeUndefined();
    expect(data.domains.nodes).toHaveLength(40);
    expect(data.domains.nodes.map(({ name }: { name: string }) => name)).toContain(watched[0]);
    for (const { name, reminder } of data.domains.nodes) {
      expect(reminder).toMatch(new RegExp(`^${name} ends on \\d{4}-\\d\\d-\\d\\d$`));
    }
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('what the other lists and computes of a field of ours is read for one call a name', async () => {
    const { data } = await ask('{ busiest { name reminder } }');

    expect(data.busiest[0].reminder).toMatch(/^private-demo.net ends on/);
    expect(data.busiest[1].reminder).toBeNull();
    expect(await gateway.countCalls()).toEqual({ getdetails: watched.length });
  });

  test('node and nodes are not in the graph of all, which knows ids of others too', async () => {
    const id = globalId('Domain', 'private-demo.net');

    const { errors } = await ask(`{ node(id: "${id}") { id } }`).catch((error) => ({
      errors: [error],
    }));
    const fields = (await ask('{ __type(name: "Query") { fields { name } } }')).data.__type.fields;

    expect(errors ?? []).toHaveLength(1);
    expect(fields.map(({ name }: { name: string }) => name)).toContain('domain');
    expect(fields.map(({ name }: { name: string }) => name)).not.toContain('node');
  });
});
