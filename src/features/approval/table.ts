import type { Table } from '../../persistence/table.ts';
import type { ApprovalOperation } from './rules.ts';

/**
 * REQUESTED: without a decision; one of equal requests without a job. USED: the one use of a granted approval without a job.
 * CANCELLED: its job was cancelled first. Only REQUESTED and, without a job, GRANTED have a successor.
 */
export type ApprovalState = 'REQUESTED' | 'GRANTED' | 'REJECTED' | 'EXPIRED' | 'CANCELLED' | 'USED';

/** The decision of another caller about one input. */
export type ApprovalRow = {
  /** Also the id of the job, and of a single purchase, that waits for it. */
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
};

export type ApprovalTables = { readonly approvals: ApprovalRow };

/** The statement that ends the wait for a decision also lets the items of the job be taken. */
const release = `update job_items set state = 'WAITING'
  where job_id = new.id and state = 'HELD' and held_by = 'approval';`;

export const approvalsTable: Table = {
  name: 'approvals',
  steps: [
    [
      `create table if not exists approvals (
        id text primary key not null, account text not null, operation text not null, job_kind text,
        domain text, caller text, customer text, rule text not null,
        fingerprint text not null, count integer not null,
        cost_amount text, cost_currency text, price_amount text, price_currency text,
        requested_at text not null, expires_at text not null, state text not null,
        decided_at text, decided_by text, reason text, unreported integer not null)`,
      'create index if not exists approvals_by_time on approvals (account, requested_at, id)',
      `create index if not exists approvals_requested on approvals (account, requested_at, id)
        where state = 'REQUESTED'`,
      `create index if not exists approvals_open on approvals (account, expires_at)
        where (state = 'REQUESTED' or (state = 'GRANTED' and job_kind is null))`,
      `create index if not exists approvals_by_input on approvals (account, fingerprint)
        where job_kind is null`,
      // Of equal requests without a job one waits.
      `create unique index if not exists approvals_waiting
        on approvals (account, fingerprint, coalesce(caller, ''), coalesce(customer, ''))
        where job_kind is null and state = 'REQUESTED'`,
      `create index if not exists approvals_unreported on approvals (account, requested_at)
        where unreported = 1`,
      {
        sqlite: `create trigger if not exists approvals_decided after update of state on approvals
          when new.job_kind is not null begin ${release} end`,
        postgres: `create or replace function approvals_release() returns trigger language plpgsql as
          $$ begin ${release} return null; end $$`,
      },
      {
        postgres: `create or replace trigger approvals_decided after update of state on approvals
          for each row when (new.job_kind is not null) execute function approvals_release()`,
      },
    ],
  ],
};
