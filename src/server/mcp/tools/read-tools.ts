import { domainStates, notRenewed } from '../../../kernel/domain-state.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  type AddressOf,
  type Checked,
  checkNotes,
  coverageNotes,
  eventsOff,
  outcomeOf,
  progressOf,
  renewalTotal,
} from './notes.ts';
import type { Arguments } from './tool.ts';

/** A tool that is one query. Its arguments are the variables of the query. */
export interface ReadTool {
  readonly title: string;
  /** For models: the content, when to use the tool, and its upstream calls. */
  readonly description: string;
  /** Whether the data comes from the registrar, and not from the gateway alone. */
  readonly asksRegistrar: boolean;
  /** Its first field is what the tool reads. */
  readonly document: string;
  /** Limits of the graph and short descriptions, by variable. */
  readonly bounds?: Readonly<Record<string, JsonSchema>>;
  /** The variables for some arguments; without it they are the same. */
  readonly variables?: (args: Arguments) => Arguments;
  /** Sentences about the data, without text of it. */
  // biome-ignore lint/suspicious/noExplicitAny: the data has the shape of the document beside it
  readonly notes?: (data: any, addressOf: AddressOf) => readonly string[];
}

const page = {
  first: { minimum: 0, maximum: 100, description: 'Number of items.' },
  after: { description: 'The cursor that the result before named.' },
};
const tlds = { description: 'Such as `com`.' };
const contains = { description: 'Only names that contain this text.' };
const time = (description: string) => ({ description: `${description}, such as \`2026-11-30\`.` });

const price = '{ amount currency }';
const quoteFields = `certainty period lowest ${price} highest ${price} renewalPrice ${price} reason`;
const purchaseFields = `
  id kind domainName period state price ${price} createdAt settledAt
  transfer { stage startedAt expectedBy endedAt refunded }
  approval { id state expiresAt reason }
  errors { code message executed retryable upstreamCode upstreamMessage }
`;
const coverage = 'coverage { asOf complete nextStep }';

/** Each label with blanks as two labels that can be registered. */
const withoutBlanks = (labels: unknown) =>
  [labels].flat().flatMap((label) => {
    const words = typeof label === 'string' ? label.trim().split(/\s+/) : [];
    return words.length > 1 ? [words.join(''), words.join('-')] : [label];
  });

/** `first` counts the suggestions too, which the graph adds to it. The graph refuses values of other types. */
function searchVariables({ labels, first = 20, suggestions = 0, ...others }: Arguments): Arguments {
  const read = { ...others, labels: withoutBlanks(labels) };
  if (typeof first !== 'number' || typeof suggestions !== 'number') {
    return { ...read, first, suggestions };
  }
  const similar = Math.min(suggestions, Math.max(0, first - 1));
  return { ...read, first: first - similar, suggestions: similar };
}

const renewable = domainStates.filter((state) => !notRenewed.has(state));

