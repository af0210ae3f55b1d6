import { defaultTenant, type MadeKey } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { isUnencrypted } from '../lib/addresses.ts';
import type { TenantRow } from './credentials.ts';
import { readLoginFile, readUserNameFile, type SecretFile } from './secret-file.ts';
import type { SettingName, Values } from './settings.ts';

/** One login at the registrar. */
export interface TenantConfig {
  /** The name that keys and tokens refer to. */
  readonly name: string;
  readonly login: TenantLogin;
  /** The URLs of its APIs; null for those of the embedded sandbox. */
  readonly urls: TenantUrls | null;
  /** Of this tenant; the limits of the gateway apply as well. */
  readonly spendLimits: SpendLimits;
}

export interface TenantUrls {
  readonly domainApiUrl: string;
  readonly accountApiUrl: string | null;
}

interface TenantLogin {
  readonly username: Secret;
  readonly password: Secret;
  /** The files that the two were read from; null for a login of the environment. */
  readonly usernameFile: string | null;
  readonly passwordFile: string | null;
}

interface TenantInput {
  readonly values: Values;
  /** The files that settings were read from. */
  readonly files: Partial<Record<SettingName, string>>;
  /** The keys of KEYS_FILE. */
  readonly made: readonly MadeKey[];
}

/** All tenants, and one sentence for each error in their configuration. */
export function readTenants(input: TenantInput): {
  readonly tenants: readonly TenantConfig[];
  readonly errors: readonly string[];
} {
  const { values } = input;
  const { TENANTS: listed = [], DOMAIN_API_USERNAME, DOMAIN_API_PASSWORD } = values;
  const rows = values.TENANTS ?? [singleTenant(input)];
  const read = rows.map((row) => readTenant(row, values));
  const tenants = read.flatMap(({ tenant }) => tenant ?? []);
  const errors = [
    ...listed.flatMap((row) => rowErrors(row, input)),
    ...read.flatMap((one) => one.errors),
    ...sameUser(tenants),
    ...unknownTenants(new Set(rows.map(({ name }) => name)), input),
  ];
  if (values.TENANTS && (DOMAIN_API_USERNAME ?? DOMAIN_API_PASSWORD) !== undefined) {
    errors.unshift(
      'TENANTS has the logins of all tenants; remove DOMAIN_API_USERNAME and DOMAIN_API_PASSWORD.',
    );
  }
  return { tenants, errors };
}

/** The tenant of a gateway without TENANTS. Its files are read already. */
const singleTenant = ({ values, files }: TenantInput): TenantRow => ({
  name: defaultTenant,
  username: values.DOMAIN_API_USERNAME ?? 'demo',
  password: values.DOMAIN_API_PASSWORD ?? 'demo-password',
  usernameFile: files.DOMAIN_API_USERNAME,
  passwordFile: files.DOMAIN_API_PASSWORD,
  spendLimits: {},
});

/** The Account API of a sandbox is at a fixed path beside its Domain API. */
function urlsOf(
  own: Pick<TenantRow, 'domainApiUrl' | 'accountApiUrl'>,
  values: Values,
): TenantUrls | null {
  const domainApiUrl = own.domainApiUrl ?? values.DOMAIN_API_URL;
  if (domainApiUrl === undefined) return null;
  const isSandbox = values.UPSTREAM === 'sandbox';
  const ofSandbox = isSandbox ? new URL('/account-api', domainApiUrl).href : null;
  return {
    domainApiUrl,
    accountApiUrl: own.accountApiUrl ?? values.ACCOUNT_API_URL ?? ofSandbox,
  };
}

function readTenant(row: TenantRow, values: Values) {
  const username = loginText(row.username, row.usernameFile, readUserNameFile);
  const password = loginText(row.password, row.passwordFile, readLoginFile);
  if ('problem' in username || 'problem' in password) {
    const errors = [username, password].flatMap((one) =>
      'problem' in one ? `TENANTS: "${row.name}": ${one.problem}.` : [],
    );
    return { tenant: null, errors };
  }
  const tenant: TenantConfig = {
    name: row.name,
    login: {
      username: new Secret(username.text),
      password: new Secret(password.text),
      usernameFile: row.usernameFile ?? null,
      passwordFile: row.passwordFile ?? null,
    },
    urls: urlsOf(row, values),
    spendLimits: row.spendLimits,
  };
  return { tenant, errors: [] };
}

