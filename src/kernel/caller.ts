import { hash } from 'node:crypto';
import { composed, quoted } from '../lib/text.ts';
import { Fault, invalidInput } from './faults.ts';
import type { Secret } from './secret.ts';
import type { SpendLimits } from './spend-limits.ts';

/** The fields that each access scope of the core allows. */
const coreScopes = {
  'domains:check': 'Availability, searches, TLDs and prices.',
  'domains:read': 'Domains, their lists and counts, without contacts and auth codes.',
  'contacts:read': 'The contacts of domains, their ids too.',
  'authcode:read': 'Auth codes, with which a domain can be taken away.',
  'domains:write': 'Name servers, privacy protection and synchronisation, of one domain or many.',
  'customers:write': 'Customers and labels of domains, and the stored values of their purchases.',
  'domains:unlock': 'Removing the transfer lock, which cannot be set again here.',
  'domains:spend': "Registering and transferring domains, and the caller's own purchases.",
  'prices:cost': 'What the registrar charges, which may differ from the prices.',
  'account:read': 'The reseller account and its balances.',
  'account:write': 'Carts and changes of hosting groups.',
  'account:danger': 'Deleting hosting groups and logs, and logging out.',
  ops: 'The purchases and changes of all callers of the account, and the state of the upstream.',
} as const satisfies Record<string, string>;

/** The scopes of features, which add their names with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface FeatureScopes {}

export type AccessScope = keyof typeof coreScopes | keyof FeatureScopes;

/** The fields that each access scope allows. */
export const accessScopes: Readonly<Partial<Record<AccessScope, string>>> = coreScopes;

/** A scope of a feature. */
export interface ScopeRow {
  /** The fields that it allows. */
  readonly allows: string;
  readonly isOfAccount?: true;
  /** Whether it is one of `defaultScopes`. It must allow reads only, and none of confidential data. */
  readonly isDefault?: true;
}

/** Adds the scopes of a feature. The list of features calls it before anything reads the scopes. */
export function addScopes(rows: Readonly<Record<string, ScopeRow>>): void {
  for (const [name, { allows, isOfAccount, isDefault }] of Object.entries(rows)) {
    // The feature declares the name in `FeatureScopes`.
    const scope = name as AccessScope;
    Object.assign(accessScopes, { [name]: allows });
    allAccessScopes.push(scope);
    everyScope.add(scope);
    if (isOfAccount) accountScopes.add(scope);
    if (isDefault) defaultScopes.push(scope);
  }
}

/** The scopes of tools for models, unless a setting has others. */
export const defaultScopes: AccessScope[] = ['domains:check', 'domains:read', 'account:read'];

/** Scopes of the whole account. A caller that is bound to a customer cannot use them. */
const accountScopes = new Set<AccessScope>([
  'account:read',
  'account:write',
  'account:danger',
  'ops',
]);

/** A caller reads its own purchases and orders with the first scope, and all of the account with the second. */
export const purchaseScopes = ['domains:spend', 'ops'] as const;

/** In the order of the documents. */
export const allAccessScopes = Object.keys(coreScopes) as AccessScope[];

const everyScope = new Set(allAccessScopes);

export const isAccessScope = (text: string): text is AccessScope =>
  Object.hasOwn(accessScopes, text);

/** The authenticated sender of a request. Different objects are different callers, or one caller with changed rights. */
export interface Caller {
  /** Name of the API key or token, unique within the tenant; null when requests need no credential. */
  readonly name: string | null;
  /** Name of the tenant. */
  readonly tenant: string;
  readonly scopes: ReadonlySet<AccessScope>;
  /** The customer to whose domains and purchases the caller is bound; null when it sees the whole account. */
  readonly customer: string | null;
  /** Spend limits of the caller, in addition to those of the gateway. */
  readonly limits: SpendLimits;
}

/** A key that callers send as `x-api-key`. */
export interface ApiKey {
  /** Spend limits and rate limits count by this name, and the journal stores it. */
  readonly name: string;
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. A key has 256 random bits, so it needs no slow hash. */
  readonly sha256: Secret;
  readonly limits: SpendLimits;
  readonly scopes: readonly AccessScope[];
  readonly tenant: string;
  /** Null for a key that is bound to no customer. */
  readonly customer: string | null;
}

/** A key that `npm run keys` made. */
export interface MadeKey extends ApiKey {
  /** The ten digits after `rg_`. They identify the key and are no secret. */
  readonly prefix: string;
  /** Null for a key that never expires. */
  readonly expiresAt: Date | null;
}

