import { expect, test } from 'vitest';
import { createTenant } from '../../../test/support/modules/purchase-tenant.ts';
import { auditedLines } from '../../../test/support/no-audit.ts';
import type { Audited } from '../../kernel/audit.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { buyerOf } from './buyer.ts';
import { buyingTenant } from './parts.ts';

const job = { id: 'one', caller: 'shop', customer: null, account: 'reseller-1' } as JobRecord;

test.each([
  ['REGISTRATION', 'SUCCEEDED', null, 'registerDomain SUCCEEDED'],
  ['TRANSFER', 'FAILED', 'LOCKED', 'transferDomain LOCKED'],
  ['TRANSFER', 'PENDING', 'UPSTREAM_TIMEOUT', 'transferDomain UPSTREAM_TIMEOUT'],
])(
  'the audit log has the operation and the outcome of a %s that is %s with the fault %s',
  async (kind, state, code, expected) => {
    const { gateway } = await createTenant();
    const entries: string[] = [];
    const audited: Audited = {
      ...auditedLines(() => undefined),
      async write({ operation }, work, outcomeOf) {
        const end = await work();
        entries.push(`${operation} ${outcomeOf(end)}`);
        return end;
      },
    };
    const purchase = { kind, state, fault: code && { code } } as PurchaseRecord;

    const { auditSend } = buyerOf(
      { ...gateway.use(buyingTenant), auditOf: () => ({ audited, options: {} }) },
      { typename: 'Order', job, limits: {} },
    );
    await auditSend?.(purchase, async () => purchase);

    expect(entries).toEqual([expected]);
  },
);