/** The problem completes "<tenant>: …". */
function loginText(
  text: string | undefined,
  file: string | undefined,
  readFile: (file: string) => SecretFile,
): SecretFile {
  if (text !== undefined) return { text };
  // One of the two is set.
  const read = readFile(file ?? '');
  return 'problem' in read ? { problem: `the file "${file}" ${read.problem}` } : read;
}

/** Broken rules between a row of TENANTS and the settings. */
function rowErrors(row: TenantRow, { values, files }: TenantInput): readonly string[] {
  const { name, username, password, domainApiUrl, accountApiUrl } = row;
  const { DOMAIN_API_URL } = values;
  const isLive = values.UPSTREAM === 'live';
  return [
    // The environment of a process is easier to read than a secret file.
    files.TENANTS === undefined &&
      (username ?? password) !== undefined &&
      `the login of "${name}" is in the environment; use "usernameFile" and "passwordFile", or TENANTS_FILE`,
    isLive &&
      (domainApiUrl ?? DOMAIN_API_URL) === undefined &&
      `"${name}" requires a "domainApiUrl", because DOMAIN_API_URL is not set`,
    !isLive &&
      !DOMAIN_API_URL &&
      (domainApiUrl ?? accountApiUrl) !== undefined &&
      `the URLs of "${name}" require UPSTREAM=live or DOMAIN_API_URL; without them all tenants use the embedded sandbox`,
    isLive &&
      [domainApiUrl, accountApiUrl].some(isUnencrypted) &&
      `the URLs of "${name}" must be https URLs, because every call sends credentials`,
  ].flatMap((rule) => (rule === false ? [] : `TENANTS: ${rule}.`));
}

/** The journal identifies a tenant by its user name, at any URL. */
function sameUser(tenants: readonly TenantConfig[]): readonly string[] {
  const byUser = Map.groupBy(tenants, ({ login }) => login.username.reveal());
  return [...byUser.values()]
    .filter((some) => some.length > 1)
    .map((some) => {
      const names = some.map(({ name }) => `"${name}"`).join(' and ');
      return `TENANTS: ${names} have the same user name, which identifies a tenant in the journal; remove one of them.`;
    });
}

/** Keys and issuers whose tenant does not exist. */
function unknownTenants(
  tenants: ReadonlySet<string>,
  { values, made }: TenantInput,
): readonly string[] {
  const { API_KEY, API_KEYS = [], JWT_ISSUERS = [], AUTH } = values;
  const named = [
    ...API_KEYS.map(({ name, tenant }) => ({ owner: `API_KEYS: the key "${name}"`, tenant })),
    ...made.map(({ name, tenant }) => ({ owner: `KEYS_FILE: the key "${name}"`, tenant })),
    // With `tenantClaim` each token names its tenant.
    ...JWT_ISSUERS.flatMap(({ name, tenant }) =>
      typeof tenant === 'string' ? { owner: `JWT_ISSUERS: the issuer "${name}"`, tenant } : [],
    ),
  ];
  const hasCredentials = AUTH !== 'open' && named.length + JWT_ISSUERS.length > 0;
  const usesDefault =
    !hasCredentials ||
    API_KEY !== undefined ||
    named.some(({ tenant }) => tenant === defaultTenant);
  const errors = named
    .filter(({ tenant }) => !tenants.has(tenant) && tenant !== defaultTenant)
    .map(({ owner, tenant }) => `${owner} has the tenant "${tenant}", which is not in TENANTS.`);
  if (usesDefault && !tenants.has(defaultTenant)) {
    errors.push(
      `TENANTS requires a tenant "${defaultTenant}" for clients without one; or give each key and issuer a "tenant", and remove API_KEY.`,
    );
  }
  return errors;
}
