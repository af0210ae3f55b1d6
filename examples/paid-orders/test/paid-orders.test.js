import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unitsOf } from '../amounts.js';
import { openShop } from './shop.js';

const shop = await openShop();
afterAll(() => shop.close());
const { fake, proxy, stripe } = shop;

/** What the program logs in a test; it logs nothing else. */
let expectedLog = [];

beforeEach(() => {
  expectedLog = [];
  shop.logged.length = 0;
  // The payments of the test before are not recent any more.
  fake.passDays(41);
  // Each test delivers the webhooks that it needs.
  fake.holdWebhooks(true);
  shop.restart();
});
afterEach(async () => {
  await shop.payments.stop();
  proxy.clear();
  expect(shop.logged).toEqual(expectedLog);
});

const paid = { state: 'PAID' };
const eventsOf = (id) => fake.events.filter(({ data }) => data.object.metadata.order === id);
const post = (path, body, headers = {}) =>
  fetch(`${shop.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

const countLists = () =>
  fake.requests.filter(({ method, path }) => method === 'GET' && path === '/v1/payment_intents')
    .length;

/** A payment of which this program knows nothing. */
async function payDirectly(members) {
  const { id } = await stripe.paymentIntents.create(members);
  return stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
}
const authorizeDirectly = (order) =>
  payDirectly({
    ...{ amount: 100, currency: 'usd', capture_method: 'manual' },
    metadata: { order },
  });

/** An order of which one line fails when it is paid. */
async function placeWithLoss(name) {
  const order = await shop.place([`${name}.com`, `${name}.net`]);
  await shop.take(`${name}.net`);
  return order;
}

describe('charge', () => {
  test('the price of a failed line is returned, with webhooks alone', async () => {
    fake.holdWebhooks(false);
    const { createWebhook } = await shop.ask(
      `mutation ($url: String!) { createWebhook(input: { url: $url, types: [REFUND_DUE] }) { secret } }`,
      { url: `${shop.url}/webhooks/gateway` },
    );
    shop.restart({ gatewayWebhookSecret: createWebhook.secret, everyMs: 3_600_000 }).start();
    const { id, payment } = await placeWithLoss('charged');

    expect(await shop.pay(id)).toEqual(paid);
    expect((await shop.ended(id)).state).toBe('PARTIAL');
    await expect.poll(() => shop.refundsOf(id).length, { timeout: 30_000 }).toBe(1);
    await shop.payments.stop();

    const price = await shop.checkBooks(id);
    expect(price).toBeGreaterThan(0);
    expect(price).toBeLessThan(unitsOf(payment.amountDue));
    expect((await post('/webhooks/gateway', '{}')).status).toBe(400);
  });

  test('all is returned when all lines fail', async () => {
    const { id } = await shop.place(['all-lost.com']);
    await shop.take('all-lost.com');
    await shop.pay(id);
    await shop.ended(id);
    await shop.payments.settle();

    expect(await shop.checkBooks(id)).toBe(0);
    expect(shop.refundsOf(id)).toHaveLength(1);
  });

  test('a declined card can be followed by another one', async () => {
    const { id } = await shop.place(['second-card.com']);
    const declined = await shop.pay(id, 'pm_card_visa_chargeDeclined');
    const unknown = await shop.pay(id, 'pm_nonsense');
    await shop.payments.settle();
    expect((await shop.read(id)).payment).toMatchObject({ state: 'DUE', amounts: [] });
    const second = await shop.pay(id, 'pm_card_mastercard');
    await shop.ended(id);

    expect(declined).toEqual({ state: 'DECLINED', message: 'Your card was declined.' });
    expect(unknown.state).toBe('DECLINED');
    expect(second).toEqual(paid);
    expect(shop.intentsOf(id)).toHaveLength(1);
    await shop.checkBooks(id);
    expectedLog = [expect.stringContaining("No such PaymentMethod: 'pm_nonsense'")];
  });

  test('two clicks at once, and one a day later, charge once', async () => {
    const { id } = await shop.place(['two-clicks.com']);
    const body = JSON.stringify({ order: id, paymentMethod: 'pm_card_visa' });
    const { authorization } = shop;
    const click = async () => (await post('/payments', body, { authorization })).json();

    expect(await Promise.all([click(), click()])).toEqual([paid, paid]);
    await shop.ended(id);
    fake.passDays(1);
    shop.restart();
    expect(await shop.pay(id)).toEqual(paid);
    await shop.checkBooks(id);
    expect(shop.intentsOf(id)).toHaveLength(1);
  });

  test('a PaymentIntent is found again after its idempotency key has ended', async () => {
    const { id } = await shop.place(['next-day.com']);
    await shop.pay(id, 'pm_card_visa_chargeDeclined');
    fake.passDays(1);
    shop.restart();
    expect(await shop.pay(id)).toEqual(paid);
    await shop.ended(id);

    await shop.checkBooks(id);
    expect(shop.intentsOf(id)).toHaveLength(1);
  });

  test('a customer cannot pay an order of another customer, or one that does not exist', async () => {
    const { id } = await shop.place(['foreign.com']);
    const authorization = await shop.signIn('bolt');
    const none = { state: 'NOT_DUE', message: 'There is no such order to pay.' };

    expect(await shop.pay(id, 'pm_card_visa', { authorization })).toEqual(none);
    expect(await shop.pay('nonsense')).toEqual(none);
    const body = JSON.stringify({ order: id, paymentMethod: 'pm_card_visa' });
    expect((await post('/payments', body)).status).toBe(401);
    expect((await post('/payments', body, { authorization: 'Bearer x.y.z' })).status).toBe(401);
    expect((await post('/payments', '{"order":1}')).status).toBe(400);
    expect((await post('/payments', body, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(`${shop.url}/payments`)).status).toBe(405);
    expect((await fetch(`${shop.url}/other`)).status).toBe(404);
    expect(shop.intentsOf(id)).toEqual([]);
    await shop.cancel(id);
  });
});

describe('authorize', () => {
  test('the price of the lines that were bought is captured', async () => {
    shop.restart({ capture: 'authorize' });
    const { id, payment } = await placeWithLoss('authorized');
    expect(await shop.pay(id)).toEqual(paid);
    expect(shop.intentsOf(id)).toMatchObject([{ status: 'requires_capture' }]);
    await shop.ended(id);
    // A process with another setting ends it.
    shop.restart();
    await shop.payments.settle();
    await shop.payments.settle();

    const price = await shop.checkBooks(id);
    expect(shop.intentsOf(id)).toMatchObject([{ status: 'succeeded', amount_received: price }]);
    expect(price).toBeLessThan(unitsOf(payment.amountDue));
    expect(shop.refundsOf(id)).toEqual([]);
  });

  test('the authorization is cancelled when all lines fail', async () => {
    shop.restart({ capture: 'authorize' });
    const { id } = await shop.place(['none-captured.com']);
    await shop.take('none-captured.com');
    await shop.pay(id);
    await shop.ended(id);
    await shop.payments.settle();

    expect(shop.intentsOf(id)).toMatchObject([{ status: 'canceled' }]);
    expect(await shop.checkBooks(id)).toBe(0);
  });

  test.each([
    ['capture', 'lost-capture'],
    ['cancel', 'lost-cancel'],
  ])('a lost response to the %s is made good', async (action, name) => {
    shop.restart({ capture: 'authorize' });
    const { id } = await placeWithLoss(name);
    if (action === 'cancel') await shop.take(`${name}.com`);
    await shop.pay(id);
    await shop.ended(id);
    // The library repeats the request once, because its connection was closed.
    fake.loseResponses(new RegExp(`/${action}$`), 2);
    await shop.payments.settle();

    await shop.checkBooks(id);
    expectedLog = [expect.stringContaining(shop.intentsOf(id)[0].id)];
  });

  test.each(['request', 'response'])(
    'a lost report of the part that was not captured (%s) is repeated',
    async (lost) => {
      shop.restart({ capture: 'authorize' });
      const { id } = await placeWithLoss(`released-${lost}`);
      await shop.pay(id);
      await shop.ended(id);
      proxy.on('recordRefund', () => lost);
      await shop.payments.settle();
      proxy.clear();
      await shop.restart().settle();

      await shop.checkBooks(id);
      const [intent] = shop.intentsOf(id);
      expectedLog = shop.logged.filter((one) => one.includes(intent.id) || one.includes(id));
      expect(expectedLog.length).toBeGreaterThan(0);
    },
  );

  test('an authorization that ends soon is captured before its order ends', async () => {
    const { gateway } = shop;
    await gateway.admin('POST', '/faults', { fault: 'hold-before', action: 'registerdomain' });
    shop.restart({ capture: 'authorize' });
    const { id, payment } = await shop.place(['ends-soon.com']);
    await shop.pay(id);
    await expect.poll(() => gateway.admin('GET', '/held')).toMatchObject({ held: 1 });
    await shop.payments.settle();
    const [intent] = shop.intentsOf(id);
    expect(intent.status).toBe('requires_capture');

    fake.setCaptureBefore(intent.id, Math.floor(Date.now() / 1000) + 3600);
    await shop.payments.settle();
    const amount_received = unitsOf(payment.amountDue);
    expect(shop.intentsOf(id)).toMatchObject([{ status: 'succeeded', amount_received }]);
    await gateway.admin('POST', '/release', {});
    await shop.ended(id);
    await shop.checkBooks(id);
  });

  test('an authorization that ended at Stripe is logged, once', async () => {
    shop.restart({ capture: 'authorize' });
    const { id } = await shop.place(['lost-money.com']);
    await shop.pay(id);
    await shop.ended(id);
    const [intent] = shop.intentsOf(id);
    fake.expireAuthorization(intent.id);
    await shop.payments.settle();
    await shop.payments.settle();

    expectedLog = [expect.stringContaining(`${intent.id}:released`)];
  });

  test('an order with a transfer is charged, whichever line it is', async () => {
    shop.restart({ capture: 'authorize' });
    const lines = Array.from({ length: 100 }, (_, at) => ({
      registration: { domain: `one-of-many-${at}.com` },
    }));
    const transfer = { domain: 'outside-paid.com', authCode: 'Transfer-Code-01' };
    const { id } = await shop.place(['many'], { lines: [...lines, { transfer }] });
    await shop.pay(id, 'pm_card_visa_chargeDeclined');

    expect(shop.intentsOf(id)).toMatchObject([{ capture_method: 'automatic' }]);
    await shop.cancel(id);
  });
});

describe('after a lost response or a crash', () => {
  test.each([
    ['creation', /payment_intents$/, 'lost-creation'],
    ['confirmation', /confirm$/, 'lost-confirmation'],
  ])('of the %s, the order is paid once', async (_name, path, name) => {
    const { id } = await shop.place([`${name}.com`]);
    fake.loseResponses(path, 2);
    const first = await shop.pay(id);
    const second = await shop.pay(id);
    await shop.ended(id);

    expect(['PROCESSING', 'PAID']).toContain(first.state);
    expect(second).toEqual(paid);
    await shop.checkBooks(id);
    expect(shop.intentsOf(id)).toHaveLength(1);
    if (first.state === 'PROCESSING') expectedLog = [expect.stringContaining(id)];
  });

  test.each(['request', 'response'])(
    'of the report of a charge (%s), the next process reports it once',
    async (lost) => {
      const { id } = await shop.place([`crashed-${lost}.com`]);
      proxy.on('confirmPayment', () => lost);
      expect((await shop.pay(id)).state).toBe('PROCESSING');
      proxy.clear();
      shop.restart();
      const before = countLists();
      await Promise.all([shop.payments.settle(), shop.payments.settle(), shop.payments.settle()]);
      // The second and the third are one.
      expect(countLists() - before).toBe(2);
      await shop.ended(id);

      await shop.checkBooks(id);
      expectedLog = [expect.stringContaining(id)];
    },
  );

  test.each(['request', 'response'])(
    'of the report of a refund (%s), the next process records it once',
    async (lost) => {
      const { id } = await placeWithLoss(`crashed-refund-${lost}`);
      await shop.pay(id);
      await shop.ended(id);
      proxy.on('recordRefund', () => lost);
      await shop.payments.settle();
      expect(shop.refundsOf(id)).toHaveLength(1);
      proxy.clear();
      fake.passDays(1);
      await shop.restart().settle();

      expect(shop.refundsOf(id)).toHaveLength(1);
      await shop.checkBooks(id);
      expectedLog = [expect.stringContaining(id)];
    },
  );

  test('of a refund, it is made once', async () => {
    const { id } = await placeWithLoss('lost-refund');
    await shop.pay(id);
    await shop.ended(id);
    fake.loseResponses(/refunds$/, 2);
    await shop.payments.settle();
    expect((await shop.read(id)).payment.amounts).toHaveLength(1);
    fake.passDays(1);
    await shop.restart().settle();

    expect(shop.refundsOf(id)).toHaveLength(1);
    await shop.checkBooks(id);
    expectedLog = [expect.stringContaining(id)];
  });

  test('two processes return the same money once', async () => {
    const { id } = await placeWithLoss('two-processes');
    await shop.pay(id);
    await shop.ended(id);
    const one = shop.payments;
    await Promise.all([one.settle(), shop.restart().settle()]);

    expect(shop.refundsOf(id)).toHaveLength(1);
    await shop.checkBooks(id);
  });
});

describe('a webhook of Stripe', () => {
  /** An order that is paid at Stripe, which the gateway does not know. */
  async function placeUnreported(name) {
    const { id } = await shop.place([name]);
    await shop.pay(id, 'pm_card_visa_chargeDeclined');
    proxy.on('confirmPayment', () => 'request');
    await shop.pay(id);
    proxy.clear();
    expectedLog = [expect.stringContaining(id)];
    return id;
  }

  test('reports a payment whose browser was closed, also late, repeated and out of order', async () => {
    const id = await placeUnreported('closed-browser.com');
    expect((await shop.read(id)).state).toBe('AWAITING_PAYMENT');
    const events = eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      'payment_intent.created',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
    ]);
    for (const event of [...events.toReversed(), ...events]) {
      expect(await fake.deliver(event)).toBe(204);
    }
    await shop.ended(id);

    await shop.checkBooks(id);
  });

  test('is refused with a wrong signature, and when it is too long', async () => {
    const id = await placeUnreported('forged.com');
    const [event] = eventsOf(id).slice(-1);
    expect(await fake.deliver(event, 'whsec_wrong')).toBe(400);
    expect((await post('/webhooks/stripe', JSON.stringify(event))).status).toBe(400);
    expect((await post('/webhooks/stripe', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await shop.read(id)).payment.amounts).toEqual([]);

    await shop.payments.settle();
    await shop.ended(id);
    await shop.checkBooks(id);
  });

  test('is only a hint: the PaymentIntent of today decides', async () => {
    const { id } = await shop.place(['not-yet.com']);
    await shop.pay(id, 'pm_card_visa_chargeDeclined');
    const [intent] = shop.intentsOf(id);
    const object = { ...intent, status: 'succeeded', amount_received: intent.amount };
    const event = { ...eventsOf(id)[0], type: 'payment_intent.succeeded', data: { object } };
    expect(await fake.deliver(event)).toBe(204);
    await shop.payments.settle();

    expect((await shop.read(id)).payment).toMatchObject({ state: 'DUE', amounts: [] });
    await shop.cancel(id);
  });

  test('of a PaymentIntent without an order changes nothing', async () => {
    const { id } = await payDirectly({ amount: 700, currency: 'usd', metadata: {} });
    const event = fake.events.findLast(({ data }) => data.object.id === id);

    expect(event.type).toBe('payment_intent.succeeded');
    expect(await fake.deliver(event)).toBe(204);
    await shop.payments.settle();
  });

  test('of an order that the gateway does not have is logged once', async () => {
    const { id } = await payDirectly({ amount: 700, currency: 'usd', metadata: { order: 'none' } });
    expect(await fake.deliver(fake.events.at(-1))).toBe(204);
    await shop.payments.settle();
    await shop.payments.settle();

    expectedLog = [expect.stringContaining(id)];
  });

  test('is repeated by Stripe when the gateway does not respond', async () => {
    const id = await placeUnreported('silent-gateway.com');
    proxy.on('confirmPayment', () => 'request');
    const [event] = eventsOf(id).slice(-1);
    expect(await fake.deliver(event)).toBe(502);
    proxy.clear();
    expect(await fake.deliver(event)).toBe(204);
    await shop.ended(id);

    await shop.checkBooks(id);
    expectedLog.push(expect.stringContaining('/webhooks/stripe'));
  });
});

describe('a payment that does not fit is returned', () => {
  test.each(['charge', 'authorize'])(
    'when the order is cancelled during the payment (%s)',
    async (capture) => {
      shop.restart({ capture });
      const { id } = await shop.place([`cancelled-${capture}.com`]);
      proxy.on('confirmPayment', async () => void (await shop.cancel(id)));
      const { state, message } = await shop.pay(id);
      proxy.clear();
      await shop.payments.settle();
      await shop.payments.settle();

      expect(state).toBe('NOT_DUE');
      expect(message).toBe('This order can no longer be paid. The amount is returned.');
      expect((await shop.pay(id)).message).toBe('This order was cancelled.');
      expect(await shop.checkBooks(id)).toBe(0);
    },
  );

  test('when it is an authorization of another amount, before and after the end of the order', async () => {
    const { id } = await shop.place(['odd-authorization.com']);
    const { id: before } = await authorizeDirectly(id);
    await shop.payments.settle();
    expect(await stripe.paymentIntents.retrieve(before)).toMatchObject({ status: 'canceled' });
    expect(await shop.pay(id)).toEqual(paid);
    await shop.ended(id);
    const { id: after } = await authorizeDirectly(id);
    await shop.payments.settle();

    expect(await stripe.paymentIntents.retrieve(after)).toMatchObject({ status: 'canceled' });
    await shop.checkBooks(id);
  });

  test('when it has another amount or currency, over several payments and pages', async () => {
    const orders = [await shop.place(['odd-one.com']), await shop.place(['odd-two.com'])];
    for (const { id } of orders) {
      const metadata = { order: id };
      await payDirectly({ amount: 100, currency: 'usd', metadata });
      await payDirectly({ amount: 250, currency: 'usd', metadata });
      await payDirectly({ amount: 1500, currency: 'jpy', metadata });
      await payDirectly({ amount: 5120, currency: 'kwd', metadata });
    }
    await shop.restart({ pageSize: 1 }).settle();
    fake.passDays(1);

    for (const { id } of orders) {
      const amounts = shop.refundsOf(id).map(({ amount }) => amount);
      expect(amounts.toSorted((a, b) => a - b)).toEqual([100, 250, 1500, 5120]);
      expect((await shop.read(id)).state).toBe('AWAITING_PAYMENT');
      expect(await shop.pay(id)).toEqual(paid);
      await shop.ended(id);
      await shop.checkBooks(id);
    }
  });
});

describe('a refund', () => {
  test('in process is recorded when it succeeds, and made once', async () => {
    const { id } = await placeWithLoss('pending-refund');
    await shop.pay(id, 'pm_card_pendingRefund');
    await shop.ended(id);
    await shop.payments.settle();
    await shop.payments.settle();
    expect(shop.refundsOf(id)).toMatchObject([{ status: 'pending' }]);
    expect((await shop.read(id)).payment.amounts).toHaveLength(1);
    fake.endRefunds();
    await shop.payments.settle();

    expect(shop.refundsOf(id)).toHaveLength(1);
    await shop.checkBooks(id);
  });

  test('that failed is not recorded, and is made again', async () => {
    const { id } = await placeWithLoss('failed-refund');
    await shop.pay(id, 'pm_card_refundFail');
    await shop.ended(id);
    proxy.on('recordRefund', () => 'request');
    await shop.payments.settle();
    proxy.clear();
    fake.endRefunds();
    await shop.payments.settle();
    expect(shop.refundsOf(id).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    await shop.checkBooks(id);

    fake.endRefunds();
    for (const event of eventsOf(id).filter(({ type }) => type === 'refund.failed')) {
      expect(await fake.deliver(event)).toBe(204);
    }
    const [, second] = shop.refundsOf(id);
    expectedLog = [
      expect.stringContaining(id),
      expect.stringContaining(`The refund ${second.id} of the order ${id} failed`),
    ];
  });

  test('by a person at Stripe is recorded', async () => {
    const { id } = await placeWithLoss('by-hand');
    await shop.pay(id);
    const { payment } = await shop.ended(id);
    const [{ id: intent }] = shop.intentsOf(id);
    await stripe.refunds.create({ payment_intent: intent, amount: unitsOf(payment.refundDue) });
    await shop.payments.settle();

    expect(shop.refundsOf(id)).toEqual([]);
    await shop.checkBooks(id);
  });
});

// The last one, because it moves the clock of the gateway.
test('a payment after the end of its time is returned, with the webhook alone', async () => {
  shop.restart({ everyMs: 3_600_000 }).start();
  const { id } = await shop.place(['too-late.com']);
  await shop.pay(id, 'pm_card_visa_chargeDeclined');
  shop.clock.advance(301);
  const [{ id: intent }] = shop.intentsOf(id);
  await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
  expect(await fake.deliver(eventsOf(id).at(-1))).toBe(204);
  await expect.poll(() => shop.refundsOf(id)).toHaveLength(1);
  await shop.payments.stop();

  expect((await shop.read(id)).payment.state).toBe('EXPIRED');
  const refusal = { state: 'NOT_DUE', message: 'The time to pay this order has ended.' };
  expect(await shop.pay(id)).toEqual(refusal);
  expect(await shop.checkBooks(id)).toBe(0);
});
