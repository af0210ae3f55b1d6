import type { Randomness } from '../../kernel/clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import type { PurchaseKind, PurchaseRecord } from '../../persistence/store.ts';
import type { UnnamedDetails } from '../../upstream/domain-api/shapes.ts';
import type { DomainReads } from '../domain/loader.ts';
import { bringsDomain, obstacleIn } from '../purchase/possession.ts';
import {
  begun,
  conclude,
  openStates,
  purchaseFault,
  type SettleDeps,
} from '../purchase/conclude.ts';
import { giveUp, settleByReading } from '../purchase/settle.ts';
import { assertMayBeSpent, type Spender } from './spend-limits.ts';

export interface PurchaseDeps extends SettleDeps, Spender {
  readonly randomness: Randomness;
  readonly domains: Pick<DomainReads, 'truth' | 'forget'>;
  readonly forget: (name: DomainName) => void;
  /** Whether the caller may know of it. */
  readonly isVisible: (purchase: PurchaseRecord) => boolean;
}

/** What identifies a purchase before anything is checked. */
export interface Intent {
  readonly kind: PurchaseKind;
  readonly domain: DomainName;
  /** The caller's idempotency key; the gateway makes one when there is none. */
  readonly key: string | null;
  readonly fingerprint: string;
}

export interface Order extends Intent {
  readonly period: number;
  readonly price: Money;
  /** Balance in the currency of the price after the purchase; null when it is not known. */
  readonly balanceAfter: Money | null;
  readonly send: SendPurchase;
}

/** The one call that spends. */
export type SendPurchase = () => Promise<PurchaseReply>;

/** The domain in an upstream's reply to a purchase; null when the reply has none. */
export type PurchaseReply = Pick<UnnamedDetails, 'name' | 'status' | 'state'> | null;

export interface Purchased {
  readonly purchase: PurchaseRecord;
  /** Whether an earlier request with this key and input had done it. */
  readonly replayed: boolean;
}

export type Purchase = ReturnType<typeof createPurchase>;

/**
 * Milliseconds from the mark SENDING to the call: who is slower sends nothing, since others count the quiet window from
 * that mark.
 */
const sendWithinMs = 2_000;

/**
 * Milliseconds from the mark SENDING until the service must show what came of it. The service's own quiet window counts
 * only when the call is over: while that may still be under way nothing is quiet yet.
 */
export const quietAfterMarkMs = (writeDeadlineMs: number, quietWindowMs: number): number =>
  sendWithinMs + writeDeadlineMs + quietWindowMs;

/** A name is not given back and bought again within this time: a read that misses it then is stale. */
const freshMs = 60 * 60_000;

/**
 * Spends money once: claim the key, see that the account does not have the domain, mark it SENDING, send one time, write
 * the outcome down, and read when there is none.
 *
 * A caller that goes away stops none of it.
 */
export function createPurchase(deps: PurchaseDeps) {
  const { journal, clock, randomness, account, caller, limits, domains, forget, isVisible } = deps;
  const { keyConflict, domainBusy, justBought } = conflicts(isVisible);

  const replay = async (purchase: PurchaseRecord): Promise<Purchased> => {
    if (!isVisible(purchase)) throw keyConflict(purchase);
    return { purchase: await settleByReading(deps, purchase), replayed: true };
  };

  /**
   * Why a claimed purchase must not be sent, or null. What the account has already would later pass for bought; that is
   * read only now, when no other purchase of the domain can come in between.
   */
  const reasonNotToSend = async ({ kind, domain }: PurchaseRecord): Promise<Fault | null> => {
    domains.forget(domain);
    try {
      const details = await domains.truth(domain);
      const obstacle = obstacleIn(details, kind);
      if (obstacle) return new Fault(obstacle, { path: domainPath });
      const filter = { domain, states: ['SUCCEEDED'] } as const;
      const [bought] = await journal.list(account, { filter, limit: 1 });
      const isFresh =
        bought?.settledAt && clock.now().getTime() - bought.settledAt.getTime() < freshMs;
      return isFresh ? justBought(bought) : null;
    } catch (error) {
      if (error instanceof Fault) return error.with({ path: domainPath, executed: 'NO' });
      throw error;
    }
  };

  /** The one attempt, and what it came to. */
  const sendOnce = async (
    sent: PurchaseRecord,
    markedAtMs: number,
    send: SendPurchase,
  ): Promise<PurchaseRecord> => {
    const isLate = clock.monotonicMs() - markedAtMs > sendWithinMs;
    const fault = isLate ? tooLate : await outcome(sent, send);
    forget(sent.domain);
    const at = clock.now();
    if (!fault) {
      const isTransfer = sent.kind === 'TRANSFER';
      return conclude(deps, sent, isTransfer ? begun(deps, at) : { to: 'SUCCEEDED', at });
    }
    // A proxy may have sent the call twice, and then the refusal is that of the second one: only a read can tell.
    const to = wasNeverSent(fault) ? 'FAILED' : 'PENDING';
    const recorded = await conclude(deps, sent, { to, at, fault: purchaseFault(fault) });
    return settleByReading(deps, recorded);
  };

  return {
    /**
     * The purchase that this key has begun already, or null.
     *
     * @throws Fault `IDEMPOTENCY_CONFLICT` for other input, for a key of another caller, and while another key has an open purchase of the domain.
     */
    async earlier({ kind, domain, key, fingerprint }: Intent): Promise<Purchased | null> {
      const purchase = key === null ? null : await journal.byKey(account, key);
      if (purchase?.fingerprint === fingerprint) return replay(purchase);
      if (purchase) throw keyConflict(purchase);
      const filter = { domain, kinds: [kind], states: openStates };
      const [open] = await journal.list(account, { filter, limit: 1 });
      if (open) throw domainBusy(open);
      return null;
    },

    /** @throws Fault or Problems when nothing was claimed: no journal, another purchase, a stop or a limit in the way. */
    async make({ send, key, ...order }: Order): Promise<Purchased> {
      const by = { account, caller, key: key ?? randomness.uuid() };
      const id = randomness.uuid();
      const claim = await journal.claim({ ...order, ...by, id, claimedAt: clock.now() }, limits);
      if (claim.outcome === 'replayed') return replay(claim.purchase);
      if (claim.outcome === 'key-conflict') throw keyConflict(claim.purchase);
      if (claim.outcome === 'domain-busy') throw domainBusy(claim.purchase);
      assertMayBeSpent(claim, order.price);

      const { purchase: claimed } = claim;
      const reason = await reasonNotToSend(claimed);
      if (reason) return { purchase: await giveUp(deps, claimed, reason), replayed: false };
      const markedAtMs = clock.monotonicMs();
      const at = clock.now();
      const quietUntil = new Date(at.getTime() + deps.quietWindowMs);
      const mark = { to: 'SENDING', at, quietUntil } as const;
      const sent = await journal.move(claimed.id, ['CLAIMED'], mark);
      // Somebody waited long enough to give it up.
      const purchase = sent
        ? await sendOnce(sent, markedAtMs, send)
        : ((await journal.byId(account, claimed.id)) ?? claimed);
      return { purchase, replayed: false };
    },
  };
}

