import type { IncomingMessage, ServerResponse } from 'node:http';

/** JSON text in pieces of about 10 KB, created while it is sent. */
export class JsonPieces {
  readonly pieces: Iterable<string>;
  constructor(pieces: Iterable<string>) {
    this.pieces = pieces;
  }
}

/** A response: `body` is sent as JSON, text and pieces as they are, `undefined` as nothing. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function textOf({ body }: Reply): string {
  if (body === undefined) return '';
  if (body instanceof JsonPieces) return [...body.pieces].join('');
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export const headersOf = (
  reply: Reply,
  length: number | null,
): Record<string, string | number> => ({
  ...(reply.body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
  ...(reply.status !== 204 && length !== null && { 'content-length': length }),
  ...reply.headers,
});

/** Does nothing when the client or a fault has ended the response already. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  if (reply.body instanceof JsonPieces) return void sendPieces(response, reply, reply.body.pieces);
  const text = textOf(reply);
  response.writeHead(reply.status, headersOf(reply, Buffer.byteLength(text)));
  response.end(text);
}

/** A piece is created when the socket has accepted the previous one, so that other calls are served in between. */
async function sendPieces(response: ServerResponse, reply: Reply, pieces: Iterable<string>) {
  response.writeHead(reply.status, headersOf(reply, null));
  try {
    for (const piece of pieces) {
      if (response.destroyed) return;
      await new Promise((taken) => response.write(piece, taken));
    }
    response.end();
  } catch {
    // The connection is destroyed, so that the client cannot mistake a part for the whole body.
    response.destroy();
  }
}

/** The body as text; `null` when it is longer than `limitBytes`, of which the rest is not read. */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The connection is still needed for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limitBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The JSON value; `undefined` for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
