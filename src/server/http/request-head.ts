import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TopLevelCode } from '../../kernel/faults.ts';

/** A request before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** As the client sent it, such as `/graphql?query=…`. */
  readonly target: string;
  /** The path of the target without a trailing slash; null for a target that is not a plain path. */
  readonly path: string | null;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turns, none omitted or joined. */
  readonly rawHeaders: readonly string[];
  readonly hasBody: boolean;
}

/** Why a guard refuses a request. */
export interface Refusal {
  readonly status: number;
  readonly code: TopLevelCode;
  /** One sentence that says what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns null for a request that it accepts. */
export type Guard = (head: RequestHead) => Refusal | null;

export const badRequest = (status: number, message: string): Refusal => ({
  status,
  code: 'BAD_USER_INPUT',
  message,
});

export function headOf({
  method = '',
  url = '',
  headers,
  rawHeaders,
}: IncomingMessage): RequestHead {
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  return { method, target: url, path: pathOf(url), headers, rawHeaders, hasBody };
}

/** The previous target and its path: most requests have the same. */
let previous = { target: '/', path: '/' };

function pathOf(target: string): string | null {
  if (target === previous.target) return previous.path;
  const url = target.startsWith('/') ? URL.parse(`http://localhost${target}`) : null;
  const [written = ''] = target.split('?', 1);
  // Servers disagree on dot segments, backslashes and raw bytes, so a path with them is refused.
  if (url === null || url.pathname !== written || target.includes('#')) return null;
  const path = written.replace(/(?<=.)\/$/, '');
  if (target.length < 100) previous = { target, path };
  return path;
}
