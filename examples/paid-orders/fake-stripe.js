import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

// The part of Stripe's API that this example uses, in memory, for tests and for a start without an account. Its source is
// https://docs.stripe.com/api, version 2026-10-28. It checks parameters, and refuses what Stripe refuses.

const apiVersion = '2026-10-28.endive';
const defaultLimit = 10;

const declines = {
  pm_card_visa_chargeDeclined: ['card_declined', 'generic_decline', 'Your card was declined.'],
  pm_card_visa_chargeDeclinedInsufficientFunds: [
    ...['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ],
  pm_card_chargeDeclinedExpiredCard: ['expired_card', 'expired_card', 'Your card has expired.'],
  // With error_on_requires_action.
  pm_card_authenticationRequired: [
    ...['authentication_required', 'authentication_required'],
    'Your card was declined. This transaction requires authentication.',
  ],
};
/** With the states of a refund: at once, and after `endRefunds`. */
const cards = {
  pm_card_visa: ['succeeded', 'succeeded'],
  pm_card_mastercard: ['succeeded', 'succeeded'],
  pm_card_pendingRefund: ['pending', 'succeeded'],
  pm_card_refundFail: ['succeeded', 'failed'],
};

const confirmable = ['requires_payment_method', 'requires_confirmation'];
const cancelable = [...confirmable, 'requires_capture', 'processing', 'requires_action'];

const secondsNow = () => Math.floor(Date.now() / 1000);
const newId = (prefix) => `${prefix}_${randomBytes(12).toString('hex')}`;
const sumOf = (list) => list.reduce((sum, { amount }) => sum + amount, 0);
const newest = (map) => [...map.values()].reverse();

class Refusal extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

const invalid = (message, more = {}, status = 400) =>
  new Refusal(status, { type: 'invalid_request_error', message, ...more });

/** `metadata[order]=1` as `{ metadata: { order: '1' } }`. */
function parseForm(text) {
  const form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [first, ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
    const path = [first, ...rest];
    const last = path.pop();
    let object = form;
    for (const part of path) object = object[part] ??= {};
    object[last] = value;
  }
  return form;
}

function checkParameters(form, known, required = []) {
  for (const name of Object.keys(form)) {
    if (name === 'expand' || known.includes(name)) continue;
    throw invalid(`Received unknown parameter: ${name}`, {
      code: 'parameter_unknown',
      param: name,
    });
  }
  for (const name of required) {
    if (form[name] !== undefined) continue;
    throw invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
  }
}

function integerOf(text, param) {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw invalid(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param });
}

function amountOf(text, param, currency) {
  const amount = integerOf(text, param);
  if (/^(bhd|jod|kwd|omr|tnd)$/.test(currency) && amount % 10 !== 0) {
    throw invalid(`Invalid amount: the last digit must be 0 for ${currency}.`, { param });
  }
  return amount;
}

/**
 * @param {object} options
 * @param {number} [options.port]
 * @param {string} options.webhookUrl
 * @param {string} options.webhookSecret
 * @param {string} [options.host]
 */
export async function startFakeStripe({ port = 0, webhookUrl, webhookSecret, host = '127.0.0.1' }) {
  const intents = new Map();
  const charges = new Map();
  const refunds = new Map();
  /** What the search finds: the ids of intents that are older than its delay. */
  const searchable = new Set();
  const responsesByKey = new Map();
  const events = [];
  const requests = [];
  const sending = new Set();
  let isHolding = false;
  let lost = null;

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });

  async function receive(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url, `http://${host}`);
    const body = Buffer.concat(chunks).toString();
    const key = request.headers['idempotency-key'];
    const { status, value, isReplayed } = answer(request, url, body, key);
    requests.push({ method: request.method, path: url.pathname, key, status });
    if (lost && request.method === 'POST' && lost.path.test(url.pathname) && lost.times > 0) {
      lost.times -= 1;
      response.destroy();
      return;
    }
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': newId('req'),
      'stripe-version': apiVersion,
      'stripe-should-retry': 'false',
      ...(key && { 'idempotency-key': key }),
      ...(isReplayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(value);
  }

  /** The same key with the same parameters has the same response. */
  function answer({ method, headers }, { pathname, search }, body, key) {
    if (!/^Bearer (?:sk|rk)_/.test(headers.authorization ?? '')) {
      const message = 'Invalid API Key provided.';
      return failed(new Refusal(401, { type: 'invalid_request_error', message }));
    }
    const isKeyed = method === 'POST' && key !== undefined;
    const digest = createHash('sha256').update(`${pathname}?${body}`).digest('hex');
    const stored = isKeyed && responsesByKey.get(key);
    if (stored && stored.digest !== digest) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      return failed(new Refusal(400, { type: 'idempotency_error', message }));
    }
    if (stored) return { ...stored.result, isReplayed: true };
    const result = execute(method, pathname, method === 'POST' ? body : search, key);
    // A request that fails its validation is not stored.
    if (isKeyed && [200, 402].includes(result.status)) responsesByKey.set(key, { digest, result });
    return result;
  }

  function execute(method, path, text, key) {
    try {
      const found = routes.find(
        ([itsMethod, pattern]) => itsMethod === method && pattern.test(path),
      );
      if (!found) throw invalid(`Unrecognized request URL (${method}: ${path}).`, {}, 404);
      const [, pattern, act] = found;
      const form = parseForm(text);
      const value = act(form, pattern.exec(path)[1], key);
      return { status: 200, value: JSON.stringify(expanded(value, form)) };
    } catch (error) {
      if (error instanceof Refusal) return failed(error);
      throw error;
    }
  }

  const failed = ({ status, error }) => ({ status, value: JSON.stringify({ error }) });

  function expanded(value, { expand = {} }) {
    const withCharge = (intent) => ({
      ...intent,
      latest_charge: charges.get(intent.latest_charge) ?? null,
    });
    const wanted = Object.values(expand);
    if (wanted.includes('latest_charge')) return withCharge(value);
    if (wanted.includes('data.latest_charge'))
      return { ...value, data: value.data.map(withCharge) };
    return value;
  }

  const routes = [
    ['POST', /^\/v1\/payment_intents$/, createIntent],
    ['GET', /^\/v1\/payment_intents$/, listIntents],
    ['GET', /^\/v1\/payment_intents\/search$/, searchIntents],
    ['GET', /^\/v1\/payment_intents\/([^/]+)$/, (_form, id) => intentOf(id)],
    ['POST', /^\/v1\/payment_intents\/([^/]+)\/confirm$/, confirmIntent],
    ['POST', /^\/v1\/payment_intents\/([^/]+)\/capture$/, captureIntent],
    ['POST', /^\/v1\/payment_intents\/([^/]+)\/cancel$/, cancelIntent],
    ['POST', /^\/v1\/refunds$/, createRefund],
    ['GET', /^\/v1\/refunds$/, listRefunds],
    ['GET', /^\/v1\/refunds\/([^/]+)$/, (_form, id) => refundOf(id)],
  ];

  function found(map, id, kind, status) {
    const object = map.get(id);
    if (object) return object;
    const more = { code: 'resource_missing', param: kind === 'refund' ? 'refund' : 'intent' };
    throw invalid(`No such ${kind}: '${id}'`, more, status);
  }
  const intentOf = (id, status = 404) => found(intents, id, 'payment_intent', status);
  const refundOf = (id) => found(refunds, id, 'refund', 404);

  function createIntent(form, _id, key) {
    const names = ['amount', 'currency', 'metadata', 'payment_method_types', 'capture_method'];
    checkParameters(form, names, ['amount', 'currency']);
    const { currency, metadata = {}, capture_method = 'automatic_async' } = form;
    if (!/^[a-z]{3}$/.test(currency)) {
      throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' });
    }
    const intent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount: amountOf(form.amount, 'amount', currency),
      amount_capturable: 0,
      amount_received: 0,
      canceled_at: null,
      cancellation_reason: null,
      capture_method,
      created: secondsNow(),
      currency,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      metadata,
      next_action: null,
      payment_method: null,
      payment_method_types: Object.values(form.payment_method_types ?? { 0: 'card' }),
      status: 'requires_payment_method',
    };
    intents.set(intent.id, intent);
    emit('payment_intent.created', intent, key);
    return intent;
  }

  function refuseState(intent, action) {
    const message = `You cannot ${action} this PaymentIntent because it has a status of ${intent.status}.`;
    return invalid(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });
  }

  function confirmIntent(form, id, key) {
    checkParameters(form, ['payment_method', 'capture_method', 'error_on_requires_action']);
    const intent = intentOf(id);
    if (!confirmable.includes(intent.status)) throw refuseState(intent, 'confirm');
    const { payment_method: method, capture_method = intent.capture_method } = form;
    if (!(method in cards) && !(method in declines)) {
      const more = { code: 'resource_missing', param: 'payment_method' };
      throw invalid(`No such PaymentMethod: '${method}'`, more);
    }
    intent.capture_method = capture_method;
    const isManual = capture_method === 'manual';
    const charge = {
      id: newId('ch'),
      object: 'charge',
      amount: intent.amount,
      currency: intent.currency,
      captured: !isManual,
      payment_intent: id,
      payment_method: method,
      payment_method_details: {
        type: 'card',
        card: isManual ? { capture_before: secondsNow() + 7 * 24 * 3600 } : {},
      },
    };
    charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    if (method in declines) {
      const [code, decline_code, message] = declines[method];
      const error = { type: 'card_error', code, decline_code, message, charge: charge.id };
      intent.last_payment_error = error;
      intent.status = 'requires_payment_method';
      emit('payment_intent.payment_failed', intent, key);
      throw new Refusal(402, { ...error, payment_intent: intent });
    }
    intent.payment_method = method;
    intent.last_payment_error = null;
    if (isManual) {
      intent.status = 'requires_capture';
      intent.amount_capturable = intent.amount;
      emit('payment_intent.amount_capturable_updated', intent, key);
    } else {
      intent.status = 'succeeded';
      intent.amount_received = intent.amount;
      emit('payment_intent.succeeded', intent, key);
    }
    return intent;
  }

  function captureIntent(form, id, key) {
    checkParameters(form, ['amount_to_capture']);
    const intent = intentOf(id);
    if (intent.status !== 'requires_capture') throw refuseState(intent, 'capture');
    const { amount_to_capture: text = String(intent.amount_capturable) } = form;
    const amount = amountOf(text, 'amount_to_capture', intent.currency);
    if (amount > intent.amount_capturable) {
      const message = 'The amount is greater than the amount that can be captured.';
      throw invalid(message, { code: 'amount_too_large', param: 'amount_to_capture' });
    }
    // The rest is released. Since the version 2025-03-31 this makes no refund.
    Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 });
    charges.get(intent.latest_charge).captured = true;
    emit('payment_intent.succeeded', intent, key);
    return intent;
  }

  function cancelIntent(form, id, key) {
    checkParameters(form, ['cancellation_reason']);
    const intent = intentOf(id);
    if (!cancelable.includes(intent.status)) throw refuseState(intent, 'cancel');
    return cancel(intent, form.cancellation_reason ?? null, key);
  }

  function cancel(intent, cancellation_reason, key) {
    const ended = { canceled_at: secondsNow(), cancellation_reason, amount_capturable: 0 };
    Object.assign(intent, { ...ended, status: 'canceled' });
    emit('payment_intent.canceled', intent, key);
    return intent;
  }

  const refundsOf = (id) => newest(refunds).filter(({ payment_intent }) => payment_intent === id);

  function createRefund(form, _id, key) {
    checkParameters(form, ['payment_intent', 'amount', 'metadata'], ['payment_intent']);
    const intent = intentOf(form.payment_intent, 400);
    if (intent.status !== 'succeeded') throw refuseState(intent, 'refund');
    const live = refundsOf(intent.id).filter(({ status }) => status !== 'failed');
    const open = intent.amount_received - sumOf(live);
    if (open === 0) {
      const message = `Charge ${intent.latest_charge} has already been refunded.`;
      throw invalid(message, { code: 'charge_already_refunded' });
    }
    const amount = amountOf(form.amount ?? String(open), 'amount', intent.currency);
    if (amount > open) {
      const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${open})`;
      throw invalid(message, { code: 'amount_too_large', param: 'amount' });
    }
    const refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      charge: intent.latest_charge,
      created: secondsNow(),
      currency: intent.currency,
      metadata: form.metadata ?? {},
      payment_intent: intent.id,
      reason: null,
      status: cards[intent.payment_method][0],
    };
    refunds.set(refund.id, refund);
    emit('refund.created', refund, key);
    return refund;
  }

  function listIntents(form) {
    checkParameters(form, ['created', 'limit', 'starting_after']);
    const since = Number(form.created?.gte ?? 0);
    const recent = newest(intents).filter(({ created }) => created >= since);
    return pageOf(recent, form, '/v1/payment_intents');
  }

  function listRefunds(form) {
    checkParameters(form, ['payment_intent', 'limit', 'starting_after']);
    const { payment_intent: id } = form;
    return pageOf(id ? refundsOf(id) : newest(refunds), form, '/v1/refunds');
  }

  function pageOf(all, { limit: text, starting_after: after }, url) {
    const limit = text === undefined ? defaultLimit : integerOf(text, 'limit');
    if (limit > 100) throw invalid('This value must be less than or equal to 100.');
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(start, start + limit);
    return { object: 'list', url, has_more: start + limit < all.length, data };
  }

  function searchIntents(form) {
    checkParameters(form, ['query', 'limit', 'page'], ['query']);
    const [, name, value] = /^metadata\["([^"]+)"\]:"([^"]+)"$/.exec(form.query) ?? [];
    if (name === undefined) throw invalid('We were unable to parse your search query.');
    const data = newest(intents).filter(
      ({ id, metadata }) => searchable.has(id) && metadata[name] === value,
    );
    const url = '/v1/payment_intents/search';
    return { object: 'search_result', url, has_more: false, next_page: null, data };
  }

  /** @param {string | null | undefined} key that of the request which caused it */
  function emit(type, object, key = null) {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: secondsNow(),
      // As it is now.
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: newId('req'), idempotency_key: key },
      type,
    };
    events.push(event);
    if (isHolding) return;
    const sent = deliver(event).catch(() => null);
    sending.add(sent);
    sent.then(() => sending.delete(sent));
  }

  /** Sends an event once. Returns the status of the response. */
  async function deliver(event, secret = webhookSecret) {
    const payload = JSON.stringify(event);
    const t = secondsNow();
    const v1 = createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` };
    const response = await fetch(webhookUrl, { method: 'POST', headers, body: payload });
    await response.arrayBuffer();
    return response.status;
  }

  return {
    host,
    port: server.address().port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(sending);
    },

    // What follows is for tests.
    /** Its books, the oldest first. */
    intents: () => structuredClone([...intents.values()]),
    refunds: () => structuredClone([...refunds.values()]),
    /** The events so far, sent or not. */
    events,
    /** The requests so far: method, path, idempotency key and status. */
    requests,
    deliver,
    /** Whether events wait for `deliver`. */
    holdWebhooks: (holds) => {
      isHolding = holds;
    },
    /** Carries out the next POST requests to a path, and closes their connections without a response. */
    loseResponses: (path, times = 1) => {
      lost = { path, times };
    },
    /** As days later: idempotency keys are deleted, and the search finds all PaymentIntents. */
    passDays: (days) => {
      responsesByKey.clear();
      for (const intent of intents.values()) {
        intent.created -= days * 24 * 3600;
        searchable.add(intent.id);
      }
    },
    /** Moves the end of an authorization. */
    setCaptureBefore: (id, seconds) => {
      const { payment_method_details } = charges.get(intentOf(id).latest_charge);
      payment_method_details.card.capture_before = seconds;
    },
    /** The authorization was not captured in time. */
    expireAuthorization: (id) => cancel(intentOf(id), 'expired'),
    /** Refunds to pm_card_pendingRefund succeed, and those to pm_card_refundFail fail. */
    endRefunds: () => {
      for (const refund of refunds.values()) {
        const [, status] = cards[intentOf(refund.payment_intent).payment_method];
        if (refund.status === status) continue;
        refund.status = status;
        emit('refund.updated', refund);
        if (status === 'failed') emit('refund.failed', refund);
      }
    },
  };
}
