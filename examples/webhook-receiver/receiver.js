import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

// Receives the events of a gateway, verifies their signatures, and prints each event once.

const { WEBHOOK_SECRET, PORT = '4100' } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret that createWebhook returned.');
  process.exit(1);
}

const webhook = new Webhook(WEBHOOK_SECRET);
const mostBytes = 1024 * 1024;

/**
 * The ids of the events that were handled: the gateway sends an event at least once, so it can arrive again. A program with a
 * database stores the id in the same transaction as the effect of the event.
 */
const handled = new Set();
const mostHandled = 10_000;

/** What your program does with an event. When it throws, the gateway sends the event again. */
function handle({ type, timestamp, data }) {
  console.log(
    `${timestamp} ${type} ${data.subject ?? ''} ${data.before?.text} -> ${data.after?.text}`,
  );
}

/** The text of a request; null when it is too long. */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The status of the response. The gateway sends the next event after a 2xx, and repeats this one after any other status. */
async function receive(request) {
  if (request.method !== 'POST') return 405;
  // The signature is that of the bytes, so the body is verified before it is parsed.
  const body = await readBody(request);
  if (body === null) return 413;
  let event;
  try {
    event = webhook.verify(body, request.headers);
  } catch {
    return 400;
  }
  const id = request.headers['webhook-id'];
  if (handled.has(id)) return 204;
  handle(event);
  handled.add(id);
  if (handled.size > mostHandled) handled.delete(handled.values().next().value);
  return 204;
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch((error) => {
    console.error(error);
    return 500;
  });
  response.writeHead(status).end();
});

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Receiving webhooks at http://127.0.0.1:${server.address().port}/`);
});
