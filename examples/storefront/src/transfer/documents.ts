import { refusalFields } from '../graph/error-text.ts';
import { graphql, type ResultOf } from '../graph/graphql.ts';

const transferFields = graphql(
  `fragment TransferFields on Purchase {
    id
    key
    state
    domainName
    period
    createdAt
    price { amount currency }
    errors { ...RefusalFields }
    transfer { stage startedAt expectedBy endedAt refunded }
    order { id payment { state } }
  }`,
  [refusalFields],
);

export const transferDocument = graphql(
  `mutation Transfer($input: TransferDomainInput!) {
    transferDomain(input: $input) {
      purchase { ...TransferFields }
      errors { ...RefusalFields }
    }
  }`,
  [transferFields, refusalFields],
);

export const transferByKeyDocument = graphql(
  `query TransferByKey($key: String!) { purchase(by: { key: $key }) { ...TransferFields } }`,
  [transferFields],
);

export const transfersDocument = graphql(
  `query Transfers {
    purchases(first: 20, filter: { kinds: [TRANSFER] }) { nodes { ...TransferFields } }
  }`,
  [transferFields],
);

export type Transfer = ResultOf<typeof transferFields>;
