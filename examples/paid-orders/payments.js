import { unitsOf, moneyOf } from './amounts.js';
import { createGateway } from './gateway.js';
import { createHandler } from './handler.js';

// Takes the money for paid orders with Stripe, and returns it. Nothing is stored here: the gateway has the orders and their amounts,
// Stripe has one PaymentIntent for each order, with the id of the order in its metadata.

const daySeconds = 24 * 60 * 60;
/** A PaymentIntent that is older is settled: an order is paid within three days, and an authorization ends within 30. */
const recentSeconds = 40 * daySeconds;

const secondsNow = () => Math.floor(Date.now() / 1000);
const isPaid = ({ status }) => status === 'succeeded' || status === 'requires_capture';
const isFinal = ({ status }) => status === 'succeeded' || status === 'canceled';
const isFailed = ({ status }) => status === 'failed' || status === 'canceled';
const isPending = ({ status }) => status === 'pending' || status === 'requires_action';
const sumOf = (list) => list.reduce((sum, { amount }) => sum + amount, 0);
const recorded = ({ amounts }, kind, reference) =>
  amounts.find((amount) => amount.kind === kind && amount.reference === reference);
const noOrder = 'The key of the gateway cannot read this order; it needs the scope ops.';
/** The reference of the part of an authorization that was not captured. */
const releaseOf = ({ id }) => `${id}:released`;

/** The sentence for a customer who cannot pay this order; null for one that can be paid. */
function refusalOf(order) {
  if (!order?.payment) return 'There is no such order to pay.';
  const { state } = order.payment;
  if (state === 'EXPIRED') return 'The time to pay this order has ended.';
  if (state === 'CANCELLED') return 'This order was cancelled.';
  return order.state === 'AWAITING_PAYMENT' ? null : 'This order waits for an approval.';
}

/** Whether each line is bought, or is proved not to be bought. */
const hasEnded = ({ state, progress }) =>
  !['AWAITING_APPROVAL', 'AWAITING_PAYMENT', 'RUNNING'].includes(state) && progress.unknown === 0;

/** Whether the money of an authorization is lost unless it is captured now. */
function endsSoon({ latest_charge: charge }) {
  const end = charge?.payment_method_details?.card?.capture_before;
  return end !== undefined && end - secondsNow() < daySeconds;
}

/**
 * @param {object} options
 * @param {import('stripe').default} options.stripe
 * @param {string} options.gatewayUrl its origin
 * @param {string} [options.gatewayKey] a key with the scopes `payments:confirm` and `ops`, which reads the orders of all callers
 * @param {string} options.stripeWebhookSecret
 * @param {string} [options.gatewayWebhookSecret]
 * @param {'charge' | 'authorize'} [options.capture] an order with a transfer is always charged
 * @param {number} [options.everyMs]
 * @param {number} [options.pageSize] of the lists that are read, at most 100
 * @param {(sentence: string) => void} [options.log]
 */
