import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { discardUnreadBody } from '../src/lib/http.ts';
import { lazy } from '../src/lib/lazy.ts';
import { parseAccountCall } from './account-api.ts';
import { answerAdmin } from './admin.ts';
import { dispatch } from './dispatch.ts';
import { parseDomainCall } from './domain-api/parse-call.ts';
import { readBody, sendReply } from './service/http.ts';
import { createService, type Service, type ServiceOptions } from './service/service.ts';

export interface SandboxOptions extends ServiceOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0, which takes any free port. */
  readonly port?: number | undefined;
}

export interface Sandbox {
  readonly url: string;
  readonly domainApiUrl: string;
  readonly accountApiUrl: string;
  /** How far its time is from that of `clock`, in milliseconds. */
  clockOffsetMs(): number;
  /** Ends all connections and closes the file. */
  close(): Promise<void>;
}

const domainBodyLimitBytes = 1024 * 1024;
const accountBodyLimitBytes = 10 * 1024;
const adminBodyLimitBytes = 64 * 1024;
const keepAliveMs = 65_000;

/**
 * Starts the reseller service on one port: `/domain-api/`, `/account-api` and `/admin`.
 *
 * @throws Error with one sentence when the port cannot be listened on or the file cannot be used.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const service = createService(options);
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    discardUnreadBody(request, response, options.clock);
    const work = answer(service, request, response)
      .catch(() => fail(response))
      .finally(() => running.delete(work));
    running.add(work);
  });
  server.keepAliveTimeout = keepAliveMs;

  const host = options.host ?? '127.0.0.1';
  const port = options.port ?? 0;
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    service.close();
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'the port is taken' : (code ?? message);
    throw new Error(`The sandbox cannot listen on ${host}:${port}: ${reason}.`, { cause });
  }
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;

  return {
    url,
    domainApiUrl: `${url}/domain-api/`,
    accountApiUrl: `${url}/account-api`,
    clockOffsetMs: service.clock.offsetMs,
    close: lazy(async () => {
      service.end();
      const ended = once(server.close(), 'close');
      server.closeAllConnections();
      await Promise.all([ended, ...running]);
      service.close();
    }),
  };
}

async function answer(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const [path = '', ...rest] = url.split('?');
  const query = new URLSearchParams(rest.join('?'));
  const isDomainApi = path === '/domain-api' || path === '/domain-api/';
  const isAccountApi = path.startsWith('/account-api/');
  const otherLimit = isAccountApi ? accountBodyLimitBytes : adminBodyLimitBytes;
  const body = await readBody(request, isDomainApi ? domainBodyLimitBytes : otherLimit);

  if (isDomainApi) {
    const call = parseDomainCall(service, method, query.get('action') ?? '', body);
    return dispatch(service, call, response);
  }
  if (isAccountApi) {
    const { authorization = '' } = headers;
    const call = parseAccountCall(service, method, path.slice(12), authorization, body);
    return dispatch(service, call, response);
  }
  if (path.startsWith('/admin/')) {
    const type = headers['content-type'] ?? '';
    return sendReply(response, await answerAdmin(service, { method, path, query, type, body }));
  }
  sendReply(response, { status: 404, body: { message: 'There is nothing at this path.' } });
}

/** The response has no stack and no message of the error. */
const fail = (response: ServerResponse) =>
  sendReply(response, {
    status: 500,
    body: { message: 'The sandbox failed to answer this call.' },
  });
