import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createReplies } from './replies.ts';

// A mock of the Domain API as fast as node:http can be, so that the server in front of it is measured.
//
//     GET    /calls          how often each action was called since they were last forgotten
//     DELETE /calls          forgets them
//     PUT    /latency/20     milliseconds that every reply waits from now on

const { values } = parseArgs({ options: { domains: { type: 'string', default: '50' } } });

const replies = createReplies(Number(values.domains));
const calls = new Map<string, number>();
let latencyMs = 0;

const refusal = Buffer.from(
  JSON.stringify({
    result: 'ERROR',
    error: { Code: 'API_2303_ERROR', Message: 'Object does not exist', Details: '' },
  }),
);

const server = createServer((request, response) => {
  const url = request.url ?? '';
  if (request.method !== 'POST') return administer(request.method, url, response);
  const action = /[?&]action=([a-z]+)/.exec(url)?.[1] ?? '';
  calls.set(action, (calls.get(action) ?? 0) + 1);
  readBody(request, (body) => {
    const reply = replies[action]?.(JSON.parse(body)) ?? null;
    if (latencyMs === 0) return answer(response, reply);
    setTimeout(answer, latencyMs, response, reply);
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

function administer(method: string | undefined, url: string, response: ServerResponse): void {
  const body = Buffer.from(JSON.stringify(Object.fromEntries(calls)));
  if (method === 'DELETE') calls.clear();
  if (method === 'PUT') latencyMs = Number(url.split('/').at(-1));
  answer(response, body);
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => done(body));
}

function answer(response: ServerResponse, reply: Buffer | null): void {
  const body = reply ?? refusal;
  response.writeHead(reply ? 200 : 400, {
    'content-type': 'application/json',
    'content-length': body.length,
  });
  response.end(body);
}
