import { expect, test } from 'vitest';
import { noTrail } from '../../../test/support/no-audit.ts';
import type { AuditedOperation, AuditOutcome } from '../../kernel/audit.ts';
import { globalId } from '../../kernel/global-id.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import { createJobAudit } from './job-audit.ts';

test.each(['Order', 'Purchase'])(
  'a write of a job has the id of its %s, its caller and its calls',
  async (typename) => {
    const entries: [AuditedOperation, AuditOutcome][] = [];
    const trail = {
      ...noTrail,
      begin: async (operation: AuditedOperation) => (end: AuditOutcome) =>
        void entries.push([operation, end]),
    };
    const job = { id: 'job-1', caller: 'shop', customer: 'maple' } as JobRecord;
    const auditOf = createJobAudit({ log: () => undefined, trail }, 'north');
    const { audited, options } = auditOf(typename, job);
    const write = { operation: 'registerDomain', subject: 'a.com', input: null };
    const work = async () => {
      for (let call = 0; call < 2; call += 1) options.onCall?.({} as never);
    };
    await audited.write(write, work, () => 'SUCCEEDED');

    const requestId = globalId(typename, 'job-1');
    expect(entries).toMatchObject([
      [
        { requestId, caller: 'shop', customer: 'maple', tenant: 'north', domain: 'a.com' },
        { outcome: 'SUCCEEDED', upstreamCalls: 2 },
      ],
    ]);
  },
);
