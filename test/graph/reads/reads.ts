import { expect } from 'vitest';
import { demoPortfolio } from '../../../sandbox/service/seed.ts';
import type { GraphQLResponse, TestGateway } from '../../support/gateway.ts';

/** Sends a query, asserts that it has no errors and returns its data. */
export async function read(
  gateway: TestGateway,
  document: string,
  variables?: object,
): Promise<GraphQLResponse['data']> {
  const { data, errors } = await gateway.query(document, variables);
  expect(errors).toBeUndefined();
  return data;
}

/** Arms a fault for the next calls of an action, by default for all attempts of one read. */
export const arm = (gateway: TestGateway, fault: string, action: string, facts: object = {}) =>
  gateway.admin('POST', '/faults', { fault, action, times: 3, ...facts });

/** The names of the demo portfolio in the order of the upstream's list, which has the first 200. */
export const portfolioNames = (count: number): readonly string[] =>
  [...demoPortfolio(count)].map(([name]) => name);

/** Names that are available and not premium. */
export const freeNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `not-registered-${at}.com`);

/** `a0: field(name: "…") { … } a1: …`: one selection for each name. */
export const aliased = (field: string, names: readonly string[], selection: string): string =>
  names.map((name, at) => `a${at}: ${field}(name: "${name}") ${selection}`).join('\n');

/** The parts of an error that the tests compare. */
export const errorFacts = ({ path, message, extensions }: GraphQLResponse['errors'][number]) => ({
  path,
  message,
  code: extensions.code,
  retryable: extensions.retryable,
  executed: extensions.executed,
});
