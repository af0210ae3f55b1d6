import { type Agent, request } from 'node:http';
import { connect } from 'node:net';

export interface RawRequest {
  readonly path?: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface RawResponse {
  readonly status: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends any headers and any bytes, which `fetch` would correct or refuse. */
export const sendRaw = (
  url: string,
  { path = '/graphql', method = 'POST', headers, body }: RawRequest,
  agent?: Agent,
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    // Without it Node sends the body of a DELETE without a length: bytes that the server reads as another request.
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': lengthOf(body) };
    const all = { ...length, ...headers };
    const sent = request(`${url}${path}`, { method, headers: all, ...(agent && { agent }) });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: `${response.statusCode} ${response.statusMessage}`,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.end(body);
  });

/** As `sendRaw` by POST, for a client that reads nothing before it has sent the whole body. */
export async function sendBeforeReading(
  url: string,
  { path = '/graphql', headers, body }: RawRequest,
): Promise<Pick<RawResponse, 'status' | 'body'>> {
  const isChunked = 'transfer-encoding' in headers;
  const all = { host: 'localhost', ...(!isChunked && { 'content-length': lengthOf(body) }) };
  const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const size = isChunked ? `${Buffer.byteLength(body).toString(16)}\r\n` : '';
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${size}`);
  socket.write(body);
  await new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.write(isChunked ? '\r\n0\r\n\r\n' : '', resolve);
  });
  let text = '';
  for await (const part of socket) {
    text += part;
    const [head = '', received = ''] = text.split('\r\n\r\n', 2);
    const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
    if (lengthOf(received) === length)
      return { status: head.slice(9, head.indexOf('\r')), body: received };
  }
  throw new Error(`The response is not complete: ${text}`);
}

const lengthOf = (body: string | Uint8Array): string => String(Buffer.byteLength(body));
