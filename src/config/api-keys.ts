import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  type ApiKey,
  allAccessScopes,
  customerRule,
  defaultTenant,
  isAccessScope,
  isCustomer,
} from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import { areDifferent, json, ruled } from './formats.ts';
import { limitsObject } from './spend-limits.ts';

/** The name of the key that API_KEY sets. */
export const defaultKeyName = 'default';

/** The key of API_KEY, with every scope. */
export const plainKey = (key: string): ApiKey => ({
  name: defaultKeyName,
  sha256: new Secret(hash('sha256', key)),
  limits: {},
  scopes: allAccessScopes,
  tenant: defaultTenant,
  customer: null,
});

const nameRule = '1 to 40 of the characters a to z, 0 to 9 and -';

/** The name of a key, an issuer or a tenant. */
export const shortName = z.string(nameRule).regex(/^[a-z0-9-]{1,40}$/, nameRule);

const hexDigits = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase())
  // A script hashes an unset variable to this.
  .refine((digest) => digest !== hash('sha256', ''));

/** The members of a key in API_KEYS and KEYS_FILE. Without scopes it allows nothing. */
export const keyMembers = {
  sha256: ruled('the SHA-256 of a key, 64 hexadecimal digits', hexDigits),
  limits: limitsObject.default({}),
  scopes: ruled(
    () => `a list of ${allAccessScopes.join(', ')}`,
    z.array(z.string().refine(isAccessScope)),
  ).default([]),
  tenant: shortName.default(defaultTenant),
  customer: ruled(
    customerRule,
    z
      .string()
      .refine(isCustomer)
      .transform((text) => text.normalize('NFC')),
  )
    .nullable()
    .default(null),
};

const key = z.strictObject(
  keyMembers,
  'an object with "sha256", perhaps "scopes", "limits", "tenant" and "customer", and nothing else',
);

export const haveDifferentDigests = (
  keys: Readonly<Record<string, { readonly sha256: string }>>,
): boolean => areDifferent(Object.values(keys).map(({ sha256 }) => sha256));

const keysRule = 'an object with at least one name and its key';

export const apiKeys = json(
  'keys such as {"shop":{"sha256":"<64 hexadecimal digits>","scopes":["domains:check"],"limits":{"perHour":20}}}',
  z
    .record(shortName, key, keysRule)
    .refine((keys) => Object.keys(keys).length > 0, keysRule)
    .refine(haveDifferentDigests, 'an object in which no two keys have the same "sha256"'),
).transform((keys): readonly ApiKey[] =>
  Object.entries(keys).map(([name, { sha256, ...key }]) => ({
    name,
    ...key,
    sha256: new Secret(sha256),
  })),
);
