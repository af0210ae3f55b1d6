import { graphql, type ResultOf, type VariablesOf } from '../graph/graphql.ts';

const operationFields = graphql(`
  fragment OperationFields on Purchase {
    id
    state
    price { amount currency }
    nextStep
    error { code message }
  }
`);

export const registerDocument = graphql(
  `
    mutation Register($input: RegisterDomainInput!) {
      registerDomain(input: $input) {
        purchase { ...OperationFields }
        quote { certainty highest { amount currency } }
        errors { code message executed }
      }
    }
  `,
  [operationFields],
);

export const byKeyDocument = graphql(
  `query ByKey($key: String!) { purchaseByKey(key: $key) { ...OperationFields } }`,
  [operationFields],
);

export const settledDocument = graphql(
  `subscription Settled($id: ID!) { purchaseSettled(id: $id) { ...OperationFields } }`,
  [operationFields],
);

export type Operation = ResultOf<typeof operationFields>;
export type RegisterInput = VariablesOf<typeof registerDocument>['input'];
export type RegisterPayload = ResultOf<typeof registerDocument>['registerDomain'];
export type Refusal = RegisterPayload['errors'][number];
