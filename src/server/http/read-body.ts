import type { IncomingMessage } from 'node:http';

/** The body of a request; null when the client disconnected before its end, `too long` for more than `maxBytes`. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too long' | null> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve(null);
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) return void chunks.push(chunk);
      chunks = [];
      resolve('too long');
    });
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
    );
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}
