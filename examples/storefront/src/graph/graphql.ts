import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './introspection.d.ts';

/** Reads a document, and gives its result and its variables the types that `schema.graphql` says. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    CurrencyCode: string;
    DateTime: string;
    Decimal: string;
    DomainName: string;
    URL: string;
  };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
