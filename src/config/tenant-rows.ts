import { z } from 'zod';
import { shortName } from './api-keys.ts';
import { httpUrl, json } from './formats.ts';
import { secretText, userName } from './secret-file.ts';
import { limitsObject } from './spend-limits.ts';

const path = z.string().min(1).optional();
const isOne = (one: unknown, other: unknown) => (one === undefined) !== (other === undefined);

const tenantRule =
  'an object with a "usernameFile" and a "passwordFile", perhaps "domainApiUrl", "accountApiUrl" and "spendLimits", and nothing else';

const tenant = z
  .strictObject(
    {
      username: userName.optional(),
      usernameFile: path,
      password: secretText.optional(),
      passwordFile: path,
      domainApiUrl: httpUrl.optional(),
      accountApiUrl: httpUrl.optional(),
      spendLimits: limitsObject.default({}),
    },
    tenantRule,
  )
  .refine(({ username, usernameFile }) => isOne(username, usernameFile), tenantRule)
  .refine(({ password, passwordFile }) => isOne(password, passwordFile), tenantRule);

/** One tenant of TENANTS: a user name and a password, each as text or as a file. */
export type TenantRow = Readonly<z.output<typeof tenant>> & { readonly name: string };

const tenantsRule = 'an object with at least one name and its tenant';

export const tenants = json(
  'tenants such as {"acme":{"usernameFile":"/run/secrets/user","passwordFile":"/run/secrets/password"}}',
  z
    .record(shortName, tenant, tenantsRule)
    .refine((rows) => Object.keys(rows).length > 0, tenantsRule),
).transform((rows): readonly TenantRow[] =>
  Object.entries(rows).map(([name, row]) => ({ ...row, name })),
);
