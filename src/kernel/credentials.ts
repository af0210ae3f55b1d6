import type { AccessScope } from './caller.ts';
import type { Secret } from './secret.ts';
import type { SpendLimits } from './spend-limits.ts';

/** A key that callers send as `x-api-key`. */
export interface ApiKey {
  /** Spend limits and rate limits count by this name, and the journal stores it. */
  readonly name: string;
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. A key has 256 random bits, so it needs no slow hash. */
  readonly sha256: Secret;
  readonly limits: SpendLimits;
  readonly scopes: readonly AccessScope[];
  readonly tenant: string;
}

/** A key that `npm run keys` made. */
export interface MadeKey extends ApiKey {
  /** The ten digits after `rg_`. They identify the key and are no secret. */
  readonly prefix: string;
  readonly madeAt: Date;
  /** Null for a key that never expires. */
  readonly expiresAt: Date | null;
}

/** An issuer whose tokens (JWT) identify callers. */
export interface TokenIssuer {
  /** The prefix of its callers' names. */
  readonly name: string;
  /** The exact `iss` claim of its tokens. */
  readonly issuer: string;
  /** Where its public keys (JWKS) are read. */
  readonly jwks: { readonly url: string } | { readonly file: string };
  /** A token must name at least one of these. */
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** The claim with the scopes: a list, or a text with blanks between them. */
  readonly scopesClaim: string;
  /** The tenant of all its callers, or the claim that names it. */
  readonly tenant: string | { readonly claim: string };
  /** The spend limits of each of its callers. */
  readonly limits: SpendLimits;
}
