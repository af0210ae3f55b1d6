import { Fault } from './faults.ts';
import type { SpendLimits } from './spend-limits.ts';

/** Each scope with what it allows. A caller without any of them may ask for nothing. */
export const accessScopes = {
  'domains:check': 'Availability, searches, TLDs and prices.',
  'domains:read': 'Domains, their lists and counts, without contacts and auth codes.',
  'contacts:read': 'The contacts of domains, their ids too.',
  'authcode:read': 'Auth codes, with which a domain can be taken away.',
  'domains:write': 'Name servers, privacy protection and synchronisation.',
  'domains:unlock': 'Removing the transfer lock, which cannot be set again here.',
  'domains:spend': "Registering and transferring domains, and the caller's own operations.",
  'account:read': 'The reseller account and its balances.',
  'account:write': 'Carts and changes of hosting groups.',
  'account:danger': 'Deleting hosting groups and logs, and logging out.',
  ops: "Everyone's operations.",
} as const satisfies Record<string, string>;

export type AccessScope = keyof typeof accessScopes;

export const allAccessScopes = Object.keys(accessScopes) as readonly AccessScope[];

export const isAccessScope = (text: string): text is AccessScope =>
  Object.hasOwn(accessScopes, text);

/** Whoever sent a request, as far as the gateway knows. Another object is another caller, or one with other rights. */
export interface Caller {
  /** What purchases and limits are counted under, unique within its tenant; null where nobody is asked who they are. */
  readonly name: string | null;
  /** The reseller account that the caller uses, by its name here. */
  readonly tenant: string;
  readonly scopes: ReadonlySet<AccessScope>;
  /** Of what it buys; those of the gateway hold too. */
  readonly limits: SpendLimits;
}

/** The name of the reseller account of a gateway that has one, and of callers that name none. */
export const defaultTenant = 'default';

/** The caller where nobody is asked who they are. */
export const anybody: Caller = {
  name: null,
  tenant: defaultTenant,
  scopes: new Set(allAccessScopes),
  limits: {},
};

export const mayAny = ({ scopes }: Caller, needed: readonly AccessScope[]): boolean =>
  needed.some((scope) => scopes.has(scope));

/** Says which of these scopes a caller would need, of which one is enough. */
export function forbidden(needed: readonly AccessScope[]): Fault {
  const names = needed.map((scope) => `"${scope}"`).join(' or ');
  return new Fault('FORBIDDEN', {
    message: `This needs the scope ${names}; your key or token does not have it.`,
  });
}
