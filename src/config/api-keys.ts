import { hash } from 'node:crypto';
import { z } from 'zod';
import { type ApiKey, allAccessScopes, defaultTenant, isAccessScope } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import { areDifferent, json } from './formats.ts';
import { limitsObject, limitsRuleOf } from './spend-limits.ts';

/** The name of the key that API_KEY sets. */
export const defaultKeyName = 'default';

/** The key of API_KEY, with every scope. */
export const plainKey = (key: string): ApiKey => ({
  name: defaultKeyName,
  sha256: new Secret(hash('sha256', key)),
  limits: {},
  scopes: allAccessScopes,
  tenant: defaultTenant,
});

/** The name of a key, an issuer or a tenant. */
export const shortName = z.string().regex(/^[a-z0-9-]{1,40}$/);
export const shortNameRule = 'each name has 1 to 40 of the characters a to z, 0 to 9 and -';

const hexDigits = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase())
  // A script hashes an unset variable to this.
  .refine((digest) => digest !== hash('sha256', ''));

/** The members of a key in API_KEYS and KEYS_FILE. Without scopes it allows nothing. */
export const keyMembers = {
  sha256: hexDigits,
  limits: limitsObject.default({}),
  scopes: z.array(z.string().refine(isAccessScope)).default([]),
  tenant: shortName.default(defaultTenant),
};

export const haveDifferentDigests = (
  keys: Readonly<Record<string, { readonly sha256: string }>>,
): boolean => areDifferent(Object.values(keys).map(({ sha256 }) => sha256));

const keysObject = z
  .record(shortName, z.strictObject(keyMembers))
  .refine((keys) => Object.keys(keys).length > 0)
  .refine(haveDifferentDigests, { params: { isRepeated: true } });

/** API_KEYS: keys by name. */
export const apiKeys = json(
  'keys such as {"shop":{"sha256":"<64 hexadecimal digits>","scopes":["domains:check"],"limits":{"perHour":20}}}',
  keysObject,
  keysRuleOf,
).transform((keys): readonly ApiKey[] =>
  Object.entries(keys).map(([name, { sha256, ...key }]) => ({
    name,
    ...key,
    sha256: new Secret(sha256),
  })),
);

function keysRuleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom' && issue.path.length === 0) {
    return issue.params ? 'no two have the same sha256' : 'there is at least one';
  }
  return keyRuleOf(issue);
}

/** Completes "keys such as …, where …" for one of them; `path` leads from all keys to the invalid value. */
export function keyRuleOf(issue: z.core.$ZodIssue): string {
  const [name, member, ...rest] = issue.path;
  if (name === undefined) return 'each key has a name';
  if (issue.code === 'invalid_key') return shortNameRule;
  if (member === 'limits') {
    return `for "${String(name)}" ${limitsRuleOf({ ...issue, path: rest })}`;
  }
  if (member === 'scopes') {
    return `for "${String(name)}" "scopes" is a list of ${allAccessScopes.join(', ')}`;
  }
  return `"${String(name)}" has the "sha256" of a key, 64 hexadecimal digits, perhaps "scopes", "limits" and "tenant", and nothing else`;
}
