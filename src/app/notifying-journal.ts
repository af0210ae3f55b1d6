import { isEnd } from '../kernel/purchase-states.ts';
import type { Publisher } from '../modules/event/publisher.ts';
import type { Ledger } from '../modules/portfolio/ledger.ts';
import type { SettlementNotifier } from '../modules/purchase/settlement-notifier.ts';
import type { Journal } from '../persistence/journal.ts';
import type { TenantObserver } from './observe.ts';
import type { TenantReplicas } from './upstream-clients.ts';

interface SettlementListeners {
  readonly settlementNotifier: Pick<SettlementNotifier, 'check'>;
  readonly sharedState: Pick<TenantReplicas, 'publishSettled'> | null;
  readonly observer: Pick<TenantObserver, 'lateSuccess'>;
  readonly ledger: Pick<Ledger, 'addPurchased'>;
  readonly eventPublisher: Pick<Publisher, 'wake'>;
}

/** The journal, which reports settled purchases to the ledger, to subscriptions of this process and to other replicas. */
export const notifyingJournal = (
  journal: Journal,
  { settlementNotifier, sharedState, observer, ledger, eventPublisher }: SettlementListeners,
): Journal => ({
  ...journal,
  async move(id, from, transition) {
    const moved = await journal.move(id, from, transition);
    if (moved && from.includes('FAILED')) observer.lateSuccess(moved);
    if (moved?.state === 'SUCCEEDED') await ledger.addPurchased(moved.domain);
    if (moved && isEnd(moved.state)) {
      void settlementNotifier.check(moved.id);
      sharedState?.publishSettled(moved);
      eventPublisher.wake();
    }
    return moved;
  },
});
