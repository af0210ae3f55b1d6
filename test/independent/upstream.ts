import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Registrar, type Reply } from './registrar.ts';
import { type SeenRequest, violationsOf } from './request-shapes.ts';
import type { Json } from './wire-objects.ts';

/** The reply to one request; undefined for the ordinary one. `ordinary` carries the request out and returns its reply. */
export type Script = (fields: Json, ordinary: () => Reply) => Reply | undefined;

const login = { username: 'reseller-9', password: 'pass-word-of-9', token: 'token-of-the-user' };

/**
 * A second upstream, written from `spec/reseller-service.md` alone. It shares no code with the sandbox or the gateway, so a
 * misreading of the specification that both have is found here.
 */
export async function startUpstream() {
  const registrar = new Registrar();
  const scripts = new Map<string, Script>();
  const requests: SeenRequest[] = [];
  const violations: string[] = [];

  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const { pathname, searchParams } = new URL(path, 'http://upstream');
    const [, id] = /^\/account\/hosting\/group\/(.+)$/.exec(pathname) ?? [];
    const call = pathname.replace('/account', '').replace(/(group)\/.+/, '$1/{id}');
    const operation = searchParams.get('action') ?? `${method} ${call}`;
    const seen = { operation, method, path, headers, body: await text(request) };
    requests.push(seen);
    violations.push(...violationsOf(seen, login));
    const body = seen.body === '' ? {} : JSON.parse(seen.body);
    const fields = id === undefined ? body : { ...body, id: decodeURIComponent(id) };
    const ordinary = () => registrar.act(operation, fields);
    const reply = scripts.get(operation)?.(fields, ordinary) ?? ordinary();
    const type = { 'content-type': 'application/json' };
    response.writeHead(reply.status ?? 200, { ...type, ...reply.headers });
    const isText = typeof reply.body === 'string' || reply.body === undefined;
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    ...login,
    domainApiUrl: `${origin}/domains`,
    accountApiUrl: `${origin}/account`,
    registrar,
    /** Since the last `reset`, in the order of arrival. */
    requests,
    /** What differed from the specification, in all requests since the last `reset`. */
    violations,
    /** Replaces the replies of an operation, until the next `reset`. */
    reply: (operation: string, script: Script) => void scripts.set(operation, script),
    /** The number of requests by operation. */
    counts: (): Readonly<Record<string, number>> =>
      Object.fromEntries(
        [...Map.groupBy(requests, ({ operation }) => operation)].map(([operation, all]) => [
          operation,
          all.length,
        ]),
      ),
    reset(): void {
      scripts.clear();
      requests.length = 0;
      violations.length = 0;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
