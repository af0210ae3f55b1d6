import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import Stripe from 'stripe';
import { startFakeStripe } from './fake-stripe.js';
import { createPayments } from './payments.js';

const host = '127.0.0.1';
const { PORT = '4200', GATEWAY_URL = 'http://127.0.0.1:4000', CAPTURE = 'charge' } = process.env;
const { GATEWAY_KEY, GATEWAY_WEBHOOK_SECRET, STRIPE_SECRET_KEY } = process.env;
const { STRIPE_WEBHOOK_SECRET = `whsec_${randomBytes(24).toString('hex')}` } = process.env;

if (STRIPE_SECRET_KEY && !process.env.STRIPE_WEBHOOK_SECRET) {
  console.error('Set STRIPE_WEBHOOK_SECRET to the signing secret of your webhook endpoint.');
  process.exit(1);
}
if (CAPTURE !== 'charge' && CAPTURE !== 'authorize') {
  console.error('CAPTURE must be charge or authorize.');
  process.exit(1);
}

/** Without an account: a Stripe in this process, which forgets everything at its end. */
async function openFakeStripe() {
  const webhookUrl = `http://${host}:${PORT}/webhooks/stripe`;
  const fake = await startFakeStripe({ webhookUrl, webhookSecret: STRIPE_WEBHOOK_SECRET });
  return new Stripe('sk_test_fake', { host: fake.host, port: fake.port, protocol: 'http' });
}

const payments = createPayments({
  stripe: STRIPE_SECRET_KEY ? new Stripe(STRIPE_SECRET_KEY) : await openFakeStripe(),
  gatewayUrl: GATEWAY_URL,
  gatewayKey: GATEWAY_KEY,
  stripeWebhookSecret: STRIPE_WEBHOOK_SECRET,
  gatewayWebhookSecret: GATEWAY_WEBHOOK_SECRET,
  capture: CAPTURE,
});

const server = createServer(async (request, response) => {
  if (!(await payments.handle(request, response))) response.writeHead(404).end();
});
server.listen(Number(PORT), host, () => {
  console.log(`Taking payments at http://${host}:${PORT}/payments`);
  payments.start();
});
