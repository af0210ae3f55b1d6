import Stripe from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { startFakeStripe } from '../fake-stripe.js';

/** The official library over a fake Stripe whose webhooks wait. */
async function open() {
  const fake = await startFakeStripe({
    webhookUrl: 'http://127.0.0.1:9',
    webhookSecret: 'whsec_a',
  });
  onTestFinished(() => fake.stop());
  fake.holdWebhooks(true);
  const { host, port } = fake;
  return { fake, stripe: new Stripe('sk_test_fake', { host, port, protocol: 'http' }) };
}

const of = (amount, more = {}) => ({ amount, currency: 'usd', ...more });

test('a key with the same parameters has the same response, and with other ones is refused', async () => {
  const { fake, stripe } = await open();
  const create = (amount) => stripe.paymentIntents.create(of(amount), { idempotencyKey: 'one' });
  const first = await create(100);

  expect((await create(100)).id).toBe(first.id);
  await expect(create(200)).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
    rawType: 'idempotency_error',
    statusCode: 400,
  });
  fake.passDays(1);
  expect((await create(100)).id).not.toBe(first.id);
});

test('lists have pages, the newest first', async () => {
  const { stripe } = await open();
  const ids = [];
  for (let amount = 1; amount <= 5; amount += 1) {
    ids.unshift((await stripe.paymentIntents.create(of(amount))).id);
  }
  const page = await stripe.paymentIntents.list({ limit: 2 });
  expect(page).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
  const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 10 });
  expect(all.map(({ id }) => id)).toEqual(ids);
  const future = { gte: all[0].created + 1 };
  expect((await stripe.paymentIntents.list({ created: future })).data).toEqual([]);
});

test('the search finds a PaymentIntent by its metadata, later', async () => {
  const { fake, stripe } = await open();
  const { id } = await stripe.paymentIntents.create(of(1, { metadata: { order: 'a' } }));
  const search = async (order) =>
    (await stripe.paymentIntents.search({ query: `metadata["order"]:"${order}"` })).data;

  expect(await search('a')).toEqual([]);
  fake.passDays(1);
  expect(await search('a')).toMatchObject([{ id, metadata: { order: 'a' } }]);
  expect(await search('b')).toEqual([]);
});

test('refuses what Stripe refuses', async () => {
  const { stripe } = await open();
  const intents = stripe.paymentIntents;
  await expect(intents.create(of('1.5'))).rejects.toMatchObject({
    code: 'parameter_invalid_integer',
  });
  await expect(intents.create(of(1, { ammount: 2 }))).rejects.toMatchObject({
    code: 'parameter_unknown',
  });
  await expect(intents.retrieve('pi_none')).rejects.toMatchObject({ statusCode: 404 });
  await expect(intents.create({ amount: 5125, currency: 'kwd' })).rejects.toThrow('last digit');

  const { id } = await intents.create(of(100));
  const confirm = (payment_method) =>
    intents.confirm(id, { payment_method, capture_method: 'manual' });
  await expect(confirm('pm_none')).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(confirm('pm_card_visa_chargeDeclined')).rejects.toMatchObject({
    ...{ type: 'StripeCardError', statusCode: 402, code: 'card_declined' },
    ...{ decline_code: 'generic_decline', payment_intent: { status: 'requires_payment_method' } },
  });
  expect(await confirm('pm_card_visa')).toMatchObject({ status: 'requires_capture' });
  await expect(confirm('pm_card_visa')).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
  await expect(intents.capture(id, { amount_to_capture: 101 })).rejects.toMatchObject({
    code: 'amount_too_large',
  });
  expect(await intents.capture(id, { amount_to_capture: 60 })).toMatchObject({
    ...{ status: 'succeeded', amount: 100, amount_received: 60, amount_capturable: 0 },
  });
  const refund = (amount) => stripe.refunds.create({ payment_intent: id, amount });
  await expect(refund(61)).rejects.toMatchObject({ code: 'amount_too_large' });
  expect(await refund(60)).toMatchObject({ status: 'succeeded' });
  await expect(refund(1)).rejects.toMatchObject({ code: 'charge_already_refunded' });
});
