import type { AccessScope, TokenIssuer } from '../kernel/caller.ts';
import { isUnencrypted } from './addresses.ts';

/** How a client that knows only the address of the tools gets a token. */
export interface SignIn {
  /** The issuers with an address, where clients find how to sign in. At least one. */
  readonly issuers: readonly string[];
  /** The scopes that a client requests first. */
  readonly scopes: readonly AccessScope[];
}

/** Null when no issuer has an address. */
export function signInOf(
  issuers: readonly TokenIssuer[],
  scopes: readonly AccessScope[],
): SignIn | null {
  const addresses = issuers.map(({ issuer }) => issuer).filter(isAddress);
  return addresses.length > 0 ? { issuers: addresses, scopes } : null;
}

const isAddress = (issuer: string): boolean =>
  /^https?:/i.test(issuer) && URL.canParse(issuer) && !isUnencrypted(issuer);
