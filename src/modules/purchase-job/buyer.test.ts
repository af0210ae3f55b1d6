import { expect, test } from 'vitest';
import { createTenant } from '../../../test/support/modules/purchase-tenant.ts';
import { recordedLines } from '../../../test/support/no-recorder.ts';
import type { Recorder } from '../../kernel/recorder.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { buyerOf } from './buyer.ts';
import { buyingTenant } from './parts.ts';

const job = {
  ...{ id: 'one', caller: 'shop', customer: null, account: 'reseller-1' },
  options: '{"limits":{}}',
} as JobRecord;

test.each([
  ['REGISTRATION', 'SUCCEEDED', null, 'registerDomain SUCCEEDED'],
  ['TRANSFER', 'FAILED', 'LOCKED', 'transferDomain LOCKED'],
  ['TRANSFER', 'PENDING', 'UPSTREAM_TIMEOUT', 'transferDomain UPSTREAM_TIMEOUT'],
])(
  'the audit log has the operation and the outcome of a %s that is %s with the fault %s',
  async (kind, state, code, expected) => {
    const { gateway } = await createTenant();
    const entries: string[] = [];
    const recorder: Recorder = {
      ...recordedLines(() => undefined),
      async write({ operation }, work, outcomeOf) {
        const end = await work();
        entries.push(`${operation} ${outcomeOf(end)}`);
        return end;
      },
    };
    const purchase = { kind, state, fault: code && { code } } as PurchaseRecord;

    const { recordSend } = buyerOf(
      { ...gateway.use(buyingTenant), recorderOf: () => ({ recorder, options: {} }) },
      'Order',
      job,
    );
    await recordSend?.(purchase, async () => purchase);

    expect(entries).toEqual([expected]);
  },
);
