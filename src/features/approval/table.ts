import {
  domainName,
  instant,
  integer,
  json,
  nullable,
  type RowsOf,
  table,
  text,
  textOf,
} from '../../persistence/table.ts';
import type { ApprovalOperation, ApprovalRule } from './rules.ts';

/**
 * REQUESTED: without a decision; one of equal requests without a job. USED: the one use of a granted approval without a job.
 * CANCELLED: its job was cancelled first. Only REQUESTED and, without a job, GRANTED have a successor.
 */
export type ApprovalState = 'REQUESTED' | 'GRANTED' | 'REJECTED' | 'EXPIRED' | 'CANCELLED' | 'USED';

/** The statement that ends the wait for a decision also lets the items of the job be taken. */
const release = `update job_items set state = 'WAITING'
  where job_id = new.id and state = 'HELD' and held_by = 'approval';`;

/** The decisions of other callers about one input. */
export const approvalsTable = table(
  'approvals',
  {
    /** Also the id of the job, and of a single purchase, that waits for it. */
    id: text,
    operation: textOf<ApprovalOperation>(),
    /** The kind of the job that waits; null for a request that is sent again after the decision. */
    jobKind: nullable(text),
    /** Null for an order and a bulk change. */
    domain: nullable(domainName),
    /** The name of the key of the request; null with open access. */
    caller: nullable(text),
    customer: nullable(text),
    /** As it was. */
    rule: json<ApprovalRule>(),
    /** Hash of the input. */
    fingerprint: text,
    /** Purchases of an order, or domains of a bulk change. */
    count: integer,
    requestedAt: instant,
    expiresAt: instant,
    state: textOf<ApprovalState>(),
    /** Both null without a decision. */
    decidedAt: nullable(instant),
    decidedBy: nullable(text),
    reason: nullable(text),
  },
  {
    hidden: {
      account: text,
      /** The highest cost, as exact decimal text; null together with its currency. */
      costAmount: nullable(text),
      costCurrency: nullable(text),
      /** What the customer pays. */
      priceAmount: nullable(text),
      priceCurrency: nullable(text),
      /** 1 while an event of it is not stored yet. */
      unreported: integer,
    },
    key: 'id',
    unique: {
      // Of equal requests without a job one waits.
      waiting: `(account, fingerprint, coalesce(caller, ''), coalesce(customer, ''))
        where job_kind is null and state = 'REQUESTED'`,
    },
    indexes: {
      by_time: '(account, requested_at, id)',
      requested: "(account, requested_at, id) where state = 'REQUESTED'",
      open: `(account, expires_at)
        where (state = 'REQUESTED' or (state = 'GRANTED' and job_kind is null))`,
      by_input: '(account, fingerprint) where job_kind is null',
      unreported: '(account, requested_at) where unreported = 1',
    },
    triggers: [
      {
        sqlite: `create trigger approvals_decided after update of state on approvals
          when new.job_kind is not null begin ${release} end`,
        postgres: `create function approvals_release() returns trigger language plpgsql as
          $$ begin ${release} return null; end $$`,
      },
      {
        postgres: `create trigger approvals_decided after update of state on approvals
          for each row when (new.job_kind is not null) execute function approvals_release()`,
      },
    ],
  },
);

export type ApprovalTables = RowsOf<typeof approvalsTable>;
