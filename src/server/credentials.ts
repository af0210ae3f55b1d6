import type { Callers, Credentials } from '../access/callers.ts';
import { Secret } from '../kernel/secret.ts';
import type { RequestView } from './request-view.ts';

type Headers = RequestView['headers'];

/** What a request shows of who sent it. */
export const readCredentials = (headers: Headers): Credentials => ({
  apiKey: headers.get('x-api-key') || null,
  bearer: /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null,
});

/**
 * The caller's own token for the Account API: `x-account-token`, or else the Bearer token of `Authorization`. A token that
 * says who calls this gateway is neither, wherever it stands.
 */
export function readAccountToken(headers: Headers, owns: Callers['owns']): Secret | null {
  const own = headers.get('x-account-token')?.trim() || readCredentials(headers).bearer;
  return own && !owns(own) ? new Secret(own) : null;
}
