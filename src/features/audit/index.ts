import type { Feature } from '../../seam/feature.ts';
import { auditSettings } from './settings.ts';
import { auditEntriesTable, auditLogsTable } from './table.ts';

/** A log of all writes, and of the reads of secrets, that shows whether an entry was changed or removed. */
export const audit: Feature = {
  name: 'audit',
  uses: [],
  settings: auditSettings,
  scopes: { 'audit:read': { allows: 'The audit log of the account.', isOfAccount: true } },
  tables: [auditLogsTable, auditEntriesTable],
  rootFields: { Query: ['auditLog'] },
  graph: () => import('./schema.ts'),
  parts: () => import('./parts.ts'),
  commandTrail: async () => (await import('./trail.ts')).createCommandTrail,
  commands: {
    audit: {
      does: 'Verifies the audit log.',
      run: async (context) => (await import('./command.ts')).runAudit(context),
    },
  },
};

declare module '../../lib/programs.ts' {
  interface FeatureCommands {
    readonly audit: true;
  }
}

declare module '../../kernel/caller.ts' {
  interface FeatureScopes {
    readonly 'audit:read': true;
  }
}
