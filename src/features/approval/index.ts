import type { Feature } from '../../seam/feature.ts';
import { approvalSettings } from './settings.ts';

declare module '../../lib/command-names.ts' {
  interface FeatureCommands {
    readonly approvals: true;
  }
}

/** Decisions of a second person about purchases and changes that rules of the operator hold. */
export const approval: Feature = {
  name: 'approval',
  uses: [],
  settings: approvalSettings,
  rootFields: { Query: ['approvals'], Mutation: ['approve', 'reject'] },
  after: { Query: 'domainStats', Mutation: 'labelDomains' },
  nodes: ['Approval'],
  fields: [
    'Purchase.approval',
    ...['RegisterDomainPayload.needsApproval', 'TransferDomainPayload.needsApproval'],
  ],
  graph: () => import('./graph.ts'),
  parts: () => import('./open.ts'),
  pages: async () => [(await import('./page.ts')).approvalsPage],
  commands: {
    approvals: {
      does: 'Checks a file of approval rules.',
      run: async (context) => (await import('./command.ts')).runApprovals(context),
    },
  },
};
