import type { Figure } from '../../server/ui/figures.ts';

export const figures: readonly Figure[] = [
  {
    id: 'renewals',
    title: 'Expiring within 30 days',
    query:
      'query HomeRenewals { reseller { renewalsDue(days: 30) { count unpriced covered coverage { nextStep } totals { amount currency } } coversRenewalsUntil coversRenewalsUntilReason } }',
    everyMs: 600_000,
    needs: 'the scopes account:read and domains:read',
    script: new URL('./renewals-figure.js', import.meta.url),
  },
];
