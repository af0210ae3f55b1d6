import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Stripe from 'stripe';
import { expect } from 'vitest';
import { apiKeysOf, by, keyOf } from '../../../test/access/keys.ts';
import { ada } from '../../../test/support/ada.ts';
import { startTestGateway } from '../../../test/support/gateway.ts';
import { createMovedClock } from '../../../test/support/moved-clock.ts';
import { unitsOf } from '../amounts.js';
import { startFakeStripe } from '../fake-stripe.js';
import { createPayments } from '../payments.js';

const issuer = 'https://login.example';
const audience = 'graph';
const stripeWebhookSecret = 'whsec_of_stripe';
const customerScopes = 'domains:check domains:read domains:spend';
const money = '{ amount currency }';
const orderDocument = `query ($id: ID!) { order(by: { id: $id }) {
  id state
  lines { domainName state refundDue ${money} quote { highest ${money} } }
  payment { state paid ${money} refunded ${money} refundDue ${money} overRefunded ${money}
    otherRefundsDue ${money} amounts { kind reference accepted amount ${money} } }
} }`;

/** Between the shop and the gateway, so that a test can act when a mutation arrives. */
async function startProxy(gateway) {
  let hook = null;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const act = hook && body.includes(`{ ${hook.field}(`) ? hook.act : () => null;
    const lost = await act();
    if (lost === 'request') return response.destroy();
    const { authorization, 'x-api-key': key } = request.headers;
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization && { authorization }),
        ...(key && { 'x-api-key': key }),
      },
      body,
    });
    const text = await answer.text();
    if (lost === 'response') return response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Before a mutation is sent on. When `act` returns `request` or `response`, that is lost. */
    on: (field, act) => {
      hook = { field, act };
    },
    clear: () => {
      hook = null;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A gateway with its sandbox, a fake Stripe, and the server of a shop between them. */
export async function openShop() {
  const folder = await mkdtemp(join(tmpdir(), 'paid-orders-'));
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = join(folder, 'jwks.json');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  await writeFile(jwks, JSON.stringify({ keys: [jwk] }));
  const clock = createMovedClock();
  const gateway = await startTestGateway({
    ...{ clock, accountToken: null, sandboxDomains: 40, quietWindowMs: 0 },
    env: {
      API_KEYS: apiKeysOf({
        cashier: ['payments:confirm', 'ops'],
        staff: ['domains:spend', 'domains:read', 'webhooks:write', 'ops'],
      }),
      JWT_ISSUERS: JSON.stringify([
        { name: 'shop', issuer, jwks, audience, algorithms: ['ES256'], customerClaim: 'customer' },
      ]),
      EVENTS_INTERVAL_SECONDS: '3600',
      WEBHOOKS_ALLOW_PRIVATE: 'true',
    },
  });
  let payments;
  const server = createServer(async (request, response) => {
    if (!(await payments.handle(request, response))) response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const webhookUrl = `${url}/webhooks/stripe`;
  const fake = await startFakeStripe({ webhookUrl, webhookSecret: stripeWebhookSecret });
  const { host, port } = fake;
  const proxy = await startProxy(gateway);
  const stripe = new Stripe('sk_test_fake', { host, port, protocol: 'http', maxNetworkRetries: 0 });
  const logged = [];
  const taken = new Set();

  /** @returns the value of the header `authorization` */
  const signIn = async (customer) => {
    const claims = { customer, scope: customerScopes };
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' });
    token.setIssuer(issuer).setAudience(audience).setSubject(customer).setExpirationTime('9h');
    return `Bearer ${await token.sign(privateKey)}`;
  };
  const ask = async (document, variables, headers = by('staff')) => {
    const { data, errors } = await gateway.query(document, variables, headers);
    expect(errors).toBeUndefined();
    return data;
  };
  const read = async (id) => (await ask(orderDocument, { id })).order;
  const authorization = await signIn('ada');

  const shop = {
    ...{ gateway, clock, fake, proxy, stripe, url, logged, signIn, ask, read, authorization },
    get payments() {
      return payments;
    },
    /** Another process: nothing is left of the one before but what Stripe and the gateway have. */
    restart(options = {}) {
      payments = createPayments({
        ...{ stripe, stripeWebhookSecret, gatewayUrl: proxy.url, gatewayKey: keyOf('cashier') },
        log: (sentence) => logged.push(sentence),
        ...options,
      });
      return payments;
    },
    /** An order of a customer, by default of registrations. */
    async place(names, { lines, customer = authorization } = {}) {
      const input = {
        idempotencyKey: names.join(),
        payment: { expiresAfter: 'PT5M' },
        defaults: { registrant: { fields: ada }, nameServers: ['ns1.example-dns.net'] },
        lines: lines ?? names.map((domain) => ({ registration: { domain } })),
      };
      const document = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
        order { id state payment { amountDue ${money} } } errors { message path } } }`;
      const { placeOrder } = await ask(document, { input }, { authorization: customer });
      expect(placeOrder.errors).toEqual([]);
      expect(placeOrder.order.state).toBe('AWAITING_PAYMENT');
      return placeOrder.order;
    },
    /** Another buyer takes a name, so that its line fails. */
    async take(domain) {
      const input = { domain, nameServers: ['ns1.example-dns.net'], registrant: { fields: ada } };
      const document = `mutation ($input: RegisterDomainInput!) {
        registerDomain(input: $input) { errors { message } } }`;
      const { registerDomain } = await ask(document, { input });
      expect(registerDomain.errors).toEqual([]);
      taken.add(domain);
    },
    pay: (order, paymentMethod = 'pm_card_visa', more = {}) =>
      payments.pay({ order, paymentMethod, authorization, ...more }),
    cancel: (id) =>
      ask(
        'mutation ($id: ID!) { cancelOrder(input: { id: $id }) { cancelled errors { message } } }',
        { id },
        { authorization },
      ),
    /** Waits until the order has ended. */
    async ended(id) {
      await expect
        .poll(async () => (await read(id)).state, { timeout: 60_000 })
        .not.toMatch(/RUNNING|AWAITING/);
      return read(id);
    },
    intentsOf: (id) => fake.intents().filter(({ metadata }) => metadata.order === id),
    refundsOf: (id) => fake.refunds().filter(({ metadata }) => metadata.order === id),
    /** The names of an order in the ledger of the sandbox, without those of the other buyer. */
    async bought({ lines }) {
      const names = new Set(lines.map(({ domainName }) => domainName)).difference(taken);
      const { purchases } = await gateway.admin('GET', '/state?reseller=demo');
      return purchases.map(({ domain }) => domain).filter((name) => names.has(name));
    },
    /** The books of Stripe, of the gateway and of the sandbox agree. Returns what the customer paid in the end. */
    async checkBooks(id) {
      const order = await read(id);
      const { amounts, ...payment } = order.payment;
      const ofStripe = shop.intentsOf(id).flatMap((intent) => {
        const { currency, amount, amount_received, latest_charge, status } = intent;
        if (!latest_charge || status === 'requires_payment_method') return [];
        const released = amount - amount_received;
        const refunds = fake
          .refunds()
          .filter((one) => one.payment_intent === intent.id && one.status === 'succeeded');
        return [
          ['PAYMENT', intent.id, amount, currency],
          ...(released > 0 ? [['REFUND', `${intent.id}:released`, released, currency]] : []),
          ...refunds.map((one) => ['REFUND', one.id, one.amount, currency]),
        ];
      });
      const ofGateway = amounts.map(({ kind, reference, amount }) => [
        ...[kind, reference, unitsOf(amount), amount.currency.toLowerCase()],
      ]);
      expect(ofGateway.toSorted()).toEqual(ofStripe.toSorted());
      expect([payment.refundDue, payment.overRefunded].map(unitsOf)).toEqual([0, 0]);
      expect(payment.otherRefundsDue).toEqual([]);

      const succeeded = order.lines.filter(({ state }) => state === 'SUCCEEDED');
      const bought = succeeded.map(({ domainName }) => domainName);
      expect((await shop.bought(order)).toSorted()).toEqual(bought.toSorted());
      const price = succeeded.reduce((sum, { quote }) => sum + unitsOf(quote.highest), 0);
      expect(unitsOf(payment.paid) - unitsOf(payment.refunded)).toBe(price);
      return price;
    },
    async close() {
      await payments.stop();
      await fake.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await proxy.close();
      await gateway.close();
      await rm(folder, { recursive: true });
    },
  };
  return shop;
}
