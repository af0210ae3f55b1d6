import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import {
  type AccessScope,
  type Caller,
  customerRule,
  isAccessScope,
  isCustomer,
  type TokenIssuer,
  tokenCallerName,
} from '../kernel/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { decodeText } from '../lib/files.ts';
import { resultOr } from '../lib/json.ts';

/** The keys are read again after this time. */
const freshMs = 10 * 60_000;
/** The keys remain in use for this time while they cannot be read. A withdrawn key must not work for longer. */
const graceMs = 60 * 60_000;
/** The least time between two reads, whatever clients send. jose's own key set has no such limit after a failed read. */
const retryMs = 30_000;
/** The same while no key has been read yet. */
const firstRetryMs = 2_000;
const fetchTimeoutMs = 5_000;

/** The keys of an issuer cannot be read, and the grace for keys that were read before is over. */
export class IssuerKeysUnavailable extends Error {
  override readonly name = 'IssuerKeysUnavailable';
}

/**
 * The public keys of one issuer. They are read at first use, when they are no longer fresh, and for an unknown key id.
 * Concurrent reads share one request.
 */
export function createIssuerKeys(
  jwks: TokenIssuer['jwks'],
  clock: Pick<Clock, 'monotonicMs' | 'deadline'>,
): JWTVerifyGetKey {
  let known: { readonly find: JWTVerifyGetKey; readonly readAtMs: number } | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const read = async () => {
    triedAtMs = clock.monotonicMs();
    try {
      const find = createLocalJWKSet(await readJwks(jwks, clock));
      known = { find, readAtMs: clock.monotonicMs() };
    } catch {
      // The known keys remain in use. Without any, `IssuerKeysUnavailable` is thrown below.
    } finally {
      reading = null;
    }
  };
  const refresh = async () => {
    const pauseMs = known ? retryMs : firstRetryMs;
    if (!reading && clock.monotonicMs() - triedAtMs >= pauseMs) reading = read();
    await reading;
  };
  const keysYoungerThan = (ageMs: number) =>
    known && clock.monotonicMs() - known.readAtMs < ageMs ? known : null;

  return async (header, token) => {
    if (!keysYoungerThan(freshMs)) await refresh();
    const keys = keysYoungerThan(graceMs);
    if (!keys) throw new IssuerKeysUnavailable();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      return (keysYoungerThan(graceMs) ?? keys).find(header, token);
    }
  };
}

/** Rejects when the keys cannot be read. A redirect is refused, because it could lead away from https. */
async function readJwks(
  jwks: TokenIssuer['jwks'],
  clock: Pick<Clock, 'deadline'>,
): Promise<JSONWebKeySet> {
  if ('file' in jwks) return JSON.parse(decodeText(await readFile(jwks.file)));
  using deadline = clock.deadline(fetchTimeoutMs);
  const response = await fetch(jwks.url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: deadline.signal,
  });
  if (!response.ok) throw new Error(`The request for the keys failed with ${response.status}.`);
  return (await response.json()) as JSONWebKeySet;
}

/** A token that identifies no caller. The message is one sentence and contains nothing of the token. */
export class BadToken extends Error {
  override readonly name = 'BadToken';
}

type Issuer = TokenIssuer & { readonly keys: JWTVerifyGetKey };

const maxTokenLength = 8_192;
const toleranceSeconds = 5;
const maxKnown = 2_000;
/** A token is verified again after this time, because its issuer may have withdrawn the key. */
const maxKnownMs = 5 * 60_000;
/** The `typ` of an access token or of a plain JWT. */
const accessTokenType = /^(?:application\/)?(?:at\+)?jwt$/i;

