import { createHash } from 'node:crypto';
import type { AccessScope } from '../../src/kernel/caller.ts';

/** The key of a name in a test. */
export const keyOf = (name: string): string => `the-key-of-the-${name}`;

export const by = (name: string): Record<string, string> => ({ 'x-api-key': keyOf(name) });

/** API_KEYS with the keys of these names, some of them bound to a customer. */
export const apiKeysOf = (
  scopes: Readonly<Record<string, readonly AccessScope[]>>,
  customers: Readonly<Record<string, string>> = {},
): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(scopes).map(([name, some]) => [
        name,
        {
          sha256: createHash('sha256').update(keyOf(name)).digest('hex'),
          scopes: some,
          customer: customers[name] ?? null,
        },
      ]),
    ),
  );
