import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../kernel/clock.ts';

/** Milliseconds. */
const ages = {
  /** So long the keys serve before they are read again. */
  fresh: 10 * 60_000,
  /** So long they serve where reading them fails: a key that was withdrawn must not hold for ever. */
  stale: 60 * 60_000,
  /** Nothing that a caller sends has them read more often than this. */
  betweenReads: 30_000,
  /** And this is how often they are tried while there are none. */
  betweenFirstReads: 2_000,
} as const;

/** The keys of an issuer cannot be read, and none that were read before serve any more. */
export class IssuerKeysUnavailable extends Error {
  override readonly name = 'IssuerKeysUnavailable';
}

/**
 * The public keys of one issuer, read when they are first needed. They are read again when they are old, and for a key id
 * that is not among them, however many such ids are sent only so often.
 */
export function createIssuerKeys(
  read: () => Promise<unknown>,
  clock: Pick<Clock, 'monotonicMs'>,
): JWTVerifyGetKey {
  let known: { readonly find: JWTVerifyGetKey; readonly readAtMs: number } | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const readOnce = async () => {
    triedAtMs = clock.monotonicMs();
    try {
      const find = createLocalJWKSet((await read()) as JSONWebKeySet);
      known = { find, readAtMs: clock.monotonicMs() };
    } catch {
      // Those that are known serve on for a while; without any the next lines of the caller say so.
    } finally {
      reading = null;
    }
  };
  /** Resolves when the keys are as new as they may be. */
  const readAgain = async () => {
    const pauseMs = known ? ages.betweenReads : ages.betweenFirstReads;
    if (!reading && clock.monotonicMs() - triedAtMs >= pauseMs) reading = readOnce();
    await reading;
  };
  const current = () => (known && clock.monotonicMs() - known.readAtMs < ages.stale ? known : null);

  return async (header, token) => {
    const isFresh = known && clock.monotonicMs() - known.readAtMs < ages.fresh;
    if (!isFresh) await readAgain();
    const keys = current();
    if (!keys) throw new IssuerKeysUnavailable();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await readAgain();
      return (current() ?? keys).find(header, token);
    }
  };
}
