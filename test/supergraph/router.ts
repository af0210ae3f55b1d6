import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { composeServices } from '@theguild/federation-composition';
import { execute, type GraphQLSchema, parse, validate } from 'graphql';
import { expect } from 'vitest';
import type { GraphQLResponse, TestGateway } from '../support/gateway.ts';
import { inProcess, overHttp } from './neighbour.ts';

/** Asks a graph of many as its clients do. */
export type Ask = (
  document: string,
  variables?: Record<string, unknown>,
) => Promise<Pick<GraphQLResponse, 'data' | 'errors'>>;

/** Executes a schema of this process as over HTTP: invalid documents are refused, and the result is JSON. */
export const asking =
  (schema: GraphQLSchema): Ask =>
  async (text, variableValues) => {
    const document = parse(text);
    const errors = validate(schema, document);
    if (errors.length > 0) return { data: undefined, errors };
    return JSON.parse(JSON.stringify(await execute({ schema, document, variableValues })));
  };

/** The addresses in the supergraph. `routerOver` sends requests to neither. */
const nowhere = { reseller: 'http://reseller/graphql', visits: 'http://visits/graphql' };

/** Composes our subgraph with the neighbour's; the composer may object to nothing. */
export function compose(ours: string, neighbour: string, urls = nowhere): string {
  const { supergraphSdl, errors } = composeServices([
    { name: 'reseller', url: urls.reseller, typeDefs: parse(ours) },
    { name: 'visits', url: urls.visits, typeDefs: parse(neighbour) },
  ]);
  expect(errors ?? []).toEqual([]);
  return supergraphSdl ?? '';
}

/** A router over both, made of nothing but the composed supergraph. */
export function routerOver(
  supergraphSdl: string,
  ours: TestGateway,
  neighbour: GraphQLSchema,
): Ask {
  const executors = { RESELLER: overHttp(ours), VISITS: inProcess(neighbour) };
  const schema = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    onSubschemaConfig(config) {
      config.executor = executors[config.name as keyof typeof executors] as typeof config.executor;
    },
  });
  return asking(schema);
}
