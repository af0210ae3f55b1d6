import type { IncomingMessage } from 'node:http';
import type { Callers, Credentials } from '../../access/callers.ts';
import { Secret } from '../../kernel/secret.ts';
import type { HttpRequest } from './http-request.ts';

const plausibleId = /^[\w-]{8,64}$/;

/** The id that the client sent for its request; null without a plausible one. */
export function readRequestId({ headers }: IncomingMessage): string | null {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && plausibleId.test(sent) ? sent : null;
}

export const readCredentials = (request: HttpRequest): Credentials => ({
  apiKey: request.header('x-api-key') || null,
  bearer: /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1] ?? null,
});

/**
 * The caller's own token for the Account API: `x-account-token`, or else the Bearer token of `Authorization`. A token that
 * identifies the caller to this gateway is never sent there.
 */
export function readAccountToken(request: HttpRequest, owns: Callers['owns']): Secret | null {
  const token = request.header('x-account-token')?.trim() || readCredentials(request).bearer;
  return token && !owns(token) ? new Secret(token) : null;
}

/**
 * The caller's key for the purchase of this request, from `Idempotency-Key`; null without one.
 *
 * The IETF draft defines it as a string of RFC 8941, in quotes; most clients omit the quotes.
 */
export function readIdempotencyKey(request: HttpRequest): string | null {
  const text = request.header('idempotency-key')?.trim();
  if (text === undefined) return null;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replace(/\\(["\\])/g, '$1');
}
