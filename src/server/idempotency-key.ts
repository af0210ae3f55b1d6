import type { RequestView } from './request-view.ts';

/**
 * The caller's key for the purchase of this request, from `Idempotency-Key`; null without one.
 *
 * The IETF draft writes it as a string of RFC 8941, in quotes; most callers leave them out.
 */
export function readIdempotencyKey(headers: RequestView['headers']): string | null {
  const text = headers.get('idempotency-key')?.trim();
  if (text === undefined) return null;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replace(/\\(["\\])/g, '$1');
}
