import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../config/api-keys.ts';
import type { MadeKey } from '../config/keys-file.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
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

/** Who has a key: one of the settings, or one that was made. */
export interface Keyring {
  /** Null for no key, or one that has expired. */
  find(text: string): Caller | null;
  /** These are the keys that were made, and no others. */
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
      // Digests have one length, and each is compared whole: the time this takes shows neither a key nor which it is.
      const [found] = candidates.filter(({ expected }) => timingSafeEqual(sent, expected));
      return found && clock.now().getTime() < found.expiresAtMs ? found.caller : null;
    },
    replaceMade(next) {
      made = new Map(next.map((key) => [key.prefix, entryOf(key, key.expiresAt)]));
    },
  };
}
