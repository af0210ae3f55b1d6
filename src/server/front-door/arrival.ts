import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TopLevelCode } from '../../kernel/faults.ts';

/** A request as the front door looks at it: nothing of its body was read. */
export interface Arrival {
  readonly method: string;
  /** As it was sent, such as `/graphql?query=…`. */
  readonly target: string;
  /** The path of the target without a slash at its end; null where the target is no plain path. */
  readonly path: string | null;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turns, none left out or joined. */
  readonly rawHeaders: readonly string[];
  /** Whether a body comes along, of whatever length. */
  readonly hasBody: boolean;
}

export interface Refusal {
  readonly status: number;
  readonly code: TopLevelCode;
  /** One sentence that says what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a request is refused, or null. */
export type Check = (arrival: Arrival) => Refusal | null;

export const badRequest = (status: number, message: string): Refusal => ({
  status,
  code: 'BAD_USER_INPUT',
  message,
});

export function arrivalOf({
  method = '',
  url = '',
  headers,
  rawHeaders,
}: IncomingMessage): Arrival {
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  return { method, target: url, path: pathOf(url), headers, rawHeaders, hasBody };
}

/** The last target that was one: nearly all are the same. */
let last = { target: '/', path: '/' };

function pathOf(target: string): string | null {
  if (target === last.target) return last.path;
  const url = target.startsWith('/') ? URL.parse(`http://localhost${target}`) : null;
  const [written = ''] = target.split('?', 1);
  // Dots, backslashes and raw bytes are read otherwise than they are written, and by each server in its own way.
  if (url === null || url.pathname !== written || target.includes('#')) return null;
  const path = written.replace(/(?<=.)\/$/, '');
  if (target.length < 100) last = { target, path };
  return path;
}
