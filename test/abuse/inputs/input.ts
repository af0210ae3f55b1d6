/** One malicious or malformed request, as bytes on a connection of its own. */
export interface AbuseInput {
  readonly name: string;
  readonly bytes: Buffer;
  /** The allowed statuses; `closed` is a connection that ends without a response. */
  readonly statuses: readonly (number | 'closed')[];
  /** The `extensions.category` of every error; not checked when absent. */
  readonly category?: string;
}

export const key = 'an-abused-key-of-this-gateway';

interface Written {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Replaces or adds headers; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
}

/** A valid request with the key, except for the given parts. */
export function written({
  method = 'POST',
  target = '/graphql',
  version = 'HTTP/1.1',
  headers = {},
  body = '',
}: Written): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const all: Record<string, string | null> = {
    host: 'localhost',
    connection: 'close',
    'x-api-key': key,
    accept: 'application/graphql-response+json',
    ...(method === 'POST' && {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : `${name}: ${value}\r\n`,
  );
  const head = `${method} ${target} ${version}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

export const raw = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A valid request with the given document. */
export const document = (query: string, variables?: unknown): Buffer =>
  written({ body: JSON.stringify({ query, ...(variables !== undefined && { variables }) }) });

/** An input that is refused with INVALID_REQUEST. */
export const bad = (name: string, bytes: Buffer, ...statuses: readonly number[]): AbuseInput => ({
  name,
  bytes,
  statuses: statuses.length > 0 ? statuses : [400, 422],
  category: 'INPUT',
});
