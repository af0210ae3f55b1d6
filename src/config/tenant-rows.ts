import { z } from 'zod';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { shortName } from './api-keys.ts';
import { httpUrl } from './formats.ts';
import { json } from './json.ts';
import { secretText } from './secret-file.ts';
import { limitsObject, limitsRuleOf } from './spend-limits.ts';

/** One tenant of TENANTS: a user name and a password, each as text or as a file. */
export interface TenantRow {
  readonly name: string;
  readonly username?: string;
  readonly usernameFile?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly domainApiUrl?: string;
  readonly accountApiUrl?: string;
  readonly spendLimits?: SpendLimits;
}

const path = z.string().min(1);
const isOne = (one: unknown, other: unknown) => (one === undefined) !== (other === undefined);

const tenant = z
  .strictObject({
    username: secretText.exactOptional(),
    usernameFile: path.exactOptional(),
    password: secretText.exactOptional(),
    passwordFile: path.exactOptional(),
    domainApiUrl: httpUrl.exactOptional(),
    accountApiUrl: httpUrl.exactOptional(),
    spendLimits: limitsObject.exactOptional(),
  })
  .refine(({ username, usernameFile }) => isOne(username, usernameFile))
  .refine(({ password, passwordFile }) => isOne(password, passwordFile));

/** TENANTS: tenants by name. */
export const tenants = json(
  'tenants such as {"acme":{"usernameFile":"/run/secrets/user","passwordFile":"/run/secrets/password"}}',
  z.record(shortName, tenant).refine((rows) => Object.keys(rows).length > 0),
  tenantsRuleOf,
).transform((rows): readonly TenantRow[] =>
  Object.entries(rows).map(([name, row]) => ({ ...row, name })),
);

function tenantsRuleOf(issue: z.core.$ZodIssue): string {
  const [name, member, ...rest] = issue.path;
  if (name === undefined) return 'there is at least one, each with a name';
  if (issue.code === 'invalid_key') {
    return 'each name has 1 to 40 of the characters a to z, 0 to 9 and -';
  }
  if (member === 'spendLimits') {
    return `for "${String(name)}" ${limitsRuleOf({ ...issue, path: rest })}`;
  }
  return `"${String(name)}" has a "usernameFile" and a "passwordFile", perhaps "domainApiUrl", "accountApiUrl" and "spendLimits", and nothing else`;
}
