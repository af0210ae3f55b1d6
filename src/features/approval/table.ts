import { addEvent, type EventRows, type EventValues } from '../../persistence/outbox.ts';
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
  trigger,
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

/** An event of the approval in `row`, with the values that others do not have. */
const ofApproval = (
  row: string,
  values: EventValues & { readonly type: string },
  rows?: EventRows,
) =>
  addEvent(
    row,
    {
      ...{ id: `${row}.id || ':' || ${values.type}`, subject: `${row}.id` },
      ...{ subjectType: "'Approval'", domain: `${row}.domain`, customer: `${row}.customer` },
      purchaseId: `case ${row}.job_kind when 'PURCHASE' then ${row}.id end`,
      ...values,
    },
    rows,
  );
const requested = (row: string, rows?: EventRows) => {
  const at = `${row}.requested_at`;
  return ofApproval(row, { type: "'APPROVAL_REQUESTED'", at, caller: `${row}.caller` }, rows);
};
const decided = {
  ...{ type: "'APPROVAL_' || new.state", at: 'new.decided_at', caller: 'new.decided_by' },
};
const expired = { type: "'APPROVAL_EXPIRED'", at: 'new.expires_at', source: "'UPSTREAM'" };

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
    },
    triggers: [
      ...trigger(
        'approvals_decided',
        'after update of state on approvals',
        release,
        'new.job_kind is not null',
      ),
      // An approval with a job does not exist until that is stored.
      ...trigger(
        'approvals_requested',
        'after insert on approvals',
        requested('new'),
        'new.job_kind is null',
      ),
      ...trigger(
        'approvals_requested_with_job',
        'after insert on jobs',
        requested('approval', {
          from: 'from approvals as approval',
          where: 'approval.id = new.id',
        }),
      ),
      ...trigger(
        'approvals_ended',
        'after update of state on approvals',
        ofApproval('new', decided, { where: "new.state in ('GRANTED', 'REJECTED')" }) +
          ofApproval('new', expired, { where: "new.state = 'EXPIRED'" }),
        'new.state <> old.state',
      ),
    ],
  },
);

export type ApprovalTables = RowsOf<typeof approvalsTable>;
