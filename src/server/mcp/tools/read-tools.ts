import type { JsonSchema } from './json-schema.ts';

/** A tool that is one query. Its arguments are the variables of the query. */
export interface ReadTool {
  readonly title: string;
  /** For models: the content, when to use the tool, and its upstream calls. */
  readonly description: string;
  /** Whether the data comes from the registrar, and not from the gateway alone. */
  readonly asksRegistrar: boolean;
  readonly document: string;
  /** Limits of the graph, by variable. */
  readonly bounds?: Readonly<Record<string, JsonSchema>>;
}

const page = { first: { minimum: 0, maximum: 100 } };
const upTo100 = {
  ...{ minItems: 1, maxItems: 100 },
  description: 'At most 100, in any spelling; duplicates are allowed.',
};

const purchaseFields = /* GraphQL */ `
  id key kind domainName period state price { amount currency }
  createdAt submittedAt settledAt nextStep
  transfer { stage startedAt expectedBy endedAt refunded }
  errors { code message executed retryable upstreamCode upstreamMessage }
`;

/** The tools that buy and change nothing. No document selects an auth code or a contact. */
export const readTools: Readonly<Record<string, ReadTool>> = {
  search_names: {
    title: 'Search domain names',
    description:
      'Checks labels, such as "maple", under many TLDs, and returns which names can be registered, with their prices and the years that these cover. Use it to find a free name. Use check_names for complete names. Costs one upstream call for prices, and at least one per 100 names.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query SearchNames(
        $labels: [String!]!, $tlds: [String!], $available: Boolean, $maxPrice: MoneyInput
        $suggestions: Int, $first: Int! = 20
      ) {
        searchDomains(
          labels: $labels, tlds: $tlds, first: $first, suggestions: $suggestions
          filter: { available: $available, maxPrice: $maxPrice }
        ) {
          suggested
          availability { name state premium reason retryable }
          quote { period certainty lowest { amount currency } highest { amount currency } }
          renewalPrice { amount currency }
        }
      }
    `,
    bounds: {
      first: { minimum: 1, maximum: 100, description: 'Maximum number of results.' },
      suggestions: { minimum: 0, maximum: 20 },
      labels: { minItems: 1, maxItems: 100 },
      tlds: { minItems: 1, maxItems: 1000 },
    },
  },
  check_names: {
    title: 'Check domain names',
    description:
      'Returns for each complete name, such as "maple.com", whether it can be registered, whether it is a premium name, and its price for the shortest period that can be bought. Costs two upstream calls at most.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query CheckNames($names: [String!]!) {
        availabilities(names: $names) {
          name state premium reason retryable
          quote { period certainty lowest { amount currency } highest { amount currency } }
        }
      }
    `,
    bounds: { names: upTo100 },
  },
  quote: {
    title: 'Quote registrations',
    description:
      'Returns the lowest and the highest price of registering names for a number of years (without one the shortest that can be bought), and the renewal price of one year. Buys nothing, and reserves nothing. Costs two upstream calls at most.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Quote($names: [String!]!, $period: Int) {
        availabilities(names: $names) {
          name state premium reason
          quote(period: $period) {
            certainty period lowest { amount currency } highest { amount currency }
            renewalPrice { amount currency } reason
          }
        }
      }
    `,
    bounds: { names: upTo100, period: { minimum: 1 } },
  },
  prices: {
    title: 'List TLD prices',
    description:
      'Returns the listed prices and the periods of TLDs. Use it for prices without a name. Costs one upstream call, or none while the price list is cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Prices($names: [String!], $operation: PriceOperation, $first: Int! = 20, $after: String) {
        tlds(filter: { names: $names }, first: $first, after: $after) {
          totalCount
          nodes {
            name minPeriod maxPeriod
            prices(operation: $operation) { operation period price { amount currency } }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: { first: { ...page.first, description: 'Number of TLDs.' } },
  },
  portfolio_summary: {
    title: 'Summarize the domains',
    description:
      'Returns counts of the domains of the account by state, TLD and month of expiry, and the cost of renewals of the next 12 months. Costs two upstream calls, or none while the lists are cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query PortfolioSummary($tlds: [String!], $states: [DomainState!], $contains: String) {
        domainStats(filter: { tlds: $tlds, states: $states, contains: $contains }) {
          coverage { asOf complete } totalCount
          byState { state count }
          byTld(first: 20) { value count }
          byExpiryMonth { value count }
          renewals { month count unpriced totals { amount currency } }
        }
      }
    `,
  },
  expiring_domains: {
    title: 'List domains by expiry',
    description:
      'Returns the domains of the account that expire before a time, the earliest first. Use it to find the domains to renew. Costs one upstream call, or none while the list is cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query ExpiringDomains(
        $expiresBefore: DateTime!, $expiresAfter: DateTime, $states: [DomainState!], $tlds: [String!]
        $contains: String, $first: Int! = 20, $after: String
      ) {
        domains(
          first: $first, after: $after, orderBy: { field: EXPIRES_AT }
          filter: {
            expiresBefore: $expiresBefore, expiresAfter: $expiresAfter
            states: $states, tlds: $tlds, contains: $contains
          }
        ) {
          coverage { asOf complete } totalCount
          nodes { name state expiresAt remainingDays transferLocked privacyProtected }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: page,
  },
  domain: {
    title: 'Read a domain',
    description:
      'Returns the state, dates, name servers and locks of one domain of the account; no data when the account does not have it. Costs one upstream call, or none while the details are cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Domain($name: String!) {
        domain(name: $name) {
          name unicodeName state status registeredAt expiresAt remainingDays
          transferLocked privacyProtected nameServers childNameServers { name addresses }
        }
      }
    `,
  },
  events: {
    title: 'List changes of the account',
    description:
      'Returns changes of domains, purchases, prices and balances of the account that the gateway found, the oldest first. Use it to find out what changed. Costs no upstream call.',
    asksRegistrar: false,
    document: /* GraphQL */ `
      query Events(
        $domain: DomainName, $since: DateTime, $types: [EventType!], $first: Int! = 20, $after: String
      ) {
        events(
          first: $first, after: $after, filter: { domain: $domain, since: $since, types: $types }
        ) {
          totalCount
          nodes { type subject domainName purchase { id } source foundAt before { text } after { text } }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: page,
  },
  purchases: {
    title: 'List purchases',
    description:
      'Returns the purchases of the caller, the newest first. Use it to find the outcome of a purchase before you buy again. Costs no upstream call.',
    asksRegistrar: false,
    document: /* GraphQL */ `
      query Purchases(
        $domain: DomainName, $states: [PurchaseState!], $createdAfter: DateTime
        $first: Int! = 20, $after: String
      ) {
        purchases(
          first: $first, after: $after
          filter: { domain: $domain, states: $states, createdAfter: $createdAfter }
        ) {
          totalCount
          nodes { ${purchaseFields} }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: page,
  },
  purchase: {
    title: 'Read a purchase',
    description:
      'Returns one purchase of the caller with its state and its next step. Use it to find the outcome of a purchase that is SENDING or PENDING. Costs one upstream call while the outcome is not known.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Purchase($id: ID!) {
        purchase(by: { id: $id }) { ${purchaseFields} }
      }
    `,
  },
  gateway: {
    title: 'Describe the gateway',
    description:
      'Returns whether purchases cost real money, the scopes of the caller, its limits, and whether purchases are stopped. Costs no upstream call.',
    asksRegistrar: false,
    document: /* GraphQL */ `
      query Gateway {
        gateway {
          environment version tenant caller scopes
          limits { upstreamCalls pageSize }
          purchasesStopped { since }
        }
      }
    `,
  },
};
