import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defaultTenant } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { json } from './json.ts';
import { limitsObject, whatIsWrongWithLimits } from './spend-limits.ts';
import { tenantName } from './tenant-rows.ts';

/** A key that callers may send as `x-api-key`. */
export interface ApiKey {
  /** What purchases made with it are counted under, and what the journal keeps of it. */
  readonly name: string;
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. */
  readonly sha256: Secret;
  readonly limits: SpendLimits;
  /** The reseller account that it is for, by its name here. */
  readonly tenant: string;
}

/** The name of the key that API_KEY sets. */
export const defaultKeyName = 'default';

/** The key of a setting that holds it as it is sent. */
export const plainKey = (key: string): ApiKey => ({
  name: defaultKeyName,
  sha256: new Secret(sha256Of(key)),
  limits: {},
  tenant: defaultTenant,
});

const keyName = z.string().regex(/^[a-z0-9-]{1,40}$/);
const sha256Of = (key: string) => createHash('sha256').update(key).digest('hex');

const hexDigits = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase())
  // What a script makes of a variable that is not set.
  .refine((digest) => digest !== sha256Of(''));

const keysObject = z
  .record(
    keyName,
    z.strictObject({
      sha256: hexDigits,
      limits: limitsObject.exactOptional(),
      tenant: tenantName.exactOptional(),
    }),
  )
  .refine((keys) => Object.keys(keys).length > 0)
  .refine(
    (keys) => {
      const digests = Object.values(keys).map(({ sha256 }) => sha256);
      return new Set(digests).size === digests.length;
    },
    { params: { isRepeated: true } },
  );

/** The text of API_KEYS: keys by name. */
export const apiKeys = json(
  'keys such as {"shop":{"sha256":"<64 hexadecimal digits>","limits":{"perHour":20}}}',
  keysObject,
  whatIsWrongWithKeys,
).transform((keys): readonly ApiKey[] =>
  Object.entries(keys).map(([name, { sha256, limits = {}, tenant = defaultTenant }]) => ({
    name,
    sha256: new Secret(sha256),
    limits,
    tenant,
  })),
);

function whatIsWrongWithKeys(issue: z.core.$ZodIssue): string {
  const [name, member, ...rest] = issue.path;
  if (issue.code === 'custom' && name === undefined) {
    return issue.params ? 'no two have the same sha256' : 'there is at least one';
  }
  if (name === undefined) return 'each key has a name';
  if (issue.code === 'invalid_key') {
    return 'each name has 1 to 40 of the characters a to z, 0 to 9 and -';
  }
  if (member === 'limits') {
    return `for "${String(name)}" ${whatIsWrongWithLimits({ ...issue, path: rest })}`;
  }
  return `"${String(name)}" has the "sha256" of a key, 64 hexadecimal digits, perhaps "limits" and the name of its "tenant", and nothing else`;
}
