import { domainStates, notRenewed } from '../../../kernel/domain-state.ts';
import { Decimal } from '../../../kernel/money.ts';
import { several } from '../../../lib/text.ts';
import type { FeatureTools } from '../../../seam/feature.ts';
import { page, time } from '../../mcp/read-tools.ts';
import { type Price, shownPrice } from '../../mcp/tool-result.ts';
import { howToAdd } from '../portfolio.ts';

const tlds = { description: 'Such as `com`.' };
const contains = { description: 'Only names that contain this text.' };

const price = '{ amount currency }';
const coverage = 'coverage { asOf complete nextStep }';

const withExpired =
  'Expired domains are counted here, and not in `account`; `expiresAfter` leaves them out.';

const renewable = domainStates.filter((state) => !notRenewed.has(state));

export const coverageNotes = ({ nextStep }: { readonly nextStep: string | null }) =>
  nextStep === null
    ? []
    : [
        `The list of domains is not complete: counts and totals are minimums. ${nextStep.replace(howToAdd, 'the operator can add them')}`,
      ];

interface Renewable {
  readonly renewalQuote: { readonly highest: Price | null } | null;
}

/** The sum of the renewals in a list. */
export function renewalTotal(domains: readonly Renewable[]): string {
  const totals = new Map<string, Decimal>();
  const prices = domains.flatMap(({ renewalQuote }) => renewalQuote?.highest ?? []);
  for (const { amount, currency } of prices)
    totals.set(currency, Decimal.parse(amount).plus(totals.get(currency) ?? Decimal.zero));
  const sums = [...totals].map(([currency, sum]) => shownPrice({ amount: `${sum}`, currency }));
  const unpriced = domains.length - prices.length;
  return `Renewing the ${several(domains.length, 'listed domain')} costs ${sums.join(' and ') || 'an unknown amount'}${unpriced > 0 ? `, without ${unpriced} that ${unpriced === 1 ? 'has' : 'have'} no price` : ''}.`;
}

export const tools: FeatureTools = {
  reading: {
    portfolio_summary: {
      title: 'Summarize the domains',
      description:
        'Returns counts of the domains of the account by state, TLD and name server, and the number and cost of the renewals of the next 12 months. Upstream calls: at most two.',
      document: /* GraphQL */ `
      query PortfolioSummary($tlds: [String!], $states: [DomainState!], $contains: String) {
        domainStats(filter: { tlds: $tlds, states: $states, contains: $contains }) {
          ${coverage} totalCount
          byState { state count }
          byTld(first: 100) { value count }
          byNameServer(first: 100) { value count }
          renewals { from count unpriced totals { price ${price} } }
        }
      }
    `,
      bounds: { tlds, contains, states: { description: 'Such as `ACTIVE`.' } },
      briefly: true,
      limits: { byTld: 10, byNameServer: 10 },
      notes: ({ domainStats }) => coverageNotes(domainStats.coverage),
    },
    domains: {
      title: 'List domains',
      description:
        'Returns the domains of the account that match all conditions, the earliest expiry first, with the price of renewing each and the total. Upstream calls: at most two.',
      document: /* GraphQL */ `
      query Domains(
        $expiresBefore: DateTime, $expiresAfter: DateTime, $nameServer: DomainName, $transferLocked: Boolean
        $states: [DomainState!] = [${renewable.join(' ')}], $tlds: [String!], $contains: String
        $first: Int! = 20, $after: String
      ) {
        domains(
          first: $first, after: $after, orderBy: { field: EXPIRES_AT }
          filter: {
            expires: { from: $expiresAfter, until: $expiresBefore }, nameServer: $nameServer
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
        ...page,
        ...{ tlds, contains },
        nameServer: { description: 'Only domains with this name server.' },
        transferLocked: { description: 'False: only domains without a transfer lock.' },
        expiresBefore: time('The time before which they expire'),
        expiresAfter: time('The earliest expiry'),
        states: {
          ...{
            description: 'Default: all but gone ones and those in redemption.',
            default: undefined,
          },
        },
      },
      notes: ({ domains: { nodes, coverage: listed } }, _addressOf, { expiresAfter, states }) => [
        ...(nodes.length > 0 ? [renewalTotal(nodes)] : []),
        ...(expiresAfter || states ? [] : [withExpired]),
        ...coverageNotes(listed),
      ],
    },
    account: {
      title: 'Read balances and renewals',
      description:
        'Returns the balances of the account, the renewals that are due within a number of days, and whether the balances cover them. Upstream calls: at most three.',
      document: /* GraphQL */ `
      query Account($days: Int! = 30) {
        reseller {
          active
          balances { money ${price} }
          renewalsDue(days: $days) { count totals { price ${price} } unpriced covered }
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
          'Domains that have expired already are not counted.',
        ];
      },
    },
  },
};
