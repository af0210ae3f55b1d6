import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { TokenIssuer } from '../kernel/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { decodeText } from '../lib/decode-text.ts';

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
