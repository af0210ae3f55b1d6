import { z } from 'zod';
import { defaultTenant, type TokenIssuer } from '../kernel/caller.ts';
import { isLoopback } from '../lib/loopback.ts';
import { shortName } from './api-keys.ts';
import { areDifferent, json } from './formats.ts';
import { limitsObject, limitsRuleOf } from './spend-limits.ts';

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

/** The rule of each member, which completes `"<member>" is …`. */
const rules: Readonly<Record<string, string>> = {
  name: 'up to 40 of the characters a to z, 0 to 9 and -',
  issuer: 'the "iss" of its tokens',
  jwks: 'an https address of its keys, or a file (http on this machine only)',
  audience: 'a text or a list of texts',
  algorithms: `a list of ${algorithms.join(', ')}`,
  scopesClaim: 'the name of a claim',
  tenant: 'the name of a tenant, and not there beside "tenantClaim"',
  tenantClaim: 'the name of a claim',
};

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

const issuerObject = z
  .strictObject({
    name: shortName,
    issuer: text,
    jwks,
    audience: oneOrMore,
    algorithms: z.array(z.enum(algorithms)).min(1),
    scopesClaim: text.default('scope'),
    tenant: shortName.optional(),
    tenantClaim: text.optional(),
    limits: limitsObject.default({}),
  })
  .refine(({ tenant, tenantClaim }) => tenant === undefined || tenantClaim === undefined, {
    path: ['tenant'],
  })
  .transform(
    ({ tenant = defaultTenant, tenantClaim, ...issuer }): TokenIssuer => ({
      ...issuer,
      tenant: tenantClaim === undefined ? tenant : { claim: tenantClaim },
    }),
  );

/** The text of JWT_ISSUERS. */
export const jwtIssuers = json<readonly TokenIssuer[]>(
  'a list such as [{"name":"login","issuer":"https://login.example","jwks":"https://login.example/jwks.json","audience":"reseller-graph","algorithms":["RS256"]}]',
  z
    .array(issuerObject)
    .min(1)
    .refine((all) => areDifferent(all.map(({ name }) => name)))
    .refine((all) => areDifferent(all.map(({ issuer }) => issuer))),
  issuersRuleOf,
);

function issuersRuleOf(issue: z.core.$ZodIssue): string {
  const [at, member, ...rest] = issue.path;
  if (at === undefined) return 'there is at least one, and no two have the same name or issuer';
  if (member === 'limits') return limitsRuleOf({ ...issue, path: rest });
  const rule = rules[String(member)];
  return rule
    ? `"${String(member)}" is ${rule}`
    : `each has ${Object.keys(rules).slice(0, 5).join(', ')}, perhaps scopesClaim, tenant or tenantClaim, limits, and nothing else`;
}
