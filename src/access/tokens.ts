import { createHash } from 'node:crypto';
import { decodeJwt, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { IssuerConfig } from '../config/jwt-issuers.ts';
import { type AccessScope, type Caller, isAccessScope } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { Recent } from '../kernel/recent.ts';
import { BadToken, badTokenOf } from './bad-token.ts';

export interface Issuer extends IssuerConfig {
  readonly keys: JWTVerifyGetKey;
}

export interface Tokens {
  /** Whether a token says that it is of one of the issuers, true or not. */
  owns(token: string): boolean;
  /** Who showed this token before, if it still holds. */
  known(token: string): Caller | null;
  /** @throws BadToken, or IssuerKeysUnavailable when that cannot be told at present. */
  verify(token: string): Promise<Caller>;
}

const longestToken = 8_192;
const toleranceSeconds = 5;
const mostKnown = 2_000;
/** A token is verified anew after so long, since its issuer may have withdrawn the key. */
const longestKnownMs = 5 * 60_000;
/** An access token, a token of an older kind, or one that does not say. */
const plainType = /^(?:application\/)?(?:at\+)?jwt$/i;

interface Known {
  readonly caller: Caller;
  /** By the clock of the wall, as `exp` is. */
  readonly untilMs: number;
}

/** Tokens (JWT) of configured issuers. Of a token that was verified its hash is kept, never the token. */
export function createTokens(issuers: readonly Issuer[], clock: Pick<Clock, 'now'>): Tokens {
  const byIssuer = new Map(issuers.map((one) => [one.issuer, one]));
  const recent = new Recent<string, Known>(mostKnown);
  const issuerOf = (token: string) => byIssuer.get(issOf(token) ?? '');

  return {
    owns: (token) => byIssuer.size > 0 && issuerOf(token) !== undefined,
    known(token) {
      const found = recent.get(digestOf(token));
      return found && clock.now().getTime() < found.untilMs ? found.caller : null;
    },
    async verify(token) {
      const issuer = issuerOf(token);
      if (!issuer) throw new BadToken('This token is of no issuer that is known here.');
      if (token.length > longestToken) {
        throw new BadToken(`This token has more than ${longestToken} characters.`);
      }
      const now = clock.now();
      const payload = await read(token, issuer, now);
      const caller = callerOf(payload, issuer);
      const expiresAtMs = ((payload.exp ?? 0) + toleranceSeconds) * 1000;
      const untilMs = Math.min(expiresAtMs, now.getTime() + longestKnownMs);
      recent.set(digestOf(token), { caller, untilMs });
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
    if (!plainType.test(protectedHeader.typ ?? 'JWT')) {
      throw new BadToken('This is a token of another kind than says who calls.');
    }
    return payload;
  } catch (error) {
    throw badTokenOf(error);
  }
}

function callerOf(payload: JWTPayload, { name, scopesClaim, tenant, limits }: Issuer): Caller {
  // The library requires the claim, and does not look at its type.
  const subject: unknown = payload.sub;
  if (typeof subject !== 'string') throw new BadToken('The "sub" of this token is no text.');
  return {
    name: `${name}:${cleanSubject(subject)}`,
    tenant: typeof tenant === 'string' ? tenant : tenantIn(payload[tenant.claim]),
    scopes: new Set(scopesIn(payload[scopesClaim])),
    limits,
  };
}

/** As it is where it is short and plain, else its hash: two subjects never have one name. */
const cleanSubject = (subject: string): string =>
  /^[A-Za-z0-9][\w.@|:-]{0,99}$/.test(subject) ? subject : `~${digestOf(subject).slice(0, 32)}`;

/** Those that nobody knows here are left out. */
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

/** The `iss` that a token claims; null for text that is no JWT. */
function issOf(token: string): string | null {
  if (token.split('.', 4).length !== 3) return null;
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : null;
  } catch {
    return null;
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
