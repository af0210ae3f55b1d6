import type { DomainName } from '../kernel/domain-name.ts';
import type { Executed, FaultCode } from '../kernel/faults.ts';
import type { Money } from '../kernel/money.ts';
import type { CountedBreach, LimitScope, ScopedLimits, Spent } from '../kernel/spend-limits.ts';
import type { DomainWriteStore } from './domain-write-store.ts';
import type { EventStore } from './event-store.ts';
import type { JobStore, Lease } from './job-store.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { WebhookStore } from './webhook-store.ts';

export type PurchaseKind = 'REGISTER' | 'TRANSFER';

/**
 * The state of a purchase.
 *
 * CLAIMED: the key is taken, nothing was sent. SENDING: durable before the first byte is sent; no transition leads back.
 * PENDING: sent, and the outcome is not known yet. IN_PROGRESS: the upstream accepted a transfer that is not complete. The other three
 * are ends.
 */
export const purchaseStates = [
  'CLAIMED',
  'SENDING',
  'PENDING',
  'IN_PROGRESS',
  'SUCCEEDED',
  'FAILED',
  'UNKNOWN',
] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** The states of which at most one purchase may exist for an account, domain and kind. */
export const unsettledStates = ['CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS'] as const;

/** The stage of a transfer; `modules/purchase/transfer-progress.ts` derives it from the purchase. */
export type TransferStage = 'REQUESTED' | 'COMPLETED' | 'REJECTED' | 'CANCELLED' | 'UNKNOWN';

/** Why a purchase ended, or why it is still open. */
export interface PurchaseFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly executed: Executed;
  readonly upstream: { readonly code: string; readonly message: string } | null;
}

export interface Claim {
  readonly id: string;
  /** The tenant that pays. */
  readonly account: string;
  /** The name of the caller's key; null with open access. */
  readonly caller: string | null;
  readonly kind: PurchaseKind;
  readonly domain: DomainName;
  /** The idempotency key of the caller, or a generated one. */
  readonly key: string;
  /** Hash of the input, independent of the order of fields and of aliases. */
  readonly fingerprint: string;
  readonly period: number;
  /** The expected price at the time of the claim. */
  readonly price: Money | null;
  /** The expected balance afterwards, in the currency of the price, computed before sending. */
  readonly balanceAfter: Money | null;
  readonly claimedAt: Date;
  /** The job and the position of its item that this purchase is made for; both null for a single purchase. */
  readonly orderId: string | null;
  readonly orderLine: number | null;
}

export interface PurchaseRecord extends Claim {
  readonly state: PurchaseState;
  readonly submittedAt: Date | null;
  /** End of the sender's quiet window, by the clock of `submittedAt`; null when nothing was sent. */
  readonly quietUntil: Date | null;
  /** When the gateway learned that the upstream accepted it; null before. */
  readonly acceptedAt: Date | null;
  /** When a transfer in progress was last read, and when the next read is due. */
  readonly lookedAt: Date | null;
  readonly nextLookAt: Date | null;
  /** Whether the price of a failed transfer was refunded; null when that is not known. */
  readonly refunded: boolean | null;
  readonly settledAt: Date | null;
  readonly fault: PurchaseFault | null;
}

export type ClaimOutcome =
  /** This caller owns the key; nothing was sent for it before. */
  | { readonly outcome: 'claimed'; readonly purchase: PurchaseRecord }
  /** The same key with the same input, and its purchase. */
  | { readonly outcome: 'replayed'; readonly purchase: PurchaseRecord }
  /** The key was used for another input. */
  | { readonly outcome: 'key-conflict'; readonly purchase: PurchaseRecord }
  /** Another process works on the item of the job, or the item has ended. */
  | { readonly outcome: 'lease-lost' }
  /** Another key has an unsettled purchase of this domain. */
  | { readonly outcome: 'domain-busy'; readonly purchase: PurchaseRecord }
  /** Purchases of this account are stopped. */
  | { readonly outcome: 'stopped'; readonly stop: PurchaseStop }
  /** The limits that the claim exceeds; at least one. */
  | { readonly outcome: 'over-limit'; readonly breaches: readonly CountedBreach[] };

/** The stop of all purchases of an account. */
export interface PurchaseStop {
  readonly since: Date;
  /** The operator's reason. */
  readonly reason: string;
}

/** Whose purchases are counted, in which currency and up to when. */
export type SpendingOf = Pick<Claim, 'account' | 'caller' | 'price' | 'claimedAt'>;

/** What can refuse a purchase: the stop switch, and the counts of its limits. */
export interface Spending {
  readonly stop: PurchaseStop | null;
  readonly spent: Readonly<Record<LimitScope, Spent>>;
}

export interface Transition {
  readonly to: PurchaseState;
  readonly at: Date;
  readonly fault?: PurchaseFault | null;
  /** With SENDING: how long the upstream can still execute the call. */
  readonly quietUntil?: Date;
  /** With IN_PROGRESS: when to read the transfer. */
  readonly nextLookAt?: Date;
  /** With FAILED, for a transfer. */
  readonly refunded?: boolean | null;
}

