import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { parseJson } from '../../src/lib/json.ts';
import { memoize } from '../../src/lib/lazy.ts';

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
  if (typeof body === 'string') return body;
  return isObject(body) && Object.isFrozen(body) ? textOfFrozen(body) : JSON.stringify(body);
}

/** Created once: the text of the price list has 270 KB. */
const textOfFrozen = memoize((body: object) => JSON.stringify(body));

export const headersOf = (
  reply: Reply,
  length: number | null,
): Record<string, string | number> => ({
  ...(reply.body !== undefined && { 'content-type': 'application/json' }),
  ...(reply.status !== 204 && length !== null && { 'content-length': length }),
  ...reply.headers,
});

/** Does nothing when the client or a fault has ended the response already. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  if (reply.body instanceof JsonPieces) {
    response.writeHead(reply.status, headersOf(reply, null));
    // Other calls are served between the pieces. A failure destroys the connection, so that no client takes a part for the whole.
    pipeline(reply.body.pieces, response, () => {});
    return;
  }
  const text = textOf(reply);
  response.writeHead(reply.status, headersOf(reply, Buffer.byteLength(text)));
  response.end(text);
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

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null for text that is not a JSON object. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}
