/** What a caller may be allowed; a caller without any of them may ask for nothing. */
const accessScopes = [
  'domains:check',
  'domains:read',
  'contacts:read',
  'authcode:read',
  'domains:write',
  'domains:unlock',
  'domains:spend',
  'account:read',
  'account:write',
  'account:danger',
  'ops',
] as const;
export type AccessScope = (typeof accessScopes)[number];

/** Whoever sent a request, as far as the gateway knows. */
export interface Caller {
  /** What purchases and limits are counted under, unique within its tenant; null where nobody is asked who they are. */
  readonly name: string | null;
  /** The reseller account that the caller uses, by its name here. */
  readonly tenant: string;
  readonly scopes: ReadonlySet<AccessScope>;
}

/** The name of the reseller account of a gateway that has one, and of callers that name none. */
export const defaultTenant = 'default';

/** The caller where nobody is asked who they are. */
export const anybody: Caller = {
  name: null,
  tenant: defaultTenant,
  scopes: new Set(accessScopes),
};
