import type { Feature } from '../../seam/feature.ts';

/** One change on many domains, which the gateway makes in the background. */
export const bulkChange: Feature = {
  name: 'bulk-change',
  uses: ['portfolio'],
  rootFields: {
    Query: ['previewBulkChange', 'bulkChange', 'bulkChanges'],
    Mutation: ['changeDomains', 'cancelBulkChange', 'retryBulkChange'],
    Subscription: ['bulkChangeProgress'],
  },
  after: { Query: 'domainsByName', Mutation: 'labelDomains' },
  nodes: ['BulkChange'],
  graph: () => import('./schema.ts'),
  joins: { approval: () => import('./with/approval.ts') },
  tools: async () => (await import('./with/mcp.ts')).tools,
  domainCommands: {
    change: {
      does: `  change FILE    CSV with the columns "domain" and "nameServers", separated by blanks. Sets the name servers of each
                 domain. When a row is not valid, each such row is reported, and nothing is changed.
`,
      run: async () => (await import('./command/change-domains.ts')).changeByFile,
    },
    plan: {
      does: `  plan FILE      YAML with the name servers and the privacy protection that domains shall have. Prints what differs.
                 The exit code is 0 when nothing differs, 2 when something does, and 1 after an error.
`,
      isComparison: true,
      run: async () => (await import('./command/change-domains.ts')).plan,
    },
    apply: {
      does: `  apply FILE     Changes what differs. The exit code is 1 when a domain was not changed.
`,
      run: async () => (await import('./command/change-domains.ts')).apply,
    },
  },
  jobs: async () => ({ CHANGE: (await import('./parts.ts')).changeRunner }),
};
