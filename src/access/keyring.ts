import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey, Caller, MadeKey } from '../kernel/caller.ts';
import type { Clock, Entropy } from '../lib/clock.ts';

export interface NewKey {
  /** The ten digits after `rg_`. */
  readonly prefix: string;
  /** The whole key: `rg_<prefix>_<secret>`. */
  readonly text: string;
}

const prefixBytes = 5;
/** 256 bits. */
const secretBytes = 32;

/** Makes a new random key. */
export function makeKey(entropy: Entropy): NewKey {
  const prefix = Buffer.from(entropy.bytes(prefixBytes)).toString('hex');
  const secret = Buffer.from(entropy.bytes(secretBytes)).toString('base64url');
  return { prefix, text: `rg_${prefix}_${secret}` };
}

const made = /^rg_([0-9a-f]{10})_[\w-]{43}$/;

/** The prefix of a made key; null for any other text. */
const prefixOf = (text: string): string | null => made.exec(text)?.[1] ?? null;

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
      const sent = hash('sha256', text, 'buffer');
      // Each digest is compared completely, so that the duration depends neither on the key nor on its place.
      const [found] = candidates.filter(({ expected }) => timingSafeEqual(sent, expected));
      return found && clock.now().getTime() < found.expiresAtMs ? found.caller : null;
    },
    replaceMade(next) {
      made = new Map(next.map((key) => [key.prefix, entryOf(key, key.expiresAt)]));
    },
  };
}
