import { z } from 'zod';
import { defaultTenant, type TokenIssuer } from '../kernel/caller.ts';
import { isLoopback } from '../lib/loopback.ts';
import { shortName } from './api-keys.ts';
import { areDifferent, json, ruled } from './formats.ts';
import { limitsObject } from './spend-limits.ts';

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
