import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Reads each body and refuses the request, with the least work that `node:http` allows.

const message = 'x'.repeat(200);
const text = JSON.stringify({ errors: [{ message, extensions: { code: 'OVERLOADED' } }] });
const headers = ['content-type', 'application/json', 'content-length', String(text.length)];

const server = createServer((request, response) => {
  request.on('data', () => undefined);
  request.on('end', () => response.writeHead(503, headers).end(text));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