export function createPayments({
  stripe,
  gatewayUrl,
  gatewayKey,
  stripeWebhookSecret,
  gatewayWebhookSecret,
  capture = 'charge',
  everyMs = 5000,
  pageSize = 100,
  log = console.error,
}) {
  const gateway = createGateway({ gatewayUrl, gatewayKey, pageSize });
  let timer = null;
  let running = null;
  let next = null;
  /** Recent PaymentIntents with which nothing is left to do. */
  let done = new Set();

  /** The PaymentIntent of an order, maybe as it was before. */
  async function intentOf({ id, payment }) {
    const amount = unitsOf(payment.amountDue);
    const currency = payment.amountDue.currency.toLowerCase();
    // Stripe has an idempotency key for a day or longer, and its search finds a PaymentIntent after some minutes.
    const { data } = await stripe.paymentIntents.search({ query: `metadata["order"]:"${id}"` });
    const found = data.find(
      (one) => one.amount === amount && one.currency === currency && one.status !== 'canceled',
    );
    if (found) return found;
    return stripe.paymentIntents.create(
      { amount, currency, payment_method_types: ['card'], metadata: { order: id } },
      { idempotencyKey: `order-${id}` },
    );
  }

  /** @returns the PaymentIntent, paid or in process. @throws an error of Stripe */
  async function charge(order, paymentMethod) {
    const { id } = await intentOf(order);
    const isCharged = capture === 'charge' || order.lines.some(({ kind }) => kind === 'TRANSFER');
    try {
      return await stripe.paymentIntents.confirm(id, {
        payment_method: paymentMethod,
        capture_method: isCharged ? 'automatic' : 'manual',
        // A card that requires the customer's authentication is declined.
        error_on_requires_action: true,
      });
    } catch (error) {
      // Another click may have paid, or the response was lost.
      const intent = await stripe.paymentIntents.retrieve(id);
      if (isPaid(intent) || intent.status === 'processing') return intent;
      throw error;
    }
  }

  const confirm = (intent, order) =>
    gateway.confirmPayment(order, intent.id, moneyOf(intent.amount, intent.currency));

  async function pay({ order: id, paymentMethod, authorization }) {
    const order = await gateway.orderOf(authorization, id);
    if (order?.payment?.state === 'PAID') return { state: 'PAID' };
    const refusal = refusalOf(order);
    if (refusal) return { state: 'NOT_DUE', message: refusal };
    try {
      const intent = await charge(order, paymentMethod);
      if (!isPaid(intent)) return { state: 'PROCESSING' };
      const { error } = await confirm(intent, order.id);
      if (!error) return { state: 'PAID' };
      if (error.code !== 'PAYMENT_NOT_ACCEPTED') throw new Error(error.message);
      wake();
      const message = 'This order can no longer be paid. The amount is returned.';
      return { state: 'NOT_DUE', message };
    } catch (error) {
      if (error.type === 'StripeCardError') return { state: 'DECLINED', message: error.message };
      log(`The payment of the order ${order.id} is not complete: ${error.message}`);
      if (error.type === 'StripeInvalidRequestError' || error instanceof RangeError) {
        return { state: 'DECLINED', message: 'This payment method cannot be used.' };
      }
      const message = 'The payment is not confirmed yet. An order is never charged twice.';
      return { state: 'PROCESSING', message };
    }
  }

  /** Captures what the customer has to pay once that is known, or cancels the authorization. */
  async function endAuthorization(intent, { accepted }, order) {
    const { paid, refunded, refundDue } = order.payment;
    if (accepted && !hasEnded(order) && !endsSoon(intent)) return intent;
    const owed = unitsOf(paid) - unitsOf(refunded) - unitsOf(refundDue);
    const amount = accepted ? Math.min(owed, intent.amount) : 0;
    return amount > 0
      ? stripe.paymentIntents.capture(intent.id, { amount_to_capture: amount })
      : stripe.paymentIntents.cancel(intent.id);
  }

  async function recordRefund(order, reference, units, currency) {
    const { error } = await gateway.recordRefund(order, reference, moneyOf(units, currency));
    if (error)
      log(`The refund ${reference} of the order ${order} is not recorded: ${error.message}`);
  }

  /** Reports a payment that the gateway does not have, and ends an authorization. Returns the PaymentIntent after that. */
  async function settleIntent(intent, id) {
    let order = await gateway.order(id);
    let payment = order && recorded(order.payment, 'PAYMENT', intent.id);
    if (!payment && isPaid(intent)) {
      const { error } = await confirm(intent, id);
      order = await gateway.order(id);
      payment = order && recorded(order.payment, 'PAYMENT', intent.id);
      if (!payment) log(`The payment ${intent.id} is not recorded: ${error?.message ?? noOrder}`);
    }
    if (!payment) return intent;
    const ended =
      intent.status === 'requires_capture'
        ? await endAuthorization(intent, payment, order)
        : intent;
    const released = ended.amount - ended.amount_received;
    if (isFinal(ended) && released > 0 && !recorded(order.payment, 'REFUND', releaseOf(ended))) {
      await recordRefund(id, releaseOf(ended), released, ended.currency);
    }
    return ended;
  }

  /** The payments of an order at Stripe, settled, each with its refunds. Records refunds that the gateway does not have. */
  async function chargesOf(id) {
    const order = await gateway.order(id);
    if (!order) throw new Error(noOrder);
    const { payment } = order;
    const charges = [];
    for (const { kind, reference } of payment.amounts) {
      if (kind !== 'PAYMENT' || !reference.startsWith('pi_')) continue;
      const expand = ['latest_charge'];
      const intent = await stripe.paymentIntents.retrieve(reference, { expand });
      const refunds = [];
      const list = stripe.refunds.list({ payment_intent: reference, limit: pageSize });
      for await (const refund of list) refunds.push(refund);
      for (const { id: refund, status, amount, currency } of refunds) {
        if (status !== 'succeeded' || recorded(payment, 'REFUND', refund)) continue;
        await recordRefund(id, refund, amount, currency);
      }
      charges.push({ intent: await settleIntent(intent, id), refunds });
    }
    return charges;
  }

  async function returnMoney(id) {
    const charges = await chargesOf(id);
    const { payment } = await gateway.order(id);
    for (const due of [payment.refundDue, ...payment.otherRefundsDue]) {
      const ofCurrency = charges.filter(
        ({ intent }) => intent.currency === due.currency.toLowerCase(),
      );
      // A refund in process is recorded when it succeeds.
      const pending = ofCurrency.flatMap(({ refunds }) => refunds.filter(isPending));
      let left = unitsOf(due) - sumOf(pending);
      for (const { intent, refunds } of ofCurrency) {
        const returned = sumOf(refunds.filter((refund) => !isFailed(refund)));
        const amount = Math.min(left, intent.amount_received - returned);
        if (amount <= 0) continue;
        left -= amount;
        const refund = await stripe.refunds.create(
          { payment_intent: intent.id, amount, metadata: { order: id } },
          // Of two processes that return the same money, one makes the refund.
          { idempotencyKey: `refund-${intent.id}-${refunds.length}` },
        );
        if (refund.status === 'succeeded')
          await recordRefund(id, refund.id, amount, refund.currency);
      }
      if (left > 0 && charges.every(({ intent }) => isFinal(intent))) {
        const { amount, currency } = moneyOf(left, due.currency);
        log(
          `Stripe has no payment from which ${amount} ${currency} of the order ${id} can be returned.`,
        );
      }
    }
  }

  /** One failure does not end the work on the others. */
  async function attempt(what, work) {
    try {
      return await work();
    } catch (error) {
      log(`${what}: ${error.message}`);
      return null;
    }
  }

  async function settleOnce() {
    const stillDone = new Set();
    await attempt('The payments cannot be listed', async () => {
      const intents = stripe.paymentIntents.list({
        created: { gte: secondsNow() - recentSeconds },
        limit: pageSize,
        expand: ['data.latest_charge'],
      });
      for await (const intent of intents) {
        const { id, metadata } = intent;
        if (!metadata.order || (!isPaid(intent) && !isFinal(intent))) continue;
        const settled = done.has(id)
          ? intent
          : await attempt(`The payment ${id} cannot be settled`, () =>
              settleIntent(intent, metadata.order),
            );
        if (settled && isFinal(settled)) stillDone.add(id);
      }
    });
    done = stillDone;
    await attempt('The refunds cannot be read', async () => {
      for (const id of await gateway.ordersWithRefundDue()) {
        await attempt(`The money of the order ${id} cannot be returned`, () => returnMoney(id));
      }
    });
  }

  /** Runs once at a time. A call while it runs is for what happened since: it runs once more. */
  function settle() {
    if (running) {
      next ??= running.then(() => {
        next = null;
        return settle();
      });
      return next;
    }
    running = settleOnce().finally(() => {
      running = null;
    });
    return running;
  }

  function wake() {
    if (timer) settle();
  }

  async function receiveStripe({ type, data: { object } }) {
    if (object.object === 'payment_intent') {
      // An event may be old.
      const intent = await stripe.paymentIntents.retrieve(object.id);
      const { order } = intent.metadata;
      if (order && isPaid(intent)) await confirm(intent, order);
    }
    if (type === 'refund.failed') await checkFailedRefund(object.id);
    wake();
  }

  /** A refund can fail days after its success. */
  async function checkFailedRefund(id) {
    const refund = await stripe.refunds.retrieve(id);
    const order = refund.metadata?.order && (await gateway.order(refund.metadata.order));
    if (!order || !isFailed(refund) || !recorded(order.payment, 'REFUND', id)) return;
    log(
      `The refund ${id} of the order ${refund.metadata.order} failed after its success: return the money in another way.`,
    );
  }

  return {
    pay,
    handle: createHandler({
      verifyStripe: (body, signature) =>
        stripe.webhooks.constructEvent(body, signature, stripeWebhookSecret),
      ...{ gatewayWebhookSecret, pay, receiveStripe, wake, log },
    }),
    settle,
    start() {
      timer ??= setInterval(settle, everyMs);
      settle();
    },
    /** Resolves when nothing runs any more. */
    async stop() {
      clearInterval(timer);
      timer = null;
      await (next ?? running);
    },
  };
}
