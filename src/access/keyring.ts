import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey, Caller, MadeKey } from '../kernel/caller.ts';
import type { Clock } from '../lib/clock.ts';

/** Makes a new random key: `rg_<prefix>_<secret>`, with ten digits and 256 random bits. */
export function makeKey(randomBytes: (length: number) => Buffer) {
  const prefix = randomBytes(5).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { prefix, text: `rg_${prefix}_${secret}` };
}

/** A made key; the group is its prefix. */
const madeKey = /^rg_([0-9a-f]{10})_[\w-]{43}$/;

type KeyEntry = ReturnType<typeof entryOf>;

/** `expiresAtMs` is in milliseconds since 1970. */
const entryOf = (
  { name, sha256, tenant, scopes, limits, customer }: ApiKey,
  expiresAt: Date | null,
) => ({
  expected: Buffer.from(sha256.reveal(), 'hex'),
  caller: { name, tenant, scopes: new Set(scopes), limits, customer } satisfies Caller,
  expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
});

/** Finds callers by the keys of the settings and the made keys. */
export function createKeyring(keys: readonly ApiKey[], clock: Pick<Clock, 'now'>) {
  const fixed: readonly KeyEntry[] = keys.map((key) => entryOf(key, null));
  let made: ReadonlyMap<string, KeyEntry> = new Map();
  const isValid = ({ expiresAtMs }: KeyEntry): boolean => clock.now().getTime() < expiresAtMs;
  return {
    /** The caller of a key by its name; null for an unknown or expired key. */
    named({ tenant, name }: Pick<Caller, 'tenant' | 'name'>): Caller | null {
      const found = [...made.values(), ...fixed].find(
        (entry) => entry.caller.name === name && entry.caller.tenant === tenant && isValid(entry),
      );
      return found?.caller ?? null;
    },
    /** Null for an unknown or expired key. */
    find(text: string): Caller | null {
      const known = made.get(madeKey.exec(text)?.[1] ?? '');
      const candidates = known ? [...fixed, known] : fixed;
      const sent = hash('sha256', text, 'buffer');
      // Each digest is compared completely, so that the duration depends neither on the key nor on its place.
      const [found] = candidates.filter(({ expected }) => timingSafeEqual(sent, expected));
      return found && isValid(found) ? found.caller : null;
    },
    /** Replaces all made keys. */
    replaceMade(next: readonly MadeKey[]): void {
      made = new Map(next.map((key) => [key.prefix, entryOf(key, key.expiresAt)]));
    },
  };
}
