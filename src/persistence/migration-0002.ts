import { type Kysely, sql } from 'kysely';

/**
 * The step `0002-one-waiting-approval`: of equal requests without a job one waits. Of those that two replicas stored at the same
 * moment one remains.
 */
export async function createWaitingIndex(db: Kysely<unknown>): Promise<void> {
  await sql`update approvals set state = 'CANCELLED'
    where job_kind is null and state = 'REQUESTED' and exists (
      select 1 from approvals as earlier
      where earlier.account = approvals.account and earlier.fingerprint = approvals.fingerprint
        and coalesce(earlier.caller, '') = coalesce(approvals.caller, '')
        and coalesce(earlier.customer, '') = coalesce(approvals.customer, '')
        and earlier.job_kind is null and earlier.state = 'REQUESTED' and earlier.id < approvals.id
    )`.execute(db);
  await sql`create unique index approvals_waiting
    on approvals (account, fingerprint, coalesce(caller, ''), coalesce(customer, ''))
    where job_kind is null and state = 'REQUESTED'`.execute(db);
}
