import type { DomainName } from '../kernel/domain-name.ts';
import type { Executed, FaultCode } from '../kernel/faults.ts';
import type { Money } from '../kernel/money.ts';
import type { CountedBreach, LimitScope, ScopedLimits, Spent } from '../kernel/spend-limits.ts';

export type PurchaseKind = 'REGISTER' | 'TRANSFER';

/**
 * How far a purchase has come.
 *
 * CLAIMED: the key is taken, nothing was sent. SENDING: durable before the first byte leaves; nothing leads back from it.
 * PENDING: sent, and the outcome is not known yet. IN_PROGRESS: the upstream accepted a transfer that is not complete. The other three
 * are ends.
 */
export const operationStates = [
  'CLAIMED',
  'SENDING',
  'PENDING',
  'IN_PROGRESS',
  'SUCCEEDED',
  'FAILED',
  'UNKNOWN',
] as const;
export type PurchaseState = (typeof operationStates)[number];

/** The states of which at most one purchase may exist for an account, domain and kind. */
export const unsettledStates = ['CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS'] as const;

/** How far a transfer has come; `transfer-stage.ts` derives it from the purchase. */
export type TransferStage = 'REQUESTED' | 'COMPLETED' | 'REJECTED' | 'CANCELLED' | 'UNKNOWN';

/** Why a purchase ended as it did, or why it is still open. */
export interface PurchaseFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly executed: Executed;
  readonly upstream: { readonly code: string; readonly message: string } | null;
}

export interface Claim {
  readonly id: string;
  /** The reseller account at the upstream that pays. */
  readonly account: string;
  /** The name of the API key that it was asked with; null where nobody is asked for one. */
  readonly caller: string | null;
  readonly kind: PurchaseKind;
  readonly domain: DomainName;
  /** The caller's idempotency key, or one that the gateway made. */
  readonly key: string;
  /** Hash of what was asked; knows neither the order of fields nor aliases. */
  readonly fingerprint: string;
  readonly period: number;
  /** What the purchase was expected to cost when it was claimed. */
  readonly price: Money | null;
  /** The balance after it, in the currency of the price, as computed before it was sent. */
  readonly balanceAfter: Money | null;
  readonly claimedAt: Date;
}

export interface PurchaseRecord extends Claim {
  readonly state: PurchaseState;
  readonly submittedAt: Date | null;
  /** End of the sender's quiet window, by the clock of `submittedAt`; null when nothing was sent. */
  readonly quietUntil: Date | null;
  /** When the upstream was known to have accepted it; null before that. */
  readonly acceptedAt: Date | null;
  /** When a transfer in progress was last read, and when it is to be read next. */
  readonly lookedAt: Date | null;
  readonly nextLookAt: Date | null;
  /** Whether the price of a transfer that came to nothing was returned; null while or where that is not known. */
  readonly refunded: boolean | null;
  readonly settledAt: Date | null;
  readonly fault: PurchaseFault | null;
}

export type ClaimOutcome =
  /** The key is ours now; nothing was sent for it before. */
  | { readonly outcome: 'claimed'; readonly purchase: PurchaseRecord }
  /** The same key with the same input: here is what became of it. */
  | { readonly outcome: 'replayed'; readonly purchase: PurchaseRecord }
  /** The key was used for another input. */
  | { readonly outcome: 'key-conflict'; readonly purchase: PurchaseRecord }
  /** Another key has an unsettled purchase of this domain. */
  | { readonly outcome: 'domain-busy'; readonly purchase: PurchaseRecord }
  /** Nothing may be bought for this account at present. */
  | { readonly outcome: 'stopped'; readonly stop: PurchaseStop }
  /** Limits that count have no room for it; at least one. */
  | { readonly outcome: 'over-limit'; readonly breaches: readonly CountedBreach[] };

/** The stop switch of an account, while it is thrown. */
export interface PurchaseStop {
  readonly since: Date;
  /** The operator's words. */
  readonly reason: string;
}

/** Whose purchases are counted, in which currency and up to when. */
export type SpendingOf = Pick<Claim, 'account' | 'caller' | 'price' | 'claimedAt'>;

/** What stands against a purchase at one moment: the stop switch, and what its limits have counted before it. */
export interface Spending {
  readonly stop: PurchaseStop | null;
  readonly spent: Readonly<Record<LimitScope, Spent>>;
}

export interface Transition {
  readonly to: PurchaseState;
  readonly at: Date;
  readonly fault?: PurchaseFault | null;
  /** With SENDING: how long the upstream may still carry out the call. */
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
  /** The name of who asked for it. */
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
  /** Only what is older than this. */
  readonly after?: PurchasePosition;
  /** Only what is newer than this. */
  readonly before?: PurchasePosition;
  /** Take the `limit` from the end of the range instead of its start; the order of the answer stays newest first. */
  readonly fromEnd?: boolean;
}

/**
 * The journal of purchases: what was claimed, sent and found out. Every write is durable before its promise resolves.
 *
 * All methods throw Fault `JOURNAL_UNAVAILABLE` when the store cannot be used.
 */
export interface Journal {
  /**
   * One atomic statement: of many claims of one key exactly one is `claimed`, and all that are claimed keep to the
   * limits together, however many write at once. What failed counts no more; what nobody knows of does.
   *
   * A known key and a busy domain are told before a stop, and that before a limit.
   */
  claim(claim: Claim, limits: ScopedLimits): Promise<ClaimOutcome>;
  spending(of: SpendingOf): Promise<Spending>;
  /** Null while purchases are allowed. */
  stopped(account: string): Promise<PurchaseStop | null>;
  /** No claim begun after it is `claimed`. Stopped again, it keeps its time and takes the new reason. */
  stop(account: string, stop: PurchaseStop): Promise<void>;
  resume(account: string): Promise<void>;
  /** Moves a purchase when it is in one of `from`; null when it is not (somebody else moved it). */
  move(
    id: string,
    from: readonly PurchaseState[],
    transition: Transition,
  ): Promise<PurchaseRecord | null>;
  /** Of many looks at one state of a transfer in progress exactly one is taken, over all processes. */
  takeLook(id: string, look: Look): Promise<boolean>;
  /**
   * Transfers in progress whose next look is due at `now`, the longest overdue first. One that was last read after `latest`
   * was read by a clock that is wrong, and is due too.
   */
  dueLooks(
    account: string,
    due: { readonly now: Date; readonly latest: Date; readonly limit: number },
  ): Promise<readonly PurchaseRecord[]>;
  byId(account: string, id: string): Promise<PurchaseRecord | null>;
  byIds(account: string, ids: readonly string[]): Promise<readonly PurchaseRecord[]>;
  byKey(account: string, key: string): Promise<PurchaseRecord | null>;
  list(account: string, page: PurchasePage): Promise<readonly PurchaseRecord[]>;
  count(account: string, filter?: PurchaseFilter): Promise<number>;
  /** Writes, durably, and so proves that a purchase could be written now. */
  prove(at: Date): Promise<void>;
  close(): Promise<void>;
}
