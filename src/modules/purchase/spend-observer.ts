import type { Caller } from '../../kernel/caller.ts';
import type { Money } from '../../kernel/money.ts';
import type { CountedBreach, ScopedLimits } from '../../kernel/spend-limits.ts';
import { tenantHook } from '../../scope/tenant.ts';

/** Learns how far spend limits are used. A purchase does not wait for it, and never fails because of it. */
export interface SpendObserver {
  /** Must be called after a purchase was claimed at this cost. */
  claimed(buyer: Pick<Caller, 'name'>, limits: ScopedLimits, cost: Money): void;
  /** Must be called with the limits that refuse a purchase. A purchase that is above a limit on its own says nothing about its use. */
  refused(
    buyer: Pick<Caller, 'name'>,
    breaches: readonly CountedBreach[],
    cost: Money | null,
  ): void;
}

/** By default nothing observes the limits. */
export const spendObserver = tenantHook<SpendObserver | null>('spendObserver', () => null);
