import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codesOf } from '../../../../test/graph/orders/order-shop.ts';
import { countPurchases } from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import { openPaymentShop } from '../test/payment-shop.ts';

/** A shop whose registrations need an approval before their payment. */
async function openRuledShop() {
  const folder = await newFolder('paid-approvals');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'approvals.json');
  await writeFile(
    file,
    JSON.stringify({ rules: [{ operations: ['REGISTRATION'], expiresAfter: '24h' }] }),
  );
  const shop = await openPaymentShop({ env: { APPROVALS_FILE: file } });
  const { order, errors } = await shop.place('ruled', ['ruled-one.com']);
  expect(errors).toEqual([]);
  const decide = async (field: 'approve' | 'reject') => {
    const { approvals } = await shop.ask('decider', '{ approvals { nodes { id } } }');
    const [{ id }] = approvals.nodes;
    const { [field]: decided } = await shop.ask(
      'decider',
      `mutation { ${field}(input: { id: "${id}" }) { errors { code } } }`,
    );
    expect(decided.errors).toEqual([]);
    await shop.time.pass(2 * secondMs);
  };
  return { ...shop, order, decide };
}

test('the time of a payment begins after the approval', async () => {
  const shop = await openRuledShop();
  const { id, payment } = shop.order;
  expect(shop.order).toMatchObject({ state: 'AWAITING_APPROVAL', payment: { expiresAt: null } });
  const early = await shop.confirm(id, 'early', payment.amountDue);
  expect(codesOf(early)).toEqual(['PAYMENT_NOT_ACCEPTED']);
  expect(early.errors[0].message).toContain('The order waits for a decision');

  shop.time.suspend(90 * minuteMs);
  await shop.time.pass(2 * secondMs);
  await shop.decide('approve');
  const waiting = await shop.read(id);
  expect(waiting).toMatchObject({ state: 'AWAITING_PAYMENT', payment: { state: 'DUE' } });
  expect(await countPurchases(shop)).toBe(0);
  expect(await shop.confirm(id, 'in time', payment.amountDue)).toMatchObject({ errors: [] });
  const ended = await shop.ended(id);
  expect([ended.state, ended.payment.refundDue]).toEqual([
    'SUCCEEDED',
    { amount: payment.amountDue.amount },
  ]);
});

test('an order that is rejected cannot be paid', async () => {
  const shop = await openRuledShop();
  const { id, payment } = shop.order;
  await shop.decide('reject');
  await shop.time.pass(2 * secondMs);
  expect(await shop.read(id)).toMatchObject({
    ...{ state: 'FAILED', payment: { state: 'CANCELLED' } },
    lines: [{ errors: [{ code: 'APPROVAL_REJECTED' }] }],
  });
  expect(codesOf(await shop.confirm(id, 'late', payment.amountDue))).toEqual([
    'PAYMENT_NOT_ACCEPTED',
  ]);
  expect(await countPurchases(shop)).toBe(0);
});
