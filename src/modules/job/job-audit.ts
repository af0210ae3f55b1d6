import { type Audited, type AuditSinks, createAudited } from '../../kernel/audit.ts';
import { globalId } from '../../kernel/global-id.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';

/** The audit of the work on one item of a job. */
interface ItemAudit {
  readonly audited: Audited;
  /** Of the calls of the item, which are counted. */
  readonly options: Pick<CallOptions, 'onCall'>;
}

/** Returns the audit of an item. Its entries have the id of the job, of this type, in place of that of a request. */
export type AuditOfItem = (typename: string, job: TakenItem['job']) => ItemAudit;

export const createJobAudit =
  (sinks: AuditSinks, tenant: string): AuditOfItem =>
  (typename, { id, caller, customer }) => {
    let calls = 0;
    const requestId = globalId(typename, id);
    const actor = { caller, customer, tenant, requestId, address: null };
    return {
      audited: createAudited(sinks, actor, () => calls),
      options: {
        onCall: () => {
          calls += 1;
        },
      },
    };
  };
