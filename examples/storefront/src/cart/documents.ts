import { refusalFields } from '../graph/error-text.ts';
import { graphql, type ResultOf, type VariablesOf } from '../graph/graphql.ts';

/** The price of one name, which needs no sign-in. */
export const linePriceDocument = graphql(`
  query LinePrice($name: String!, $period: Int!) {
    availability(name: $name) { quote(period: $period) { certainty highest { amount currency } } }
  }
`);

const quoteFields = graphql(
  `fragment QuoteFields on OrderQuote {
    lines {
      position
      quote { certainty highest { amount currency } }
      errors { ...RefusalFields }
    }
    totals { price { amount currency } estimated }
    errors { ...RefusalFields }
  }`,
  [refusalFields],
);

export const quoteDocument = graphql(
  `query Quote($input: QuoteOrderInput!) { quoteOrder(input: $input) { ...QuoteFields } }`,
  [quoteFields],
);

export const placeDocument = graphql(
  `mutation Place($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      order { id }
      quote { ...QuoteFields }
      errors { ...RefusalFields }
    }
  }`,
  [quoteFields, refusalFields],
);

export const orderByKeyDocument = graphql(
  `query OrderByKey($key: String!) { order(by: { key: $key }) { id } }`,
);

export type Quote = ResultOf<typeof quoteFields>;
export type LineQuote = Quote['lines'][number];
export type QuoteInput = VariablesOf<typeof quoteDocument>['input'];
export type PlaceInput = VariablesOf<typeof placeDocument>['input'];
/** What all lines of an order have. */
export type OrderDefaults = NonNullable<QuoteInput['defaults']>;
