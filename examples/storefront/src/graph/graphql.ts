import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './introspection.d.ts';

/** Parses a document; its result and variables have the types of `schema.graphql`. */
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
