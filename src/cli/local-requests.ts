import { createServer, type RequestListener, request } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Status and body of a response. */
export interface LocalResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Creates a function that sends a POST to a request handler of this process. Each request has a connection in memory, so no
 * port is opened. When the signal aborts, the handler sees a client that disconnects.
 */
export function createLocalSender(handle: RequestListener) {
  const server = createServer(handle);
  return (
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<LocalResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<LocalResponse>();
    const [ofClient, ofServer] = duplexPair();
    server.emit('connection', ofServer);
    const options = { method: 'POST', path, headers, signal, createConnection: () => ofClient };
    request(options, (response) => {
      const { statusCode: status = 0 } = response;
      text(response).then((received) => resolve({ status, body: received }), reject);
    })
      .on('error', reject)
      .end(body);
    return promise;
  };
}
