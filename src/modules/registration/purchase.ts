import type { Randomness } from '../../kernel/clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { OperationKind, OperationRecord, OperationState } from '../../persistence/store.ts';
import { conclude, operationFault, type SettleDeps, settleByReading } from '../operation/settle.ts';

export interface PurchaseDeps extends SettleDeps {
  readonly randomness: Randomness;
  readonly forget: (name: DomainName) => void;
}

/** What identifies a purchase before anything is checked. */
export interface Intent {
  readonly kind: OperationKind;
  readonly domain: DomainName;
  /** The caller's idempotency key; the gateway makes one when there is none. */
  readonly key: string | null;
  readonly fingerprint: string;
}

export interface Order extends Intent {
  readonly period: number;
  readonly price: Money;
  /** The one call that spends. */
  readonly send: () => Promise<unknown>;
}

export interface Purchased {
  readonly operation: OperationRecord;
  /** Whether an earlier request with this key and input had done it. */
  readonly replayed: boolean;
}

export type Purchase = ReturnType<typeof createPurchase>;

/** Of these the journal lets one purchase of a domain be at a time. */
const openStates: readonly OperationState[] = ['CLAIMED', 'SENDING', 'PENDING'];

/**
 * Spends money once: claim the key, mark it SENDING, send one time, write the outcome down, and read when there is none.
 *
 * A caller that goes away stops none of it.
 */
export function createPurchase(deps: PurchaseDeps) {
  const { journal, clock, randomness, account, forget } = deps;

  const replay = async (operation: OperationRecord): Promise<Purchased> => ({
    operation: await settleByReading(deps, operation),
    replayed: true,
  });

  return {
    /**
     * The operation that this key has begun already, or null.
     *
     * @throws Fault `IDEMPOTENCY_CONFLICT` for other input, and while another key has an open purchase of the domain.
     */
    async earlier({ kind, domain, key, fingerprint }: Intent): Promise<Purchased | null> {
      const operation = key === null ? null : await journal.byKey(account, key);
      if (operation?.fingerprint === fingerprint) return replay(operation);
      if (operation) throw keyConflict(operation);
      const filter = { domain, kinds: [kind], states: openStates };
      const [open] = await journal.list(account, { filter, limit: 1 });
      if (open) throw domainBusy(open);
      return null;
    },

    /** @throws Fault when nothing was sent: the journal is unavailable, or another operation stands in the way. */
    async make({ send, key, ...order }: Order): Promise<Purchased> {
      const claim = await journal.claim({
        ...order,
        id: randomness.uuid(),
        account,
        key: key ?? randomness.uuid(),
        claimedAt: clock.now(),
      });
      if (claim.outcome === 'replayed') return replay(claim.operation);
      if (claim.outcome === 'key-conflict') throw keyConflict(claim.operation);
      if (claim.outcome === 'domain-busy') throw domainBusy(claim.operation);

      const { id } = claim.operation;
      const sent = await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: clock.now() });
      if (!sent) throw new Fault('JOURNAL_UNAVAILABLE');
      const fault = await outcome(send);
      forget(order.domain);
      const at = clock.now();
      if (!fault) {
        return { operation: await conclude(deps, sent, { to: 'SUCCEEDED', at }), replayed: false };
      }
      const to = fault.executed === 'NO' ? 'FAILED' : 'PENDING';
      const told = await conclude(deps, sent, { to, at, fault: operationFault(fault) });
      return { operation: await settleByReading(deps, told), replayed: false };
    },
  };
}

/** Null when the service said yes; otherwise what it, or the lack of an answer, says. A bug of ours leaves it unknown. */
async function outcome(send: () => Promise<unknown>): Promise<Fault | null> {
  try {
    await send();
    return null;
  } catch (error) {
    return error instanceof Fault ? error : new Fault('INTERNAL', { executed: 'UNKNOWN' });
  }
}

const keyConflict = ({ id, domain }: OperationRecord) =>
  new Fault('IDEMPOTENCY_CONFLICT', {
    message: `This idempotency key was used before with other input, for ${domain}. Use a new key for a new purchase.`,
    facts: { operationId: id },
    path: ['input', 'idempotencyKey'],
  });

const domainBusy = ({ id, domain }: OperationRecord) =>
  new Fault('IDEMPOTENCY_CONFLICT', {
    message: `A purchase of ${domain} is still open. Read that operation instead of buying again.`,
    facts: { operationId: id },
    path: ['input', 'domain'],
  });