/** Whether the call never left the gateway. A refusal by the upstream carries the upstream's code. */
const wasNeverSent = ({ executed, upstream }: Fault): boolean => executed === 'NO' && !upstream;

/** Null when the upstream reports success; otherwise why it did not. A bug of the gateway leaves the outcome unknown. */
async function outcome(sent: PurchaseRecord, send: SendPurchase): Promise<Fault | null> {
  try {
    return contradictionIn(await send(), sent);
  } catch (error) {
    return error instanceof Fault ? error : new Fault('INTERNAL', { executed: 'UNKNOWN' });
  }
}

/** Why a reply under `OK` is no success: it is about another domain, or shows a status that no such purchase brings. */
function contradictionIn(reply: PurchaseReply, { domain, kind }: PurchaseRecord): Fault | null {
  if (!reply) return null;
  const isOther = reply.name !== null && reply.name !== domain;
  const hasStatus = leafOr(reply.status, '') !== '';
  if (!isOther && (!hasStatus || bringsDomain(reply.state, kind))) return null;
  return new Fault('UPSTREAM_PROTOCOL', {
    message: isOther
      ? `The reply to the purchase of ${domain} is about another domain.`
      : `The reply to the purchase of ${domain} shows a status that is no success.`,
    executed: 'UNKNOWN',
  });
}

const domainPath = ['input', 'domain'];

const tooLate = new Fault('JOURNAL_UNAVAILABLE', {
  message: 'The journal took too long to write, so nothing was sent.',
});

/** What stands in the way of a purchase. Of one that the caller may not know of it says no more than that it is there. */
const conflicts = (isVisible: PurchaseDeps['isVisible']) => {
  const named = (purchase: PurchaseRecord) =>
    isVisible(purchase) ? { purchaseId: purchase.id } : {};
  return {
    justBought: (purchase: PurchaseRecord) =>
      new Fault('ALREADY_OWNED', {
        message: `${purchase.domain} was bought just now, though the service does not show it yet. Read that purchase.`,
        facts: named(purchase),
        path: domainPath,
      }),

    keyConflict: (purchase: PurchaseRecord) =>
      new Fault('IDEMPOTENCY_CONFLICT', {
        message: isVisible(purchase)
          ? `This idempotency key was used before with other input, for ${purchase.domain}. Use a new key for a new purchase.`
          : 'This idempotency key belongs to a purchase of another caller. Use a new key.',
        facts: named(purchase),
        path: ['input', 'idempotencyKey'],
      }),

    domainBusy: (purchase: PurchaseRecord) =>
      new Fault('IDEMPOTENCY_CONFLICT', {
        message: isVisible(purchase)
          ? `A purchase of ${purchase.domain} is still open. Read that purchase instead of buying again.`
          : `A purchase of ${purchase.domain} by another caller is still open. Do not buy it again.`,
        facts: named(purchase),
        path: domainPath,
      }),
  };
};
