import { refusalFields } from '../graph/error-text.ts';
import { graphql, type ResultOf } from '../graph/graphql.ts';

const orderFields = graphql(`
  fragment OrderFields on Order {
    id
    state
    createdAt
    progress { waiting sending pending inProgress succeeded failed unknown cancelled }
    spent { price { amount currency } estimated }
    payment {
      state
      amountDue { amount currency }
      expiresAt
      paid { amount currency }
      refunded { amount currency }
      refundDue { amount currency }
    }
  }
`);

const lineFields = graphql(
  `fragment LineFields on OrderLine {
    position
    kind
    domainName
    period
    state
    quote { certainty highest { amount currency } }
    refundDue { amount currency }
    purchase { key }
    errors { ...RefusalFields }
  }`,
  [refusalFields],
);

export const linesDocument = graphql(
  `query Lines($id: ID!) { order(by: { id: $id }) { lines(first: 500) { ...LineFields } } }`,
  [lineFields],
);

export const progressDocument = graphql(
  `subscription Progress($id: ID!) {
    orderProgress(id: $id) {
      order { ...OrderFields }
      changed { ...LineFields }
    }
  }`,
  [orderFields, lineFields],
);

export const cancelDocument = graphql(
  `mutation Cancel($id: ID!) {
    payload: cancelOrder(input: { id: $id }) { errors { ...RefusalFields } }
  }`,
  [refusalFields],
);

export type Order = ResultOf<typeof orderFields>;
export type Payment = NonNullable<Order['payment']>;
export type OrderLine = ResultOf<typeof lineFields>;
