import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { notableTlds } from '../support/gateway.ts';

/** The mode of the upstream: replies of the sandbox, or errors that echo the request. */
export type Mood = 'as usual' | 'error' | 'page' | 'garbage' | 'unauthorized';

/** Secrets of the gateway and its callers, and the values of the sandbox for them. */
type Translation = Readonly<Record<string, string>>;

/** A sandbox behind a proxy that translates the login and echoes requests in its errors. */
export async function startEchoingService(translation: Translation) {
  const sandbox = await startSandbox({
    file: ':memory:',
    clock: systemClock,
    randomness: systemRandomness,
    domains: 40,
    listedTlds: notableTlds,
  });
  let mood: Mood = 'as usual';
  const translated = (text: string) =>
    Object.entries(translation).reduce(
      (all, [ours, theirs]) => all.replaceAll(JSON.stringify(ours).slice(1, -1), theirs),
      text,
    );

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    if (mood !== 'as usual') {
      const [status, text] = echoes[mood](body, headers);
      return void response.writeHead(status, { 'x-echo': encodeURIComponent(body) }).end(text);
    }
    const { authorization = '', 'content-type': type = '' } = headers;
    const answer = await fetch(`${sandbox.url}${url}`, {
      method,
      headers: {
        'content-type': type,
        ...(authorization && { authorization: translated(authorization) }),
      },
      ...(body && { body: translated(body) }),
    });
    const replyHeaders = { 'content-type': answer.headers.get('content-type') ?? 'text/plain' };
    response.writeHead(answer.status, replyHeaders).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sandboxUrl: sandbox.url,
    be(next: Mood): void {
      mood = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await sandbox.close();
    },
  };
}

type Echo = (body: string, headers: IncomingHttpHeaders) => readonly [status: number, text: string];

const all = (body: string, headers: IncomingHttpHeaders) => `${body} ${JSON.stringify(headers)}`;
const failure = (code: string, details: string) =>
  JSON.stringify({ result: 'ERROR', error: { Code: code, Message: details, Details: details } });

const echoes: Readonly<Record<Exclude<Mood, 'as usual'>, Echo>> = {
  error: (body, headers) => [400, failure('API_2306_ERROR', all(body, headers))],
  page: (body, headers) => [500, `<pre>Fatal error: ${all(body, headers)}</pre>`],
  garbage: (body, headers) => [200, all(body, headers)],
  unauthorized: (body, headers) => [401, failure('API_300_ERROR', all(body, headers))],
};
