import { isDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { readGlobalId } from '../../kernel/ids.ts';
import { type Checked, checkNotes, outcomeOf, writesOff, writesOn } from './notes.ts';
import type { Arguments } from './json-schema.ts';
import type { ReadTool } from './tool.ts';

/** @throws Fault `INVALID_INPUT` for text that is no domain name, for which the graph returns null as for another one. */
function nameVariables(args: Arguments): Arguments {
  if (isDomainName(String(args.name))) return args;
  throw invalidInput('"name" is no domain name; send a whole name such as "maple.com".');
}

/** @throws Fault `INVALID_INPUT` for text that is no id, and for the id of another kind of object. */
export const idVariables =
  (type: string, noun: string, source: string) =>
  (args: Arguments): Arguments => {
    const found = readGlobalId(String(args.id))?.typename;
    if (found === type) return args;
    throw invalidInput(
      `"id" is ${found ? `the id of another kind of object, not of a ${noun}` : 'no id'}; ${source}.`,
    );
  };

/** Each label with blanks as two labels that can be registered. */
const withoutBlanks = (labels: unknown) =>
  [labels].flat().flatMap((label) => {
    const words = typeof label === 'string' ? label.trim().split(/\s+/) : [];
    return words.length > 1 ? [words.join(''), words.join('-')] : [label];
  });

/** `first` counts the suggestions too, which the graph adds to it. */
function searchVariables({ labels, first, suggestions, ...others }: Arguments): Arguments {
  const [all, requested] = [Number(first ?? 20), Number(suggestions ?? 0)];
  const similar = Math.min(requested, Math.max(0, all - 1));
  return { ...others, labels: withoutBlanks(labels), first: all - similar, suggestions: similar };
}

/** Arguments of a list. */
export const page = {
  first: { maximum: 100, description: 'Number of items.' },
  after: { description: 'From the result before.' },
};
export const time = (description: string) => ({
  description: `${description}, such as \`2026-11-30\`.`,
});

const price = '{ amount currency }';
const quoteFields = `certainty period lowest ${price} highest ${price} renewalPrice ${price} reason`;
const purchaseFields = `
  id kind domainName period state price ${price} createdAt settledAt
  transfer { stage startedAt expectedBy endedAt refunded }
  approval { id state expiresAt reason }
  errors { code message executed retryable upstreamCode upstreamMessage }
`;

const moreResults = 'There may be more results: a larger `first` returns them.';

/** The tools that buy and change nothing. No document selects an auth code or a contact. */
export const readTools: Readonly<Record<string, ReadTool>> = {
  search_names: {
    title: 'Search domain names',
    description:
      'Checks labels under many TLDs, and returns which names are free, with the price of the shortest period. Upstream calls: one for prices, and one per 100 names.',
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
      available: { description: 'True: only free names. False: only the others.' },
      maxPrice: { description: 'Only names that cost at most this.' },
      suggestions: {
        maximum: 20,
        description: 'How many of the results are similar names.',
      },
      first: { minimum: 1, maximum: 100, description: 'Maximum number of results.' },
    },
    variables: searchVariables,
    notes: ({ searchDomains }, _addressOf, { first = 20 }) => [
      ...checkNotes(
        searchDomains.map(({ availability }: { availability: Checked }) => availability),
      ),
      ...(searchDomains.length === first ? [moreResults] : []),
    ],
  },
  check_names: {
    title: 'Check and quote domain names',
    description:
      'Returns for each complete name whether it can be registered, whether it is a premium name, and its price for a number of years. Reserves nothing. Upstream calls: at most two.',
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
      'Returns the listed prices of TLDs by number of years. Upstream calls: at most one.',
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
  domain: {
    title: 'Read a domain',
    description:
      'Returns the state, dates, name servers and locks of one domain of the account. Upstream calls: at most one.',
    document: /* GraphQL */ `
      query Domain($name: String!) {
        domain(name: $name) {
          name unicodeName state status registeredAt expiresAt remainingDays
          transferLocked privacyProtected nameServers childNameServers { name addresses }
        }
      }
    `,
    bounds: { name: { description: 'Such as `maple.com`.' } },
    variables: nameVariables,
    absent:
      'The account does not have this domain. `check_names` shows whether it can be registered.',
  },
  purchases: {
    title: 'List purchases',
    description:
      'Returns the purchases of the caller, the newest first. Use it to find the outcome of a purchase before you buy again. Upstream calls: none.',
    isLocal: true,
    document: /* GraphQL */ `
      query Purchases(
        $domain: DomainName, $states: [PurchaseState!], $createdAfter: DateTime
        $first: Int! = 20, $after: String
      ) {
        purchases(
          first: $first, after: $after
          filter: { domain: $domain, states: $states, created: { from: $createdAfter } }
        ) {
          totalCount
          nodes { id kind domainName period state price ${price} createdAt settledAt errors { code } }
          pageInfo { hasNextPage endCursor }
        }
      }
    `,
    bounds: {
      ...page,
      domain: { description: 'Only purchases of this domain.' },
      states: { description: 'Only purchases in these states.' },
      createdAfter: time('The earliest time'),
    },
  },
  purchase: {
    title: 'Read a purchase',
    description:
      'Returns one purchase of the caller with its state and errors. Use it while a purchase is SENDING or PENDING. Upstream calls: at most one.',
    document: /* GraphQL */ `
      query Purchase($id: ID!) {
        purchase(by: { id: $id }) { ${purchaseFields} }
      }
    `,
    bounds: { id: { description: 'From `buy` or `purchases`.' } },
    variables: idVariables('Purchase', 'purchase', '`purchases` lists the purchases'),
    absent: 'This caller has no such purchase; `purchases` lists those that it has.',
    notes: ({ purchase }, addressOf) => [outcomeOf(purchase, addressOf)],
  },
};

/** The last of the tools that read. */
export const gatewayTool: ReadTool = {
  title: 'Describe the gateway',
  description:
    'Returns whether purchases cost real money, the scopes of the caller, its limits, whether purchases are stopped, and whether buying and changing are off. Upstream calls: none.',
  isLocal: true,
  document: /* GraphQL */ `
    query Gateway {
      gateway {
        environment version tenant caller scopes
        maxUpstreamCalls maxPageSize
        purchasesStoppedSince
      }
    }
  `,
  notes: (_data, _addressOf, _args, writes) => [writes ? writesOn : writesOff],
};