/** Verifies tokens (JWT) of configured issuers. The cache contains hashes of tokens, never a token. */
export function createTokens(issuers: readonly TokenIssuer[], clock: Clock) {
  const byIssuer = new Map<string, Issuer>(
    issuers.map((one) => [one.issuer, { ...one, keys: createIssuerKeys(one.jwks, clock) }]),
  );
  /** `untilMs` is in milliseconds since 1970, as the wall clock shows it. */
  const recent = new LRUCache<string, { caller: Caller; untilMs: number }>({ max: maxKnown });
  const issuerOf = (token: string) => byIssuer.get(issOf(token) ?? '');

  return {
    /** Whether a token names one of the issuers. The signature is not checked. */
    owns: (token: string): boolean => byIssuer.size > 0 && issuerOf(token) !== undefined,
    /** The cached caller of a token that was verified before; null when there is none. */
    known(token: string): Caller | null {
      const found = recent.get(hash('sha256', token));
      return found && clock.now().getTime() < found.untilMs ? found.caller : null;
    },
    /** @throws BadToken, or IssuerKeysUnavailable when the token cannot be checked now. */
    async verify(token: string): Promise<Caller> {
      const issuer = issuerOf(token);
      if (!issuer) throw new BadToken('The issuer of this token is not known here.');
      if (token.length > maxTokenLength) {
        throw new BadToken(`This token has more than ${maxTokenLength} characters.`);
      }
      const now = clock.now();
      const payload = await read(token, issuer, now);
      const caller = callerOf(payload, issuer);
      const expiresAtMs = ((payload.exp ?? 0) + toleranceSeconds) * 1000;
      const untilMs = Math.min(expiresAtMs, now.getTime() + maxKnownMs);
      recent.set(hash('sha256', token), { caller, untilMs });
      return caller;
    },
  };
}

async function read(token: string, issuer: Issuer, currentDate: Date): Promise<JWTPayload> {
  const { audience, algorithms, keys } = issuer;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: issuer.issuer,
      audience: [...audience],
      algorithms: [...algorithms],
      clockTolerance: toleranceSeconds,
      requiredClaims: ['exp', 'sub'],
      currentDate,
    });
    if (!accessTokenType.test(protectedHeader.typ ?? 'JWT')) {
      throw new BadToken('The type of this token ("typ") is not that of an access token.');
    }
    // jose accepts 1e999.
    if (!Number.isFinite(payload.exp)) throw new BadToken(ofClaim.exp);
    return payload;
  } catch (error) {
    throw badTokenOf(error);
  }
}

function callerOf(payload: JWTPayload, issuer: Issuer): Caller {
  const { name, scopesClaim, tenant, limits } = issuer;
  // jose requires the claim and does not check its type.
  const subject: unknown = payload.sub;
  if (typeof subject !== 'string') throw new BadToken('The "sub" of this token is not a string.');
  return {
    name: tokenCallerName(name, subject),
    tenant: typeof tenant === 'string' ? tenant : tenantIn(payload[tenant.claim]),
    scopes: new Set(scopesIn(payload[scopesClaim])),
    customer: customerIn(payload, issuer),
    limits,
  };
}

/** The known scopes of a claim. */
function scopesIn(claim: unknown): readonly AccessScope[] {
  const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return names.filter(
    (name): name is AccessScope => typeof name === 'string' && isAccessScope(name),
  );
}

function tenantIn(claim: unknown): string {
  if (typeof claim === 'string' && /^[a-z0-9-]{1,40}$/.test(claim)) return claim;
  throw new BadToken('This token names no tenant.');
}

function customerIn(payload: JWTPayload, { customerClaim }: Issuer): string | null {
  const { name, isRequired } = customerClaim;
  if (!isRequired && !Object.hasOwn(payload, name)) return null;
  const claim: unknown = payload[name];
  if (typeof claim === 'string' && isCustomer(claim)) return claim.normalize('NFC');
  throw new BadToken(`The claim with the customer of this token must have ${customerRule}.`);
}

/** The `iss` claim of a token; null for text that is not a JWT. */
function issOf(token: string): string | null {
  if (token.split('.', 4).length !== 3) return null;
  const iss: unknown = resultOr(() => decodeJwt(token).iss, null);
  return typeof iss === 'string' ? iss : null;
}

const ofClaim = {
  aud: 'The audience of this token ("aud") is not one that JWT_ISSUERS lists for its issuer.',
  nbf: 'This token is not valid yet.',
  exp: 'This token has no valid expiry time ("exp").',
  sub: 'This token has no subject ("sub").',
};

const unsigned = 'The signature of this token is not valid.';

const ofCode: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'This token has expired.',
  [errors.JOSEAlgNotAllowed.code]:
    'This token is signed with an algorithm that is not allowed for its issuer.',
  [errors.JWKSNoMatchingKey.code]: unsigned,
  [errors.JWKSMultipleMatchingKeys.code]: unsigned,
  [errors.JWSSignatureVerificationFailed.code]: unsigned,
};

/** The `BadToken` for an error of jose; any other error unchanged. */
function badTokenOf(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  const byClaim =
    error instanceof errors.JWTClaimValidationFailed
      ? ofClaim[error.claim as keyof typeof ofClaim]
      : undefined;
  return new BadToken(byClaim ?? ofCode[error.code] ?? 'This token cannot be read.');
}
