import type { ApprovalOperation } from './rules.ts';

/**
 * REQUESTED: without a decision; one of equal requests without a job. USED: the one use of a granted approval without a job.
 * CANCELLED: its job was cancelled first. Only REQUESTED and, without a job, GRANTED have a successor.
 */
export type ApprovalState = 'REQUESTED' | 'GRANTED' | 'REJECTED' | 'EXPIRED' | 'CANCELLED' | 'USED';

/** The decision of another caller about one input. */
export type ApprovalRow = {
  /** Also the id of the job and of the purchase that wait for it, except of a line of an order. */
  readonly id: string;
  readonly account: string;
  readonly operation: ApprovalOperation;
  /** The kind of the job that waits; null for a request that is sent again after the decision. */
  readonly job_kind: string | null;
  /** Null for an order and a bulk change. */
  readonly domain: string | null;
  /** The name of the key of the request; null with open access. */
  readonly caller: string | null;
  readonly customer: string | null;
  /** JSON: the rule as it was. */
  readonly rule: string;
  /** Hash of the input. */
  readonly fingerprint: string;
  /** Purchases of an order, or domains of a bulk change. */
  readonly count: number;
  /** The highest cost, as exact decimal text; null together with its currency. */
  readonly cost_amount: string | null;
  readonly cost_currency: string | null;
  /** What the customer pays. */
  readonly price_amount: string | null;
  readonly price_currency: string | null;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly state: ApprovalState;
  /** Both null without a decision. */
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly reason: string | null;
  /** 1 while an event of it is not stored yet. */
  readonly unreported: number;
  /** The order and the position of the one line that waits; otherwise both null. */
  readonly order_id: string | null;
  readonly order_line: number | null;
};

export type ApprovalTables = { readonly approvals: ApprovalRow };
