import type { IncomingMessage } from 'node:http';
import { requestFault } from './request-fault.ts';

/**
 * The body of a request; null when the client disconnected before its end.
 *
 * @throws GraphQLError 413 for more than `maxBytes`.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return resolve(null);
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) return void chunks.push(chunk);
      chunks = [];
      reject(tooLong(maxBytes));
    });
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
    );
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}

const tooLong = (maxBytes: number) =>
  requestFault('INVALID_REQUEST', `The body of a request has at most ${maxBytes} bytes.`, 413, {
    connection: 'close',
  });
