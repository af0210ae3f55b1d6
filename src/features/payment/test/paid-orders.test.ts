import { expect, test } from 'vitest';
import { by } from '../../../../test/access/keys.ts';
import { codesOf } from '../../../../test/graph/orders/order-shop.ts';
import { countPurchases, type Payload } from '../../../../test/graph/purchases/shop.ts';
import { minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import { openPaymentShop, usd } from './payment-shop.ts';

test('an order waits for its payment, and is bought after it', async () => {
  const shop = await openPaymentShop();
  const { order, errors } = await shop.place('one', ['paid-one.com', 'paid-two.com']);
  expect(errors).toEqual([]);
  expect(order).toMatchObject({ state: 'AWAITING_PAYMENT', payment: { state: 'DUE' } });
  const { amountDue } = order.payment;
  shop.time.suspend(10 * minuteMs);
  await shop.time.pass(2 * secondMs);
  expect(await countPurchases(shop)).toBe(0);

  const confirmed = await shop.confirm(order.id, 'pay-1', amountDue);
  expect(confirmed.errors).toEqual([]);
  expect(confirmed.payment).toMatchObject({ orderId: order.id, state: 'PAID' });
  expect(await shop.read(order.id)).toMatchObject({ state: 'RUNNING' });
  const ended = await shop.ended(order.id);

  expect(ended.state).toBe('SUCCEEDED');
  expect(ended.payment).toMatchObject({
    paid: { amount: amountDue.amount },
    refundDue: { amount: '0.0000' },
    amounts: [{ kind: 'PAYMENT', reference: 'pay-1', accepted: true, amount: amountDue }],
  });
  expect(await countPurchases(shop)).toBe(2);
  // The same report again.
  expect(await shop.confirm(order.id, 'pay-1', amountDue)).toMatchObject({ errors: [] });
  expect((await shop.read(order.id)).payment.paid).toEqual({ amount: amountDue.amount });
});

test('a line that is not bought is due back, exactly once', async () => {
  const shop = await openPaymentShop({
    env: { JOB_CONCURRENCY: '1', EVENTS_INTERVAL_SECONDS: '3600' },
  });
  const { order } = await shop.place('two', ['lost-one.com', 'lost-two.com', 'lost-three.net']);
  await shop.register({ domain: 'lost-two.com' }, by('shop'));
  await shop.confirm(order.id, 'pay-2', order.payment.amountDue);
  const { lines, payment } = await shop.ended(order.id);

  expect(lines.map(({ state }: Payload) => state)).toEqual(['SUCCEEDED', 'FAILED', 'SUCCEEDED']);
  const [, lost] = lines;
  expect(lines.map(({ refundDue }: Payload) => Number(refundDue.amount) > 0)).toEqual([
    false,
    true,
    false,
  ]);
  expect(payment.refundDue).toEqual(lost.refundDue);
  await shop.time.pass(secondMs);
  expect(await shop.eventTypes()).toEqual(
    expect.arrayContaining(['PAYMENT_DUE', 'PAYMENT_CONFIRMED', 'REFUND_DUE']),
  );
  const { amount } = payment.refundDue;
  expect(codesOf(await shop.refund(order.id, 'back', usd(amount)))).toEqual([]);
  expect(codesOf(await shop.refund(order.id, 'again', usd(amount)))).toEqual(['REFUND_NOT_DUE']);
  expect((await shop.read(order.id)).payment).toMatchObject({
    refunded: { amount },
    refundDue: { amount: '0.0000' },
  });
});

test('what does not fit starts nothing, and is due back', async () => {
  const shop = await openPaymentShop();
  const { order } = await shop.place('three', ['odd-one.com']);
  const { amountDue } = order.payment;

  const less = await shop.confirm(order.id, 'less', usd('1'));
  const other = await shop.confirm(order.id, 'euro', { ...amountDue, currency: 'EUR' });
  expect([codesOf(less), codesOf(other)]).toEqual([
    ['PAYMENT_NOT_ACCEPTED'],
    ['PAYMENT_NOT_ACCEPTED'],
  ]);
  expect(other.payment).toMatchObject({
    state: 'DUE',
    refundDue: { amount: '1.0000' },
    otherRefundsDue: [{ ...amountDue, currency: 'EUR' }],
  });
  expect((await shop.read(order.id)).state).toBe('AWAITING_PAYMENT');
  expect(await shop.confirm(order.id, 'less', usd('2'))).toMatchObject({
    errors: [{ code: 'INVALID_INPUT', path: ['input', 'reference'] }],
  });
  expect(await shop.confirm(order.id, 'fits', amountDue)).toMatchObject({ errors: [] });
  expect(codesOf(await shop.confirm(order.id, 'twice', amountDue))).toEqual([
    'PAYMENT_NOT_ACCEPTED',
  ]);
  const { payment } = await shop.ended(order.id);
  expect(Number(payment.refundDue.amount)).toBeCloseTo(1 + Number(amountDue.amount));

  expect(codesOf(await shop.refund(order.id, 'back', usd('1000')))).toEqual(['REFUND_NOT_DUE']);
  expect(codesOf(await shop.refund(order.id, 'back', usd('1')))).toEqual([]);
  expect(codesOf(await shop.refund(order.id, 'back', usd('1')))).toEqual([]);
  expect((await shop.read(order.id)).payment).toMatchObject({
    refunded: { amount: '1.0000' },
    refundDue: { amount: amountDue.amount },
  });
  const { refundsDue } = await shop.ask(
    'cashier',
    '{ refundsDue { totalCount nodes { amount { amount currency } customer orderId } } }',
  );
  expect(refundsDue).toMatchObject({ totalCount: 2 });
  expect(refundsDue.nodes.map(({ orderId }: Payload) => orderId)).toEqual([order.id, order.id]);
});

test('an order that is not paid in time expires, and buys nothing', async () => {
  const shop = await openPaymentShop();
  const { order } = await shop.place('four', ['late-one.com']);
  shop.time.suspend(61 * minuteMs);
  await shop.time.pass(2 * secondMs);

  const late = await shop.confirm(order.id, 'late', order.payment.amountDue);
  expect(codesOf(late)).toEqual(['PAYMENT_NOT_ACCEPTED']);
  expect(late.payment).toMatchObject({
    state: 'EXPIRED',
    refundDue: { amount: order.payment.amountDue.amount },
  });
  const ended = await shop.read(order.id);
  expect(ended.state).toBe('STOPPED');
  expect(ended.stopReason).toMatch(
    /^1 line was not sent, because the order was not paid in time\./,
  );
  await shop.time.pass(5 * secondMs);
  expect(await countPurchases(shop)).toBe(0);
});

test('an order that is cancelled before its payment has no refund', async () => {
  const shop = await openPaymentShop();
  const { order } = await shop.place('five', ['gone-one.com']);
  const document = `mutation ($id: ID!) { cancelOrder(input: { id: $id }) { cancelled order { state payment { state } } errors { code } } }`;
  const { cancelOrder } = await shop.ask('shop', document, { id: order.id });

  expect(cancelOrder).toEqual({
    cancelled: 1,
    order: { state: 'STOPPED', payment: { state: 'CANCELLED' } },
    errors: [],
  });
  const late = await shop.confirm(order.id, 'late', order.payment.amountDue);
  expect(codesOf(late)).toEqual(['PAYMENT_NOT_ACCEPTED']);
});

test('callers that must pay buy with paid orders only', async () => {
  const shop = await openPaymentShop({ env: { PAYMENT_REQUIRED: 'customers' } });
  const unpaid = await shop.place('six', ['free-one.com'], { payment: null }, 'ada');
  const { data } = await shop.gateway.query(
    `mutation { registerDomain(input: { domain: "free-two.com" }) { errors { code } purchase { id } } }`,
    {},
    by('ada'),
  );
  const reseller = await shop.place('seven', ['free-three.com'], { payment: null });
  const paid = await shop.place('eight', ['free-four.com'], {}, 'ada');

  expect(codesOf(unpaid)).toEqual(['PAYMENT_REQUIRED']);
  expect(data.registerDomain).toEqual({ errors: [{ code: 'PAYMENT_REQUIRED' }], purchase: null });
  expect(reseller.errors).toEqual([]);
  expect(paid.order.state).toBe('AWAITING_PAYMENT');
});
