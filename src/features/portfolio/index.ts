import type { Feature } from '../../seam/feature.ts';
import type { Example } from '../../server/ui/graphiql/examples.ts';
import { portfolioSettings } from './settings.ts';
import { knownDomainsTable } from './table.ts';

declare module '../../lib/programs.ts' {
  interface FeatureCommands {
    readonly domains: true;
  }
}

/** All domains of the account in one cached list, with those that the list of the registrar leaves out: pages, filters and counts. */
export const portfolio: Feature = {
  name: 'portfolio',
  uses: [],
  settings: portfolioSettings,
  tables: [knownDomainsTable],
  rootFields: { Query: ['domains', 'domainStats'], Mutation: ['trackDomains'] },
  after: { Query: 'domainsByName', Mutation: 'syncDomain' },
  fields: ['Reseller.renewalsDue', 'Reseller.renewalsCovered'],
  everyday: ['domains that expire soon: `domains`'],
  graph: () => import('./schema.ts'),
  examples: async () => [example],
  tools: async () => (await import('./with/mcp.ts')).tools,
  parts: () => import('./parts.ts'),
  commands: {
    domains: {
      does: 'Adds domains by a file, and changes many domains by a file.',
      run: async (context) => (await import('./command.ts')).runDomains(context),
    },
  },
};

const example: Example = {
  query: `# The domains that expire next, and the whole
# account in numbers, both from one list: three
# upstream calls, the others for the balances and
# for what renewals cost.
query Portfolio {
  reseller { name balances { money { amount currency } } }
  domains(
    first: 10
    filter: { states: [ACTIVE] }
    orderBy: { field: EXPIRES_AT }
  ) {
    totalCount
    nodes { name customer expiresAt remainingDays }
    pageInfo { hasNextPage endCursor }
  }
  domainStats {
    byState { state count }
    byTld(first: 5) { value count }
    renewals(months: 3) {
      from
      count
      totals { price { amount currency } }
    }
  }
}
`,
  isForLive: true,
};
