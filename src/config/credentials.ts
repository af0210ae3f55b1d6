import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  type ApiKey,
  allAccessScopes,
  customerRule,
  defaultTenant,
  isAccessScope,
  isCustomer,
  type TokenIssuer,
} from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import { isLoopback } from '../lib/addresses.ts';
import { areDifferent, httpUrl, json, ruled } from './formats.ts';
import { secretText, userName } from './secret-file.ts';
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

/** Asymmetric signatures only: neither `none` nor any with a shared secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const text = z.string().regex(/^[^\p{Cc}]{1,500}$/u);
const oneOrMore = z.union([text.transform((one) => [one]), z.array(text).min(1)]);

const isAddress = (place: string) => /^https?:/i.test(place);

const jwks = text
  .refine((place) => {
    if (!isAddress(place)) return true;
    const url = URL.parse(place);
    return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
  })
  .transform((place) => (isAddress(place) ? { url: place } : { file: place }));

const claimName = ruled('the name of a claim', text);

const issuerObject = z
  .strictObject(
    {
      name: shortName,
      issuer: ruled('the "iss" of its tokens', text),
      jwks: ruled('an https address of its keys, or a file (http on this machine only)', jwks),
      audience: ruled('a text or a list of texts', oneOrMore),
      algorithms: ruled(`a list of ${algorithms.join(', ')}`, z.array(z.enum(algorithms)).min(1)),
      scopesClaim: claimName.default('scope'),
      tenant: shortName.optional(),
      tenantClaim: claimName.optional(),
      customerClaim: claimName.optional(),
      limits: limitsObject.default({}),
    },
    'an object with name, issuer, jwks, audience, algorithms, perhaps scopesClaim, tenant or tenantClaim, customerClaim, limits, and nothing else',
  )
  .refine(({ tenant, tenantClaim }) => tenant === undefined || tenantClaim === undefined, {
    path: ['tenant'],
    message: 'not there beside "tenantClaim"',
  })
  .transform(
    ({ tenant = defaultTenant, tenantClaim, customerClaim, ...issuer }): TokenIssuer => ({
      ...issuer,
      tenant: tenantClaim === undefined ? tenant : { claim: tenantClaim },
      // A token without a claim that the operator named would see the whole account.
      customerClaim: { name: customerClaim ?? 'customer', isRequired: customerClaim !== undefined },
    }),
  );

const issuersRule = 'a list of at least one, of which no two have the same name or issuer';

export const jwtIssuers = json<readonly TokenIssuer[]>(
  'a list such as [{"name":"login","issuer":"https://login.example","jwks":"https://login.example/jwks.json","audience":"reseller-graph","algorithms":["RS256"]}]',
  z
    .array(issuerObject, issuersRule)
    .min(1, issuersRule)
    .refine((all) => areDifferent(all.map(({ name }) => name)), issuersRule)
    .refine((all) => areDifferent(all.map(({ issuer }) => issuer)), issuersRule),
);

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
