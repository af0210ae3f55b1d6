import type { Example } from '../../server/ui/graphiql/examples.ts';

export const example: Example = {
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
