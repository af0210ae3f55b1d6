import { expect, onTestFinished, test } from 'vitest';
import { codesOf } from '../../../../test/graph/orders/order-shop.ts';
import { startProxiedSandbox } from '../../../../test/graph/purchases/proxy.ts';
import { countPurchases, type Payload } from '../../../../test/graph/purchases/shop.ts';
import { minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import { openPaymentShop, type PaymentShop, usd } from './payment-shop.ts';

const hourMs = 60 * minuteMs;

const setBalance = ({ gateway }: PaymentShop, balance: string) =>
  gateway.admin('POST', '/balances', { currency: 'USD', balance });

test('a line whose outcome is not known has no refund, and nothing is bought twice', async () => {
  const shop = await openPaymentShop();
  const { order } = await shop.place('dark', ['dark-one.com']);
  await shop.arm('lost-answer', { action: 'registerdomain' });
  await shop.arm('gateway', { action: 'getdetails', after: 1, times: 1_000 });
  await shop.confirm(order.id, 'pay', order.payment.amountDue);
  await shop.time.pass(10 * secondMs);
  const dark = await shop.read(order.id);

  expect(dark).toMatchObject({
    state: 'RUNNING',
    payment: { state: 'PAID', refundDue: { amount: '0.0000' } },
    lines: [
      { state: expect.stringMatching(/^(SENDING|PENDING)$/), refundDue: { amount: '0.0000' } },
    ],
  });
  expect(codesOf(await shop.refund(order.id, 'early', order.payment.amountDue))).toEqual([
    'REFUND_NOT_DUE',
  ]);
  expect(await countPurchases(shop)).toBe(1);
});

test('a paid line waits for the balance, and its refund is due after a day', async () => {
  const shop = await openPaymentShop();
  const { order } = await shop.place('topped-up', ['topped-up.com']);
  const { order: other } = await shop.place('poor', ['poor-one.com']);
  await setBalance(shop, '5');
  await shop.confirm(order.id, 'pay', order.payment.amountDue);
  await shop.time.pass(minuteMs);
  expect(await shop.read(order.id)).toMatchObject({
    ...{ state: 'RUNNING', payment: { refundDue: { amount: '0.0000' } } },
    lines: [{ state: 'WAITING', errors: [] }],
  });
  await setBalance(shop, '500');
  await shop.time.pass(6 * minuteMs);
  expect((await shop.read(order.id)).state).toBe('SUCCEEDED');

  await setBalance(shop, '5');
  await shop.confirm(other.id, 'pay-too', other.payment.amountDue);
  shop.time.suspend(23 * hourMs);
  await shop.time.pass(6 * minuteMs);
  expect((await shop.read(other.id)).state).toBe('RUNNING');
  shop.time.suspend(hourMs);
  await shop.time.pass(6 * minuteMs);
  expect(await shop.read(other.id)).toMatchObject({
    ...{ state: 'FAILED', payment: { refundDue: { amount: other.payment.amountDue.amount } } },
    lines: [{ errors: [{ code: 'INSUFFICIENT_FUNDS' }] }],
  });
});

test.each([
  ['0', 'FAILED'],
  ['10', 'SUCCEEDED'],
])(
  'with MAX_COST_INCREASE=%s a line whose cost rose by 9 percent is %s',
  async (percent, state) => {
    const sandbox = await startProxiedSandbox();
    onTestFinished(() => sandbox.close());
    const shop = await openPaymentShop({
      env: { MAX_COST_INCREASE: percent, DOMAIN_API_URL: sandbox.url },
    });
    const { order } = await shop.place('risen', ['risen-one.com']);
    for (const action of ['tldlist', 'bulkcheckavailability', 'singlecheckavailability']) {
      sandbox.intercept(action, async (_fields, forward) => {
        const reply = await forward();
        const risen = JSON.stringify(reply.body).replaceAll('11.2900', '12.3000');
        return { ...reply, body: JSON.parse(risen) };
      });
    }
    await shop.confirm(order.id, 'pay', order.payment.amountDue);
    const ended = await shop.ended(order.id);

    expect(ended.lines.map((line: Payload) => line.state)).toEqual([state]);
    const { amount } = ended.payment.refundDue;
    expect(amount).toBe(state === 'FAILED' ? order.payment.amountDue.amount : '0.0000');
    expect(sandbox.count('registerdomain')).toBe(state === 'FAILED' ? 0 : 1);
  },
);

test.each<[string, object, string]>([
  ['an amount of 0', { amount: usd('0') }, 'amount'],
  ['a negative amount', { amount: usd('-1') }, 'amount'],
  ['a part of a cent', { amount: usd('1.005') }, 'amount'],
  ['a part of a yen', { amount: { amount: '1.5', currency: 'JPY' } }, 'amount'],
  ['a long reference', { reference: 'x'.repeat(300) }, 'reference'],
  ['an empty reference', { reference: ' ' }, 'reference'],
  ['an invisible reference', { reference: 'a\u200bb' }, 'reference'],
  ['an unknown order', { order: { id: 'T3JkZXI6bm9uZQ' } }, 'order'],
  ['the key of another caller', { order: { key: 'bad' } }, 'order'],
])('%s is refused, and nothing is recorded', async (_what, members, member) => {
  const shop = await openPaymentShop();
  const { order } = await shop.place('bad', ['bad-one.com'], {}, 'ada');
  const input = { order: { id: order.id }, reference: 'pay', amount: usd('1'), ...members };
  const { errors } = await shop.edit('overseer', 'confirmPayment', input);

  expect(errors).toHaveLength(1);
  expect(errors[0].path).toEqual(['input', member]);
  expect((await shop.read(order.id)).payment.amounts).toEqual([]);
});

test.each([
  ['PT4M', 'INVALID_INPUT'],
  ['PT73H', 'INVALID_INPUT'],
  ['1 hour', 'INVALID_INPUT'],
  ['P1D', null],
  ['PT72H', null],
  ['PT1H30M', null],
])('an order that expires after %s is answered with %s', async (expiresAfter, code) => {
  const shop = await openPaymentShop();
  const placed = await shop.place('time', ['time-one.com'], { payment: { expiresAfter } });
  expect(codesOf(placed)).toEqual(code === null ? [] : [code]);
});
