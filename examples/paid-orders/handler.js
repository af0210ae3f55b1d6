import { Webhook } from 'standardwebhooks';

// The requests of customers, of Stripe and of the gateway.

const mostBytes = 1024 * 1024;

/** The text of a request; null when it is too long. */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The value that `read` returns; null when it throws. */
function orNull(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

export function createHandler({
  verifyStripe,
  gatewayWebhookSecret,
  pay,
  receiveStripe,
  wake,
  log,
}) {
  const gatewayWebhook = gatewayWebhookSecret ? new Webhook(gatewayWebhookSecret) : null;

  /** Each returns the status of the response, and maybe an object. */
  const routes = new Map([
    ['/payments', takePayment],
    ['/webhooks/stripe', takeStripeEvent],
    ['/webhooks/gateway', takeGatewayEvent],
  ]);

  async function takePayment(body, { authorization, 'content-type': type = '' }) {
    // A form of another site cannot send this type.
    if (!type.startsWith('application/json')) return [415];
    const { order, paymentMethod } = orNull(() => JSON.parse(body)) ?? {};
    if (typeof order !== 'string' || typeof paymentMethod !== 'string') {
      return [400, { message: 'Send {"order": "…", "paymentMethod": "pm_…"}.' }];
    }
    try {
      return [200, await pay({ order, paymentMethod, authorization })];
    } catch (error) {
      if (['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code)) {
        return [401, { message: 'Sign in to pay this order.' }];
      }
      throw error;
    }
  }

  // The signature is that of the text, so the text is verified before it is parsed.
  async function takeStripeEvent(body, headers) {
    const event = orNull(() => verifyStripe(body, headers['stripe-signature']));
    if (!event) return [400];
    await receiveStripe(event);
    return [204];
  }

  async function takeGatewayEvent(body, headers) {
    if (!gatewayWebhook) return [404];
    if (!orNull(() => gatewayWebhook.verify(body, headers))) return [400];
    wake();
    return [204];
  }

  async function respond(route, request) {
    if (request.method !== 'POST') return [405];
    const body = await readBody(request);
    return body === null ? [413] : route(body, request.headers);
  }

  return async function handle(request, response) {
    const [path] = request.url.split('?');
    const route = routes.get(path);
    if (!route) return false;
    const [status, value] = await respond(route, request).catch((error) => {
      log(`A request to ${path} failed: ${error.message}`);
      return [502, { message: 'This is not possible at present.' }];
    });
    response.writeHead(status, {
      'cache-control': 'no-store',
      ...(value && { 'content-type': 'application/json' }),
      // The rest of a long request is not read.
      ...(status === 413 && { connection: 'close' }),
    });
    response.end(value && JSON.stringify(value));
    return true;
  };
}
