import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import { requestHook } from '../../scope/scope.ts';

/** The operations that can be held. */
export type GatedOperation = PurchaseKind | 'UNLOCK' | 'AUTH_CODE' | 'BULK_CHANGE';

/** What the gate looks at, besides the caller. */
export interface GatedSubject {
  /** The highest cost; null when it is unknown, and for an operation without one. */
  readonly cost: Money | null;
  /** Null when it is unknown. */
  readonly premium: boolean | null;
  /** Lines of an order, or domains of a bulk change; otherwise 1. */
  readonly count: number;
}

/** That a request must be held. */
export interface NeededHold {
  /** The name of the feature that holds it. */
  readonly by: string;
  /** The error of a retry, which cannot be held. */
  readonly refusal: Fault;
}

/** A job that is held. */
export interface HeldRequest {
  /** Also the id of the job, and of a single purchase. */
  readonly id: string;
  readonly hold: NeededHold;
  readonly jobKind: string;
  /** Null for an order and a bulk change. */
  readonly domain: DomainName | null;
  readonly customer: string | null;
  /** Hash of the input. */
  readonly fingerprint: string;
  /** Purchases of an order, or domains of a bulk change. */
  readonly count: number;
  /** The highest cost; null when it is unknown, in several currencies, or when there is none. */
  readonly cost: Money | null;
  /** What the customer pays. */
  readonly price: Money | null;
}

/** An operation that its caller sends again after the decision. */
export interface RepeatedOperation {
  readonly operation: 'UNLOCK' | 'AUTH_CODE';
  readonly domain: DomainName;
  /** Throws when the operation cannot succeed, before its decision is requested. */
  readonly check?: () => Promise<void>;
}

/** Decides which requests of a caller are held until a decision of others. */
export interface Gate {
  /**
   * Whether a request that is one or several of these operations must be held; null when it may be sent. All changes of a document
   * count as one bulk change.
   */
  decide(operations: readonly GatedOperation[], subject: GatedSubject): NeededHold | null;
  /** Must be called before the job is stored whose items are held. */
  hold(request: HeldRequest): Promise<void>;
  /** @throws Fault for an operation that must not be made yet. It names the next step. */
  require(operation: RepeatedOperation): Promise<void>;
  /** @throws Fault for the change of a single domain, when it makes the document a bulk change that must be held. */
  requireForChange(domain: DomainName): void;
  /** As `require`, for the auth codes of a domain and of its contacts: one decision is for all that the request selects. */
  requireForAuthCodes(domain: DomainName): Promise<void>;
}

/** Nothing is held. */
export const openGate: Gate = {
  decide: () => null,
  hold: async () => undefined,
  require: async () => undefined,
  requireForChange: () => undefined,
  requireForAuthCodes: async () => undefined,
};

/** Each update of a subscription needs its own decision for an auth code. */
export const gate = requestHook<Gate>('gate', { isOfUpdate: true, byDefault: () => openGate });
