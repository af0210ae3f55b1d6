import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { request as send } from 'undici';
import { startSandbox } from '../../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../../src/lib/system.ts';
import { notableTlds } from '../../support/gateway.ts';

export interface ProxyReply {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a call in place of the sandbox. `forward` sends the call on and resolves with the sandbox's reply. */
type Intercept = (
  fields: Readonly<Record<string, unknown>>,
  forward: () => Promise<ProxyReply>,
) => ProxyReply | Promise<ProxyReply>;

/** A sandbox behind a proxy that can replace the replies of single actions. */
export async function startProxiedSandbox() {
  const time = { clock: systemClock, randomness: systemRandomness };
  const size = { domains: 40, listedTlds: notableTlds };
  const sandbox = await startSandbox({ file: ':memory:', ...size, ...time });
  const intercepts = new Map<string, Intercept>();
  let received: string[] = [];
  let lastAction: string | null = null;

  const server = createServer(async (request, response) => {
    const action = new URL(request.url ?? '', 'http://proxy').searchParams.get('action') ?? '';
    received.push(action);
    const body = await text(request);
    const forward = async (): Promise<ProxyReply> => {
      const reply = await send(`${sandbox.domainApiUrl}?action=${action}`, {
        method: 'POST',
        body,
      });
      return { status: reply.statusCode, body: await reply.body.json() };
    };
    const intercept = intercepts.get(action);
    const reply = intercept ? await intercept(JSON.parse(body), forward) : await forward();
    if (action === lastAction) {
      server.close();
      response.once('finish', () => server.closeAllConnections());
    }
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    /** The gateway's setting `DOMAIN_API_URL`. */
    url: `http://127.0.0.1:${port}/domain-api`,
    intercept: (action: string, by: Intercept) => void intercepts.set(action, by),
    /** After its reply to this action the upstream cannot be reached. */
    closeAfter: (action: string) => {
      lastAction = action;
    },
    reset(): void {
      intercepts.clear();
      received = [];
    },
    /** How often an action was received since the last `reset`. */
    count: (action: string) => received.filter((one) => one === action).length,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await sandbox.close();
    },
  };
}

/** A business refusal as the upstream words it. */
export const refusal = (code: string): ProxyReply => ({
  status: 400,
  body: {
    result: 'ERROR',
    error: { Code: `API_${code}_ERROR`, Message: 'Failed', Details: 'Refused.' },
  },
});