/** The tools that buy and change nothing. No document selects an auth code or a contact. */
export const readTools: Readonly<Record<string, ReadTool>> = {
  search_names: {
    title: 'Search domain names',
    description:
      'Finds free names: checks labels under many TLDs, and returns which names can be registered, with the price of the shortest period. Costs one upstream call for prices, and at least one per 100 names.',
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
          availability { name state premium reason retryable quote { ${quoteFields} } }
        }
      }
    `,
    bounds: {
      labels: {
        ...{ minItems: 1, maxItems: 100 },
        description: 'Such as `maple` or `golden bakery`, or whole names.',
      },
      tlds: {
        ...{ minItems: 1, maxItems: 1000 },
        description: 'TLDs in this order. Default: all, popular ones first.',
      },
      maxPrice: { description: 'Only names that cost at most this.' },
      suggestions: {
        ...{ minimum: 0, maximum: 20 },
        description: 'How many of the results are similar names.',
      },
      first: { minimum: 1, maximum: 100, description: 'Maximum number of results.' },
    },
    variables: searchVariables,
    notes: ({ searchDomains }) =>
      checkNotes(searchDomains.map(({ availability }: { availability: Checked }) => availability)),
  },
  check_names: {
    title: 'Check and quote domain names',
    description:
      'Returns for each complete name whether it can be registered, whether it is a premium name, and its price for a number of years. Reserves nothing. Costs two upstream calls at most.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query CheckNames($names: [String!]!, $period: Int) {
        availabilities(names: $names) {
          name state premium reason retryable
          quote(period: $period) { ${quoteFields} }
        }
      }
    `,
    bounds: {
      names: { minItems: 1, maxItems: 100, description: 'Such as `maple.com`.' },
      period: { minimum: 1, description: 'Years. Default: the shortest period of each TLD.' },
    },
    notes: ({ availabilities }) => checkNotes(availabilities),
  },
  prices: {
    title: 'List TLD prices',
    description:
      'Returns the listed prices of TLDs by number of years. Costs one upstream call, or none while the price list is cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Prices($names: [String!], $operation: PriceOperation, $first: Int! = 10, $after: String) {
        tlds(filter: { names: $names }, first: $first, after: $after) {
          totalCount
          nodes { name minPeriod maxPeriod prices(operation: $operation) { operation period price ${price} } }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: {
      ...page,
      names: { description: 'TLDs, such as `com`.' },
      operation: { description: 'Only prices of this operation.' },
    },
  },
  portfolio_summary: {
    title: 'Summarize the domains',
    description:
      'Returns counts of the domains of the account by state, TLD and name server, and the number and cost of the renewals of the next 12 months. Costs two upstream calls, or none while the lists are cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query PortfolioSummary($tlds: [String!], $states: [DomainState!], $contains: String) {
        domainStats(filter: { tlds: $tlds, states: $states, contains: $contains }) {
          ${coverage} totalCount
          byState { state count }
          byTld(first: 10) { value count }
          byNameServer(first: 10) { value count }
          renewals { month count unpriced totals ${price} }
        }
      }
    `,
    bounds: { tlds, contains },
    notes: ({ domainStats }) => coverageNotes(domainStats.coverage),
  },
  domains: {
    title: 'List domains',
    description:
      'Returns the domains of the account that match all conditions, the earliest expiry first, with the price of renewing each and the total. Costs two upstream calls, or none while the lists are cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Domains(
        $expiresBefore: DateTime, $expiresAfter: DateTime, $nameServer: DomainName, $transferLocked: Boolean
        $states: [DomainState!] = [${renewable.join(' ')}], $tlds: [String!], $contains: String
        $first: Int! = 20, $after: String
      ) {
        domains(
          first: $first, after: $after, orderBy: { field: EXPIRES_AT }
          filter: {
            expiresBefore: $expiresBefore, expiresAfter: $expiresAfter, nameServer: $nameServer
            transferLocked: $transferLocked, states: $states, tlds: $tlds, contains: $contains
          }
        ) {
          ${coverage} totalCount
          nodes {
            name state expiresAt transferLocked privacyProtected
            renewalQuote { period highest ${price} reason }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: {
      ...{ ...page, tlds, contains },
      expiresBefore: time('Only domains that expire before this time'),
      expiresAfter: time('Only domains that expire at this time or later'),
      states: { description: 'Default: without domains that are gone or in redemption.' },
    },
    notes: ({ domains: { nodes, coverage: listed } }) => [
      ...(nodes.length > 0 ? [renewalTotal(nodes)] : []),
      ...coverageNotes(listed),
    ],
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
    bounds: { name: { description: 'Such as `maple.com`.' } },
  },
  account: {
    title: 'Read balances and renewals',
    description:
      'Returns the balances of the account, the renewals that are due within a number of days, and whether the balances cover them. Costs three upstream calls, or one while the lists are cached.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Account($days: Int! = 30) {
        reseller {
          active
          balances { money ${price} }
          renewalsDue(days: $days) { count totals ${price} unpriced covered }
        }
      }
    `,
    bounds: { days: { minimum: 1, maximum: 3650, description: 'Days until the expiry.' } },
    notes: ({ reseller: { renewalsDue } }) => {
      const { covered = null } = renewalsDue ?? {};
      return [
        covered === null
          ? 'Whether the balances cover the renewals is not known: the list of domains, a price or a balance is not complete, so the totals are minimums.'
          : `The balances ${covered ? '' : 'do not '}cover the renewals.`,
      ];
    },
  },
  events: {
    title: 'List changes of the account',
    description:
      'Returns changes of domains, purchases, prices and balances of the account that the gateway found, the oldest first. Costs no upstream call.',
    asksRegistrar: false,
    document: /* GraphQL */ `
      query Events(
        $domain: DomainName, $since: DateTime, $types: [EventType!], $first: Int! = 20, $after: String
      ) {
        events(
          first: $first, after: $after, filter: { domain: $domain, since: $since, types: $types }
        ) {
          totalCount
          nodes { type subject purchase { id } source foundAt before { text } after { text } }
          pageInfo { hasNextPage endCursor }
        }
        gateway { eventsIntervalSeconds }
      }
    `,
    bounds: { ...page, since: time('Only events that were found at this time or later') },
    notes: ({ gateway }) => (gateway?.eventsIntervalSeconds === null ? [eventsOff] : []),
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
          nodes { id kind domainName period state price ${price} createdAt settledAt errors { code } }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: page,
  },
  purchase: {
    title: 'Read a purchase',
    description:
      'Returns one purchase of the caller with its state and errors. Use it while a purchase is SENDING or PENDING. Costs one upstream call while the outcome is not known.',
    asksRegistrar: true,
    document: /* GraphQL */ `
      query Purchase($id: ID!) {
        purchase(by: { id: $id }) { ${purchaseFields} }
      }
    `,
    bounds: { id: { description: 'The id of a purchase.' } },
    notes: ({ purchase }, addressOf) => [outcomeOf(purchase, addressOf)],
  },
  change: {
    title: 'Read a change of domains',
    description:
      'Returns the progress of a change that `apply_change` started, with the domains that failed. Costs no upstream call.',
    asksRegistrar: false,
    document: /* GraphQL */ `
      query Change($id: ID!) {
        bulkChange(by: { id: $id }) {
          id state createdAt finishedAt change { setNameServers replaceNameServer { from to } addNameServer removeNameServer privacyProtected sync unlock items }
          approval { id state expiresAt reason }
          progress { waiting running succeeded unchanged failed unknown cancelled }
          items(states: [FAILED, UNKNOWN], first: 10) {
            domainName state errors { code message upstreamMessage }
          }
        }
      }
    `,
    bounds: { id: { description: 'The id that `apply_change` returned.' } },
    notes: ({ bulkChange }, addressOf) => [progressOf(bulkChange, addressOf)],
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
