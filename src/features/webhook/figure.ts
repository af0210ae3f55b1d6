import type { Figure } from '../../server/ui/figures.ts';

export const figures: readonly Figure[] = [
  {
    id: 'webhooks',
    title: 'Webhooks',
    query: 'query HomeWebhooks { webhooks { url state failingSince suspendedReason } }',
    everyMs: 60_000,
    needs: 'the scope webhooks:write',
    script: new URL('./webhook-figure.js', import.meta.url),
  },
];
