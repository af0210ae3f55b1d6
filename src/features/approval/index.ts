import { refusal } from '../../kernel/faults.ts';
import type { Feature } from '../../seam/feature.ts';
import { approvalSettings } from './settings.ts';
import { approvalsTable } from './table.ts';

declare module '../../lib/programs.ts' {
  interface FeatureCommands {
    readonly approvals: true;
  }
}

declare module '../../kernel/faults.ts' {
  interface FeatureErrorTypes {
    ApprovalRequired: true;
  }
  interface FeatureFaults {
    APPROVAL_REQUIRED: true;
    APPROVAL_REJECTED: true;
    APPROVAL_EXPIRED: true;
    APPROVAL_CANCELLED: true;
  }
}

declare module '../../scope/hooks.ts' {
  interface EventTypes {
    APPROVAL_REQUESTED: true;
    APPROVAL_GRANTED: true;
    APPROVAL_REJECTED: true;
    APPROVAL_EXPIRED: true;
  }
}

declare module '../../kernel/caller.ts' {
  interface FeatureScopes {
    'approvals:decide': true;
  }
}

/** Decisions of a second person about purchases and changes that rules of the operator hold. */
export const approval: Feature = {
  name: 'approval',
  uses: [],
  settings: approvalSettings,
  scopes: {
    'approvals:decide': {
      allows: 'Approving and rejecting the requests of other callers.',
      isOfAccount: true,
    },
  },
  faults: {
    APPROVAL_REQUIRED: refusal(
      'This needs the approval of another person; send it again after the approval.',
      { type: 'ApprovalRequired', retryable: true },
    ),
    APPROVAL_REJECTED: refusal('Another person refused the approval, so nothing was sent.', {
      hasOtherText: true,
    }),
    APPROVAL_EXPIRED: refusal('The approval was not given in time, so nothing was sent.'),
    APPROVAL_CANCELLED: refusal(
      'The request was cancelled before its approval, so nothing was sent.',
    ),
  },
  events: {
    APPROVAL_REQUESTED:
      'A request waits for the decision of another person. `subject` is the id of the approval, `caller` the key of the request.',
    APPROVAL_GRANTED:
      'An approval was given. `subject` is its id, `caller` the key of the decision.',
    APPROVAL_REJECTED:
      'An approval was refused, so nothing is sent. `subject` is its id, `caller` the key of the decision.',
    APPROVAL_EXPIRED:
      'An approval was not decided or not used in time, so nothing is sent. `subject` is its id.',
  },
  tables: [approvalsTable],
  heldState: 'AWAITING_APPROVAL',
  rootFields: { Query: ['approvals'], Mutation: ['approve', 'reject'] },
  after: { Query: 'domainsByName', Mutation: 'labelDomains' },
  nodes: ['Approval', 'ApprovalRequired'],
  fields: ['Purchase.approval', 'PurchasePayload.needsApproval'],
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
