import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '../../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../../src/lib/system.ts';
import { notableTlds, startTestGateway, type TestGatewayOptions } from '../../support/gateway.ts';

/** One request of the gateway. */
export interface SeenRequest {
  readonly method: string;
  /** Such as `/account-api/carts`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface CannedReply {
  readonly status: number;
  readonly body: string;
  /** Whether the sandbox executes the request nevertheless. */
  readonly isDone?: boolean;
  /** The action of the Domain API that it replies to; any request without it. */
  readonly action?: string;
}

/** A proxy in front of `target` that records every request of the gateway. */
async function startRecorder(
  target: string,
  onRequest: (request: SeenRequest) => void,
  rewrite: (action: string, body: string) => string,
) {
  const seen: SeenRequest[] = [];
  const canned: CannedReply[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url: path = '', headers } = request;
    seen.push({ method, path, headers, body });
    onRequest({ method, path, headers, body });
    const next = canned.findIndex(({ action }) => !action || path.endsWith(`?action=${action}`));
    const [reply] = next < 0 ? [] : canned.splice(next, 1);
    if (reply && !reply.isDone) return void response.writeHead(reply.status).end(reply.body);
    const { authorization = '', 'content-type': type = '' } = headers;
    const forwarded = await fetch(`${target}${path}`, {
      method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body && { body }),
    });
    if (reply) return void response.writeHead(reply.status).end(reply.body);
    const replyHeaders = { 'content-type': forwarded.headers.get('content-type') ?? 'text/plain' };
    const [, action = ''] = /\?action=(\w+)/.exec(path) ?? [];
    const text = rewrite(action, await forwarded.text());
    response.writeHead(forwarded.status, replyHeaders).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    canned,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * A gateway that reaches a sandbox through a recording proxy. `onRequest` sees a request before the sandbox receives it, and
 * `rewrite` changes the body of a reply of the sandbox.
 */
export async function startRecordedGateway(
  options: TestGatewayOptions = {},
  onRequest: (request: SeenRequest) => void = () => undefined,
  rewrite: (action: string, body: string) => string = (_action, body) => body,
) {
  const sandbox = await startSandbox({
    file: ':memory:',
    clock: systemClock,
    randomness: systemRandomness,
    domains: 40,
    listedTlds: notableTlds,
  });
  const recorder = await startRecorder(sandbox.url, onRequest, rewrite);
  const env = {
    DOMAIN_API_URL: `${recorder.url}/domain-api`,
    ACCOUNT_API_URL: `${recorder.url}/account-api`,
    ...options.env,
  };
  const gateway = await startTestGateway({ ...options, env });
  return {
    gateway,
    /** The settings that differ from those of any test. */
    env,
    sandbox,
    /** The requests of the gateway in order; `length = 0` empties the list. */
    seen: recorder.seen,
    /** The number of unused canned replies. */
    left: () => recorder.canned.length,
    /** Replaces the reply to the next request, or to the next of its `action`, which reaches the sandbox only with `isDone`. */
    replyNext: (reply: CannedReply) => void recorder.canned.push(reply),
    async close() {
      await gateway.close();
      recorder.close();
      await sandbox.close();
    },
  };
}