export interface PurchaseFilter {
  readonly states?: readonly PurchaseState[];
  readonly kinds?: readonly PurchaseKind[];
  readonly domain?: DomainName;
  /** The name of the caller. */
  readonly caller?: string;
  readonly stages?: readonly TransferStage[];
  /** Claimed then or later. */
  readonly createdAfter?: Date;
  /** Claimed before then. */
  readonly createdBefore?: Date;
}

/** One read of a transfer in progress. */
export interface Look {
  /** `lookedAt` of the purchase as it was read from the journal. */
  readonly seen: Date | null;
  readonly at: Date;
  /** When to read it again. */
  readonly next: Date;
}

/** A place in the list, newest first: claim time, then id. */
export interface PurchasePosition {
  readonly claimedAt: Date;
  readonly id: string;
}

export interface PurchasePage {
  readonly filter?: PurchaseFilter;
  readonly limit: number;
  /** Only purchases older than this. */
  readonly after?: PurchasePosition;
  /** Only purchases newer than this. */
  readonly before?: PurchasePosition;
  /** Take the `limit` from the end of the range instead of its start; the result is still newest first. */
  readonly fromEnd?: boolean;
}

/**
 * The journal of purchases: their claims, sends and outcomes. Every write is durable before its promise resolves.
 *
 * All methods throw Fault `JOURNAL_UNAVAILABLE` when the store cannot be used.
 */
export interface Journal {
  readonly jobs: JobStore;
  readonly ledger: LedgerStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly domainWrites: DomainWriteStore;
  /**
   * One atomic statement: of many claims of one key exactly one is `claimed`, and all claims together stay within the
   * limits, also when they are concurrent. Failed purchases do not count; purchases with an unknown outcome do.
   *
   * With a lease it is claimed while that lease is valid. A known key, a lost lease and a busy domain are reported before a
   * stop, and a stop before a limit.
   */
  claim(claim: Claim, limits: ScopedLimits, lease?: Lease | null): Promise<ClaimOutcome>;
  spending(of: SpendingOf): Promise<Spending>;
  /** Null while purchases are allowed. */
  stopped(account: string): Promise<PurchaseStop | null>;
  /** No later claim is `claimed`. A second stop keeps the time and replaces the reason. */
  stop(account: string, stop: PurchaseStop): Promise<void>;
  resume(account: string): Promise<void>;
  /** Moves a purchase when it is in one of `from`; null when it is not (another process moved it). */
  move(
    id: string,
    from: readonly PurchaseState[],
    transition: Transition,
  ): Promise<PurchaseRecord | null>;
  /** Accepts exactly one read per state of a transfer in progress, over all processes. */
  takeLook(id: string, look: Look): Promise<boolean>;
  /**
   * Transfers in progress whose next read is due at `now`, the longest overdue first. One that was last read after
   * `latest` was read with a wrong clock, and is due too.
   */
  dueLooks(
    account: string,
    due: { readonly now: Date; readonly latest: Date; readonly limit: number },
  ): Promise<readonly PurchaseRecord[]>;
  /** The domains whose transfer was sent and is not settled. */
  openTransfers(account: string): Promise<readonly DomainName[]>;
  byId(account: string, id: string): Promise<PurchaseRecord | null>;
  byIds(account: string, ids: readonly string[]): Promise<readonly PurchaseRecord[]>;
  /** The newest purchase of each of these lines of an order. */
  byLines(
    account: string,
    orderId: string,
    lines: readonly number[],
  ): Promise<readonly PurchaseRecord[]>;
  /** The purchases of these domains, in the order of their claims. */
  byDomains(account: string, domains: readonly string[]): Promise<readonly PurchaseRecord[]>;
  byKey(account: string, key: string): Promise<PurchaseRecord | null>;
  list(account: string, page: PurchasePage): Promise<readonly PurchaseRecord[]>;
  count(account: string, filter?: PurchaseFilter): Promise<number>;
  /** Writes durably, to check that a purchase could be written now. */
  checkWritable(at: Date): Promise<void>;
  close(): Promise<void>;
}

/**
 * The allowed transitions of a purchase. None leads back from SENDING.
 *
 * PENDING to PENDING only renews the reason why it is still open. FAILED to UNKNOWN is a success that arrives after the
 * failure was recorded: the record was wrong, and a person has to look.
 */
const next: Record<PurchaseState, readonly PurchaseState[]> = {
  CLAIMED: ['SENDING', 'FAILED'],
  SENDING: ['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
  PENDING: ['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
  IN_PROGRESS: ['SUCCEEDED', 'FAILED', 'UNKNOWN'],
  SUCCEEDED: [],
  FAILED: ['UNKNOWN'],
  UNKNOWN: [],
};

/** Whether a purchase in this state has settled. */
export const isEnd = (state: PurchaseState): boolean =>
  !unsettledStates.some((open) => open === state);

/** @throws Error for a transition that is not in the table, which is a bug of the caller. */
export function assertTransition(from: readonly PurchaseState[], to: PurchaseState): void {
  if (from.length === 0) throw new Error(`A move to ${to} must name where it starts.`);
  const wrong = from.find((state) => !next[state].includes(to));
  if (wrong) throw new Error(`a purchase never moves from ${wrong} to ${to}.`);
}