/** An issuer whose tokens (JWT) identify callers. */
export interface TokenIssuer {
  /** The prefix of its callers' names. */
  readonly name: string;
  /** The exact `iss` claim of its tokens. */
  readonly issuer: string;
  /** Where its public keys (JWKS) are read. */
  readonly jwks: { readonly url: string } | { readonly file: string };
  /** A token must name at least one of these. */
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** The claim with the scopes: a list, or a text with blanks between them. */
  readonly scopesClaim: string;
  /** The claim that binds a caller to a customer. */
  readonly customerClaim: { readonly name: string; readonly isRequired: boolean };
  /** The tenant of all its callers, or the claim that names it. */
  readonly tenant: string | { readonly claim: string };
  /** The spend limits of each of its callers. */
  readonly limits: SpendLimits;
}

/** The tenant of a gateway with one reseller account, and of credentials without a tenant. */
export const defaultTenant = 'default';

/** The caller when requests need no credential. */
export const anonymous: Caller = {
  name: null,
  tenant: defaultTenant,
  scopes: everyScope,
  customer: null,
  limits: {},
};

/** The name of the caller with a token of this subject: a short and plain one, else its hash, so that two subjects never have one name. */
export const tokenCallerName = (issuer: string, subject: string): string => {
  const isPlain = /^[A-Za-z0-9][\w.@|:-]{0,99}$/.test(subject);
  return `${issuer}:${isPlain ? subject : `~${hash('sha256', subject).slice(0, 32)}`}`;
};

/** Blanks of any width, and letters and symbols that look like one. */
const blankAtEnd =
  /^[\p{Zs}\u115f\u1160\u2800\u3164\uffa0]|[\p{Zs}\u115f\u1160\u2800\u3164\uffa0]$/u;

/** Whether a text has no control characters, no invisible ones, and no blanks at its ends. It may be empty. */
export const isPrintable = (text: string): boolean =>
  !/[\p{C}\p{Zl}\p{Zp}]/u.test(text) && !blankAtEnd.test(text);

/** Whether a text can name a customer: 1 to 64 printable characters in NFC, without blanks at its ends. */
export function isCustomer(text: string): boolean {
  if (text.length > 512) return false;
  const { length } = [...composed(text)];
  return length >= 1 && length <= 64 && isPrintable(text);
}

export const customerRule = '1 to 64 printable characters, without blanks at its ends';

/** The customer in NFC. @throws Fault `INVALID_INPUT` */
export function checkCustomer(text: string, path: readonly string[] = []): string {
  if (isCustomer(text)) return composed(text);
  throw invalidInput(`A customer has ${customerRule}; ${quoted(text)} is none.`, { path });
}

/**
 * The customer that a caller names, or else the one to which it is bound; null for the reseller.
 *
 * @throws Fault `FORBIDDEN` for another customer than that of the caller, `INVALID_INPUT` for text that names none
 */
export function ownerOf(
  caller: Pick<Caller, 'customer'>,
  customer: string | null | undefined,
  path: readonly string[],
): string | null {
  const owner = composed(customer) ?? caller.customer;
  if (caller.customer !== null && owner !== caller.customer) {
    const message = 'Your key or token is bound to another customer; leave "customer" out.';
    throw new Fault('FORBIDDEN', { message, path });
  }
  return owner === null ? null : checkCustomer(owner, path);
}

export const mayAny = (
  { scopes, customer }: Pick<Caller, 'scopes' | 'customer'>,
  needed: readonly AccessScope[],
): boolean =>
  needed.some((scope) => scopes.has(scope) && (customer === null || !accountScopes.has(scope)));

/** Whether a caller may read what the registrar charges. */
export const mayKnowCosts = ({ scopes }: Pick<Caller, 'scopes'>): boolean =>
  scopes.has('prices:cost');

/** The fault of a caller that is bound to a customer, for data of the whole account. */
export const needsUnbound = new Fault('FORBIDDEN', {
  message: 'This needs a key or token that is not bound to a customer.',
});

/** The fault of a caller that can use none of these scopes. */
export function forbidden(
  { scopes }: Pick<Caller, 'scopes'>,
  needed: readonly AccessScope[],
): Fault {
  if (needed.some((scope) => scopes.has(scope))) return needsUnbound;
  const names = needed.map((scope) => `"${scope}"`).join(' or ');
  return new Fault('FORBIDDEN', {
    message: `This needs the scope ${names}; your key or token does not have it.`,
  });
}
