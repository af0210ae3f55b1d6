import { createHash } from 'node:crypto';
import type { Caller } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import {
  inCurrency,
  type LimitScope,
  limitScopes,
  type ScopedLimits,
  spendUnits,
} from '../../kernel/spend-limits.ts';
import type { SpendObserver } from '../../modules/purchase/spend-observer.ts';
import type { NewEvent } from '../../scope/hooks.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { EventStore } from './store.ts';

interface SpendEventOptions extends Pick<TenantFacts, 'journal' | 'account' | 'clock'> {
  readonly store: Pick<EventStore, 'append'>;
  /** The share of a daily limit, in percent, from which on it is nearly used up. */
  readonly nearPercent: number;
  /** Called with a failure that is no fault of the journal. */
  readonly onError: (error: unknown) => void;
}

/** The use of the limit of a day. */
interface UsedLimit {
  readonly scope: LimitScope;
  readonly allowed: Money;
  readonly spent: Money;
}

type Buyer = Pick<Caller, 'name'>;

/**
 * Stores an event when a daily spend limit is nearly used up or stops a purchase, once for each limit and UTC day. A purchase
 * does not wait for it, and never fails because of it.
 */
export function createSpendEvents(options: SpendEventOptions): SpendObserver {
  const { store, journal, account, clock, nearPercent, onError } = options;
  const ignoringFaults = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      if (!(error instanceof Fault)) onError(error);
    });
  };

  const append = (
    type: 'SPEND_LIMIT_NEAR' | 'SPEND_LIMIT_REACHED',
    { name }: Buyer,
    { scope, allowed, spent }: UsedLimit,
  ): Promise<unknown> => {
    const at = clock.now();
    const caller = scope === 'KEY' ? name : null;
    const { currency } = allowed;
    const identity = [type, scope, caller, currency, at.toISOString().slice(0, 10)];
    const event: NewEvent = {
      // Equal on all replicas. A digest, because the name of a key is not for each reader.
      id: createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32),
      ...{ type, at, caller, subject: currency, domain: null, purchaseId: null },
      source: 'GATEWAY',
      before: String(allowed.amount),
      after: String(spent.amount),
    };
    return store.append(account, event);
  };

  const check = async (buyer: Buyer, limits: ScopedLimits, cost: Money): Promise<void> => {
    const now = { account, caller: buyer.name, cost, claimedAt: clock.now() };
    const { spent } = await journal.spending(now);
    for (const scope of limitScopes) {
      const allowed = inCurrency(limits[scope].perDay ?? [], cost);
      if (!allowed) continue;
      const { units } = spent[scope];
      const most = BigInt(spendUnits(allowed));
      const used = {
        ...{ scope, allowed },
        spent: { amount: Decimal.ofTenThousandths(units), currency: cost.currency },
      };
      if (units >= most) await append('SPEND_LIMIT_REACHED', buyer, used);
      else if (units * 100n >= most * BigInt(nearPercent)) {
        await append('SPEND_LIMIT_NEAR', buyer, used);
      }
    }
  };

  return {
    claimed(buyer, limits, cost) {
      if (limitScopes.some((scope) => limits[scope].perDay)) {
        ignoringFaults(check(buyer, limits, cost));
      }
    },
    refused(buyer, breaches, cost) {
      for (const breach of breaches) {
        if (breach.limit !== 'PER_DAY' || !cost) continue;
        const { scope, allowed, spent } = breach;
        if (!allowed || !spent || cost.amount.compare(allowed.amount) > 0) continue;
        ignoringFaults(append('SPEND_LIMIT_REACHED', buyer, { scope, allowed, spent }));
      }
    },
  };
}
