// Takes the payments of customers with Stripe.

import { randomBytes } from 'node:crypto';
import { createPayments } from 'paid-orders';
import { startFakeStripe } from 'paid-orders/fake-stripe';
import Stripe from 'stripe';

/**
 * Without an account of Stripe it starts one in this process, which forgets its payments at the end.
 *
 * @param {object} options
 * @param {string} options.gateway its origin
 * @param {string} options.gatewayKey a key with the scopes `payments:confirm` and `ops`
 * @param {string} options.page the address of the storefront
 */
export async function openPayments({ gateway, gatewayKey, page }) {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = process.env;
  if (STRIPE_SECRET_KEY && !STRIPE_WEBHOOK_SECRET) {
    throw new Error('Set STRIPE_WEBHOOK_SECRET too.');
  }
  const stripeWebhookSecret = STRIPE_SECRET_KEY
    ? STRIPE_WEBHOOK_SECRET
    : `whsec_${randomBytes(24).toString('hex')}`;
  const stripe = STRIPE_SECRET_KEY
    ? new Stripe(STRIPE_SECRET_KEY)
    : await fakeStripe(new URL('/webhooks/stripe', page).href, stripeWebhookSecret);
  const payments = createPayments({
    ...{ stripe, stripeWebhookSecret },
    ...{ gatewayUrl: gateway, gatewayKey },
  });
  payments.start();
  return payments;
}

async function fakeStripe(webhookUrl, webhookSecret) {
  const { host, port } = await startFakeStripe({ webhookUrl, webhookSecret });
  return new Stripe('sk_test_fake', { host, port, protocol: 'http' });
}
