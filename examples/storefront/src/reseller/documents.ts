import { refusalFields } from '../graph/error-text.ts';
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
  `query Prices($contains: String, $first: Int!) {
    tlds(first: $first, filter: { contains: $contains, active: true }) {
      totalCount
      nodes {
        name
        unicodeName
        registration: price(operation: REGISTRATION) { ...PriceFields }
        renewal: price(operation: RENEWAL) { ...PriceFields }
        transfer: price(operation: TRANSFER) { ...PriceFields }
      }
    }
  }`,
  [priceFields],
);

export type PriceRow = NonNullable<ResultOf<typeof pricesDocument>['tlds']>['nodes'][number];
export type Price = ResultOf<typeof priceFields>;

/** The domains of one customer, and the renewals of a year, by month, at the prices of the shop and at cost. */
export const customerDocument = graphql(`
  query Customer($customer: String!) {
    domainStats(filter: { customer: $customer }) {
      totalCount
      renewals(months: 12) {
        from
        count
        totals { price { amount currency } cost { amount currency } }
      }
    }
  }
`);

export const assignDocument = graphql(
  `mutation Assign($input: SetDomainCustomerInput!) {
    payload: setDomainCustomer(input: $input) { errors { ...RefusalFields } }
  }`,
  [refusalFields],
);

export const labelDocument = graphql(
  `mutation Label($input: LabelDomainsInput!) {
    payload: labelDomains(input: $input) { errors { ...RefusalFields } }
  }`,
  [refusalFields],
);
