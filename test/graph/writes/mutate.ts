import { expect } from 'vitest';
import type { Answer, TestGateway } from '../../support/gateway.ts';

export interface Problem {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly executed: string;
  readonly retryable: boolean;
}

/** All that a refusal says of itself. */
export const errors = 'errors { __typename code message path executed retryable }';

/** The document of one mutation, its answer under the name `it`. */
export const documentOf = (name: string, fields = ''): string => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { it: ${name}(input: $input) { ${fields} ${errors} } }`;
};

/** Sends one mutation and hands back its payload; an error beside the data fails the test. */
export async function mutate(
  gateway: TestGateway,
  name: string,
  input: object,
  fields = '',
): Promise<Answer['data']> {
  const answer = await gateway.query(documentOf(name, fields), { input });
  expect(answer.errors).toBeUndefined();
  return answer.data.it;
}

/** The sandbox's own record of a domain of `demo`. */
export async function rowOf(gateway: TestGateway, name: string): Promise<Answer['data']> {
  const rows = await gateway.admin('GET', `/domain?name=${encodeURIComponent(name)}`);
  return (rows as readonly { reseller: number }[]).find(({ reseller }) => reseller === 1);
}
