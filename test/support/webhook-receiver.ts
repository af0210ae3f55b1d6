import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request of the gateway. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
}

/** A status, or one with a body. */
type WebhookResponse = number | { readonly status: number; readonly body?: string };

/** A real HTTP server on loopback that receives webhooks. */
export async function startWebhookReceiver() {
  const received: ReceivedWebhook[] = [];
  let respond = async (_one: ReceivedWebhook): Promise<WebhookResponse> => 204;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { headers, url: path = '' } = request;
    const one = { id: String(headers['webhook-id']), body, headers, path };
    received.push(one);
    const reply = await respond(one);
    const { status, body: text = '' } = typeof reply === 'number' ? { status: reply } : reply;
    if (status === 0) request.socket.destroy();
    else response.writeHead(status).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/hook`,
    ids: () => received.map(({ id }) => id),
    types: () => received.map(({ body }) => JSON.parse(body).type),
    /** Sets the status of the next responses; 0 resets the connection. */
    onRequest(handler: (one: ReceivedWebhook) => WebhookResponse | Promise<WebhookResponse>): void {
      respond = async (one) => handler(one);
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Whether the package of Standard Webhooks accepts a request. */
export function verifies(
  secret: string,
  { body, headers }: Pick<ReceivedWebhook, 'body' | 'headers'>,
): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** The same at any time after the request: the package refuses a signature that is older than five minutes. */
export const wasSigned = (
  secret: string,
  { id, body, headers }: Pick<ReceivedWebhook, 'id' | 'body' | 'headers'>,
): boolean => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  return new Webhook(secret).sign(id, at, body) === headers['webhook-signature'];
};
