import { Fault } from './faults.ts';
import type { SpendLimits } from './spend-limits.ts';

/** The access scopes and the fields that each one allows. */
export const accessScopes = {
  'domains:check': 'Availability, searches, TLDs and prices.',
  'domains:read': 'Domains, their lists and counts, without contacts and auth codes.',
  'contacts:read': 'The contacts of domains, their ids too.',
  'authcode:read': 'Auth codes, with which a domain can be taken away.',
  'domains:write': 'Name servers, privacy protection and synchronisation.',
  'domains:unlock': 'Removing the transfer lock, which cannot be set again here.',
  'domains:spend': "Registering and transferring domains, and the caller's own purchases.",
  'account:read': 'The reseller account and its balances.',
  'account:write': 'Carts and changes of hosting groups.',
  'account:danger': 'Deleting hosting groups and logs, and logging out.',
  ops: 'The purchases of all callers of the account.',
} as const satisfies Record<string, string>;

export type AccessScope = keyof typeof accessScopes;

export const allAccessScopes = Object.keys(accessScopes) as readonly AccessScope[];

export const isAccessScope = (text: string): text is AccessScope =>
  Object.hasOwn(accessScopes, text);

/** The authenticated sender of a request. Different objects are different callers, or one caller with changed rights. */
export interface Caller {
  /** Name of the API key or token, unique within the tenant; null when requests need no credential. */
  readonly name: string | null;
  /** Name of the tenant. */
  readonly tenant: string;
  readonly scopes: ReadonlySet<AccessScope>;
  /** Spend limits of the caller, in addition to those of the gateway. */
  readonly limits: SpendLimits;
}

/** The tenant of a gateway with one reseller account, and of credentials without a tenant. */
export const defaultTenant = 'default';

/** The caller when requests need no credential. */
export const anybody: Caller = {
  name: null,
  tenant: defaultTenant,
  scopes: new Set(allAccessScopes),
  limits: {},
};

export const mayAny = ({ scopes }: Caller, needed: readonly AccessScope[]): boolean =>
  needed.some((scope) => scopes.has(scope));

/** The fault of a caller that has none of these scopes. */
export function forbidden(needed: readonly AccessScope[]): Fault {
  const names = needed.map((scope) => `"${scope}"`).join(' or ');
  return new Fault('FORBIDDEN', {
    message: `This needs the scope ${names}; your key or token does not have it.`,
  });
}
