import { expect, test } from 'vitest';
import { dayMs } from '../../../test/support/simulated-clock.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { transferProgressOf } from './transfer-progress.ts';

const startedAt = new Date('2026-01-31T12:00:00Z');
const endedAt = new Date(startedAt.getTime() + 3 * dayMs);

const progress = (changes: Partial<PurchaseRecord>) =>
  transferProgressOf({
    ...{ kind: 'TRANSFER', acceptedAt: startedAt, settledAt: endedAt, refunded: null, fault: null },
    ...changes,
  } as PurchaseRecord);
const failed = (code: string) =>
  ({ state: 'FAILED', fault: { code } }) as Pick<PurchaseRecord, 'state' | 'fault'>;

test.each([
  ['SUCCEEDED', { state: 'SUCCEEDED' }, 'COMPLETED'],
  ['UNKNOWN', { state: 'UNKNOWN' }, 'UNKNOWN'],
  ['rejected', failed('TRANSFER_REJECTED'), 'REJECTED'],
  ['cancelled', failed('TRANSFER_CANCELLED'), 'CANCELLED'],
] as const)('a transfer that is %s has its stage and its times', (_what, changes, stage) => {
  expect(progress({ ...changes, refunded: true })).toEqual({
    ...{ stage, startedAt, endedAt, expectedBy: null, refunded: true },
  });
});

test('a transfer in progress is expected five days after its start', () => {
  const requested = { state: 'IN_PROGRESS', settledAt: null } as const;

  expect(progress(requested)).toMatchObject({
    ...{ stage: 'REQUESTED', startedAt, endedAt: null },
    expectedBy: new Date(startedAt.getTime() + 5 * dayMs),
  });
  expect(progress({ ...requested, acceptedAt: null })?.expectedBy).toBeNull();
});

test.each<[string, Partial<PurchaseRecord>]>([
  ['a registration', { kind: 'REGISTRATION', state: 'SUCCEEDED' }],
  ['a transfer that is claimed', { state: 'CLAIMED' }],
  [
    'a transfer whose outcome is not known yet',
    { ...failed('TRANSFER_REJECTED'), state: 'PENDING' },
  ],
  ['a transfer that the upstream refused', failed('INSUFFICIENT_FUNDS')],
  ['a failed transfer without a recorded fault', { state: 'FAILED' }],
])('%s has no progress', (_what, changes) => {
  expect(progress(changes)).toBeNull();
});
