import { graphql, type ResultOf, type VariablesOf } from '../graph/graphql.ts';

/** A page, its counts and the choices of the filters: one list of the registrar serves them all. */
export const portfolioDocument = graphql(`
  query Portfolio(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: DomainFilter
    $ofAnyExpiry: DomainFilter
    $expiringSoon: DomainFilter
    $orderBy: DomainOrder
  ) {
    domains(
      first: $first
      after: $after
      last: $last
      before: $before
      filter: $filter
      orderBy: $orderBy
    ) {
      totalCount
      coverage { complete known listed }
      pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
      nodes {
        id
        name
        unicodeName
        state
        status
        expiresAt
        remainingDays
        transferLocked
        privacyProtected
        renewalQuote { highest { amount currency } }
        customer
        labels { name value }
      }
    }
    ofAnyExpiry: domainStats(filter: $ofAnyExpiry) {
      renewals(months: 12) { from count totals { price { amount currency } } }
    }
    expiringSoon: domainStats(filter: $expiringSoon) { totalCount }
    all: domainStats {
      byState { state count }
      byTld(first: 100) { value count }
    }
  }
`);

export type Portfolio = ResultOf<typeof portfolioDocument>;
export type PortfolioVariables = VariablesOf<typeof portfolioDocument>;
export type DomainFilter = NonNullable<PortfolioVariables['filter']>;
export type Domains = NonNullable<Portfolio['domains']>;
export type DomainRow = Domains['nodes'][number];
export type DomainState = DomainRow['state'];
export type Renewals = NonNullable<Portfolio['ofAnyExpiry']>['renewals'];
