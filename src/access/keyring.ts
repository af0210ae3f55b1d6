import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKey, Caller, MadeKey } from '../kernel/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { prefixOf } from './key-text.ts';

interface Entry {
  readonly expected: Buffer;
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

const entryOf = ({ name, sha256, tenant, scopes, limits }: ApiKey, expiresAt: Date | null) => ({
  expected: Buffer.from(sha256.reveal(), 'hex'),
  caller: { name, tenant, scopes: new Set(scopes), limits },
  expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
});

/** Finds callers by the keys of the settings and the made keys. */
export interface Keyring {
  /** Null for an unknown or expired key. */
  find(text: string): Caller | null;
  /** Replaces all made keys. */
  replaceMade(keys: readonly MadeKey[]): void;
}

export function createKeyring(keys: readonly ApiKey[], clock: Pick<Clock, 'now'>): Keyring {
  const fixed: readonly Entry[] = keys.map((key) => entryOf(key, null));
  let made: ReadonlyMap<string, Entry> = new Map();
  return {
    find(text) {
      const known = made.get(prefixOf(text) ?? '');
      const candidates = known ? [...fixed, known] : fixed;
      const sent = createHash('sha256').update(text).digest();
      // Each digest is compared completely, so that the duration depends neither on the key nor on its place.
      const [found] = candidates.filter(({ expected }) => timingSafeEqual(sent, expected));
      return found && clock.now().getTime() < found.expiresAtMs ? found.caller : null;
    },
    replaceMade(next) {
      made = new Map(next.map((key) => [key.prefix, entryOf(key, key.expiresAt)]));
    },
  };
}
