import { expect } from 'vitest';
import { demoPortfolio } from '../../../src/sandbox/service/seed-domains.ts';
import type { Answer, TestGateway } from '../../support/gateway.ts';

/** Sends a query that must go well, and hands back its data. */
export async function read(
  gateway: TestGateway,
  document: string,
  variables?: object,
): Promise<Answer['data']> {
  const { data, errors } = await gateway.query(document, variables);
  expect(errors).toBeUndefined();
  return data;
}

/** Lets the sandbox play a fault on calls to come, as often as a read is repeated unless told otherwise. */
export const arm = (gateway: TestGateway, fault: string, action: string, facts: object = {}) =>
  gateway.admin('POST', '/faults', { fault, action, times: 3, ...facts });

/** The names of the demo portfolio in the order of the service's list, which shows the first 200. */
export const portfolioNames = (count: number): readonly string[] =>
  [...demoPortfolio(count)].map(([name]) => name);

/** Names that nobody has, and no premium ones. */
export const freeNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `nobody-has-this-${at}.com`);

/** `a0: field(name: "…") { … } a1: …`: one selection for each name. */
export const aliased = (field: string, names: readonly string[], selection: string): string =>
  names.map((name, at) => `a${at}: ${field}(name: "${name}") ${selection}`).join('\n');

/** An error as the tests look at it: where, what, and in which words. */
export const told = ({ path, message, extensions }: Answer['errors'][number]) => ({
  path,
  message,
  code: extensions.code,
  retryable: extensions.retryable,
  executed: extensions.executed,
});
