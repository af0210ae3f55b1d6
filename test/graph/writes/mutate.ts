import { expect } from 'vitest';
import type { GraphQLResponse, TestGateway } from '../../support/gateway.ts';
import { inputTypeOf } from '../../support/input-type.ts';

export interface Problem {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly executed: string;
  readonly retryable: boolean;
}

/** Every common field of an error. */
export const errors = 'errors { __typename code message path executed retryable }';

/** The document of one mutation with the alias `it`. */
export const documentOf = (name: string, fields = ''): string => {
  return `mutation ($input: ${inputTypeOf(name)}!) { it: ${name}(input: $input) { ${fields} ${errors} } }`;
};

/** Sends one mutation and returns its payload; an error beside the data fails the test. */
export async function mutate(
  gateway: TestGateway,
  name: string,
  input: object | null,
  fields = '',
): Promise<GraphQLResponse['data']> {
  const response = await gateway.query(documentOf(name, fields), { input });
  expect(response.errors).toBeUndefined();
  return response.data.it;
}

/** The record of a domain of `demo` in the sandbox. */
export async function rowOf(gateway: TestGateway, name: string): Promise<GraphQLResponse['data']> {
  const rows = await gateway.admin('GET', `/domain?name=${encodeURIComponent(name)}`);
  return (rows as readonly { reseller: number }[]).find(({ reseller }) => reseller === 1);
}
