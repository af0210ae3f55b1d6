import { graphql, type ResultOf } from '../graph/graphql.ts';

const priceFields = graphql(`
  fragment PriceFields on TldPrice {
    period
    price { amount currency }
    cost { amount currency }
  }
`);

/** Prices of the shop beside what the registrar charges, which needs the scope `prices:cost`. */
export const pricesDocument = graphql(
  `
    query Prices($contains: String, $after: String) {
      tlds(first: 12, after: $after, filter: { contains: $contains, active: true }) {
        totalCount
        pageInfo { endCursor hasNextPage }
        nodes {
          name
          unicodeName
          registration: price(operation: REGISTRATION) { ...PriceFields }
          renewal: price(operation: RENEWAL) { ...PriceFields }
          transfer: price(operation: TRANSFER) { ...PriceFields }
        }
      }
    }
  `,
  [priceFields],
);

export type PriceRow = NonNullable<ResultOf<typeof pricesDocument>['tlds']>['nodes'][number];
export type Price = ResultOf<typeof priceFields>;
