import { Secret } from '../kernel/secret.ts';
import type { RequestView } from './request-view.ts';

/** The caller's own token for the Account API: `x-account-token`, or else the Bearer token of `Authorization`. */
export function readAccountToken(headers: RequestView['headers']): Secret | null {
  const own = headers.get('x-account-token')?.trim();
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  const token = own || bearer;
  return token ? new Secret(token) : null;
}
