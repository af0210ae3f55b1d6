import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
import { composeServices } from '@theguild/federation-composition';
import { execute, type GraphQLSchema, parse, validate } from 'graphql';
import { expect } from 'vitest';
import type { GraphQLResponse, TestGateway } from '../../../../test/support/gateway.ts';
import { inProcess, overHttp } from './neighbour.ts';

/** Sends a query to a composed graph. */
export type SendQuery = (
  document: string,
  variables?: Record<string, unknown>,
) => Promise<Pick<GraphQLResponse, 'data' | 'errors'>>;

/** Executes a schema in this process like over HTTP: invalid documents are refused, and the result is JSON. */
export const queriesTo =
  (schema: GraphQLSchema): SendQuery =>
  async (text, variableValues) => {
    const document = parse(text);
    const errors = validate(schema, document);
    if (errors.length > 0) return { data: undefined, errors };
    return JSON.parse(JSON.stringify(await execute({ schema, document, variableValues })));
  };

/** The addresses in the supergraph. `routerOver` sends requests to neither. */
const nowhere = { reseller: 'http://reseller/graphql', visits: 'http://visits/graphql' };

/** Composes our subgraph with the neighbour's, and asserts that the composer reports no error. */
export function compose(ours: string, neighbour: string, urls = nowhere): string {
  const { supergraphSdl, errors } = composeServices([
    { name: 'reseller', url: urls.reseller, typeDefs: parse(ours) },
    { name: 'visits', url: urls.visits, typeDefs: parse(neighbour) },
  ]);
  expect(errors ?? []).toEqual([]);
  return supergraphSdl ?? '';
}

/** A router for both subgraphs, created from the composed supergraph only. */
export function routerOver(
  supergraphSdl: string,
  ours: TestGateway,
  neighbour: GraphQLSchema,
): SendQuery {
  const executors = { RESELLER: overHttp(ours), VISITS: inProcess(neighbour) };
  const schema = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    onSubschemaConfig(config) {
      config.executor = executors[config.name as keyof typeof executors] as typeof config.executor;
    },
  });
  return queriesTo(schema);
}
