import { describe, expect, test } from 'vitest';
import { lostAnswer, refused } from '../../../test/persistence/claims.ts';
import { Fault } from '../../kernel/faults.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { viewOf } from './view.ts';

const now = new Date('2026-02-01T12:00:00Z');
const later = new Date(now.getTime() + 1);
const facts = { purchaseId: 'purchase-1' };
const view = (changes: Partial<PurchaseRecord>) =>
  viewOf(
    {
      ...{ id: 'purchase-1', kind: 'TRANSFER', orderLine: null, fault: null, callUntil: null },
      ...changes,
    } as PurchaseRecord,
    now,
  );

test.each<[Partial<PurchaseRecord>, string]>([
  [{ state: 'CLAIMED' }, 'SENDING'],
  [{ state: 'SENDING', callUntil: later }, 'SENDING'],
  [{ state: 'IN_PROGRESS', fault: lostAnswer }, 'IN_PROGRESS'],
  [{ state: 'SUCCEEDED', fault: lostAnswer }, 'SUCCEEDED'],
])('a purchase with %o is %s, and has no errors', (changes, state) => {
  expect(view(changes)).toEqual({ state, errors: [] });
});

test.each<[Partial<PurchaseRecord>, string]>([
  [{ state: 'SENDING', callUntil: now }, 'PENDING'],
  [{ state: 'PENDING', callUntil: later, fault: refused }, 'PENDING'],
  [{ state: 'UNKNOWN' }, 'UNKNOWN'],
])('a purchase with %o is %s, and its error is the general one', (changes, state) => {
  const { message } = new Fault('OUTCOME_UNKNOWN');
  const found = view(changes);

  expect(found).toMatchObject({ state, errors: [{ code: 'OUTCOME_UNKNOWN', message, facts }] });
  expect(found.errors[0]?.upstream).toEqual(changes.fault?.upstream);
});

describe('the error of a purchase', () => {
  test('that failed is the recorded one, with the code of the upstream, and is not retryable', () => {
    const fault = { ...refused, code: 'UPSTREAM_TIMEOUT', executed: 'NO' } as const;

    expect(new Fault('UPSTREAM_TIMEOUT').retryable).toBe(true);
    expect(view({ state: 'FAILED', fault }).errors).toMatchObject([
      { ...fault, retryable: false, facts },
    ]);
    const [own] = view({ state: 'FAILED', fault: { ...fault, upstream: null } }).errors;
    expect(own?.upstream).toBeUndefined();
  });

  test.each([
    [null, ['input', 'domain']],
    [7, ['input', 'lines', '7', 'transfer', 'domain']],
  ])('that failed as line %s has the text and the path %j of its mutation', (orderLine, path) => {
    const upstream = { code: 'API_592_ERROR', message: '' };
    const fault = { ...refused, code: 'LOCKED', message: 'It is locked.', upstream } as const;

    const { errors } = view({ state: 'FAILED', fault, orderLine });
    const message = expect.stringContaining('unlock it at its current registrar');
    expect(errors).toMatchObject([{ code: 'LOCKED', message, inputPath: path }]);
  });

  test('that failed without a recorded one is UPSTREAM_REJECTED', () => {
    expect(view({ state: 'FAILED' }).errors).toMatchObject([{ code: 'UPSTREAM_REJECTED', facts }]);
  });

  test('that is UNKNOWN gives the recorded reason', () => {
    const fault = { ...lostAnswer, message: 'Check the account.' };

    expect(view({ state: 'UNKNOWN', fault }).errors).toMatchObject([
      { code: 'OUTCOME_UNKNOWN', message: 'Check the account.', facts },
    ]);
  });
});
