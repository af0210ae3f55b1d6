import { defaultTenant } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { isOpenToRead } from './http-url.ts';
import type { MadeKey } from './keys-file.ts';
import { readSecretFile, type SecretFile, secretText } from './secret-file.ts';
import type { SettingName, Values } from './settings.ts';
import type { TenantRow } from './tenant-rows.ts';

/** One reseller account. */
export interface TenantConfig {
  /** What keys and tokens call it. */
  readonly name: string;
  readonly login: Login;
  /** Where its APIs are; null for those of the sandbox that is started along. */
  readonly urls: TenantUrls | null;
  /** Of this account alone; those of the gateway hold as well. */
  readonly spendLimits: SpendLimits;
}

export interface TenantUrls {
  readonly domainApiUrl: string;
  readonly accountApiUrl: string | null;
}

export interface Login {
  readonly username: Secret;
  readonly password: Secret;
  /** The files that the two were read from, which may change; null where there is none. */
  readonly usernameFile: string | null;
  readonly passwordFile: string | null;
}

interface Facts {
  readonly values: Values;
  /** The files that settings came from. */
  readonly files: Partial<Record<SettingName, string>>;
  /** The keys that were made so far. */
  readonly made: readonly MadeKey[];
}

const demoLogin = { username: 'demo', password: 'demo-password' };

/** Every reseller account, and one sentence for each thing that keeps one from being used. */
export function readTenants({ values, files, made }: Facts): {
  readonly tenants: readonly TenantConfig[];
  readonly problems: readonly string[];
} {
  const { TENANTS: rows } = values;
  if (!rows) {
    const problems = lostCallers(new Set([defaultTenant]), { values, made });
    return { tenants: [onlyTenant({ values, files })], problems };
  }
  const read = rows.map((row) => readTenant(row, values));
  const tenants = read.flatMap(({ tenant }) => tenant ?? []);
  return {
    tenants,
    problems: [
      ...besideThem(values),
      ...(files.TENANTS === undefined ? rows.flatMap(saysSecret) : []),
      ...rows.flatMap((row) => wrongUrls(row, values)),
      ...read.flatMap(({ problems }) => problems),
      ...sameUser(tenants),
      ...lostCallers(new Set(rows.map(({ name }) => name)), { values, made }),
    ],
  };
}

function onlyTenant({ values, files }: Omit<Facts, 'made'>): TenantConfig {
  return {
    name: defaultTenant,
    login: {
      username: new Secret(values.DOMAIN_API_USERNAME ?? demoLogin.username),
      password: new Secret(values.DOMAIN_API_PASSWORD ?? demoLogin.password),
      usernameFile: files.DOMAIN_API_USERNAME ?? null,
      passwordFile: files.DOMAIN_API_PASSWORD ?? null,
    },
    urls: urlsOf({}, values),
    spendLimits: {},
  };
}

type OwnUrls = Pick<TenantRow, 'domainApiUrl' | 'accountApiUrl'>;

/** A sandbox has its Account API beside the Domain API. */
function urlsOf(own: OwnUrls, values: Values): TenantUrls | null {
  const domainApiUrl = own.domainApiUrl ?? values.DOMAIN_API_URL;
  if (domainApiUrl === undefined) return null;
  const isSandbox = values.UPSTREAM === 'sandbox';
  const besideIt = isSandbox ? new URL('/account-api', domainApiUrl).href : null;
  return {
    domainApiUrl,
    accountApiUrl: own.accountApiUrl ?? values.ACCOUNT_API_URL ?? besideIt,
  };
}

function readTenant(row: TenantRow, values: Values) {
  const username = loginText(row.username, row.usernameFile);
  const password = loginText(row.password, row.passwordFile);
  if ('problem' in username || 'problem' in password) {
    const problems = [username, password].flatMap((one) =>
      'problem' in one ? `TENANTS: of "${row.name}" ${one.problem}.` : [],
    );
    return { tenant: null, problems };
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
    spendLimits: row.spendLimits ?? {},
  };
  return { tenant, problems: [] };
}

/** The problem completes "of <tenant> …". */
function loginText(text: string | undefined, file: string | undefined): SecretFile {
  if (text !== undefined || file === undefined) return { text: text ?? '' };
  const read = readSecretFile(file);
  if ('problem' in read) return { problem: `the file "${file}" ${read.problem}` };
  return secretText.safeParse(read.text).success
    ? read
    : { problem: `the file "${file}" holds more than one line, or more than 512 characters` };
}

const besideThem = ({ DOMAIN_API_USERNAME, DOMAIN_API_PASSWORD }: Values): readonly string[] =>
  (DOMAIN_API_USERNAME ?? DOMAIN_API_PASSWORD) === undefined
    ? []
    : [
        'TENANTS has the logins of all accounts; take DOMAIN_API_USERNAME and DOMAIN_API_PASSWORD away.',
      ];

/** A login in the environment itself is seen by whoever sees the environment. */
const saysSecret = ({ name, username, password }: TenantRow): readonly string[] =>
  (username ?? password) === undefined
    ? []
    : [
        `TENANTS: the login of "${name}" stands in the environment; name files with it by "usernameFile" and "passwordFile", or set TENANTS_FILE.`,
      ];

function wrongUrls({ name, domainApiUrl, accountApiUrl }: TenantRow, values: Values) {
  const isLive = values.UPSTREAM === 'live';
  if ((domainApiUrl ?? values.DOMAIN_API_URL) === undefined && isLive) {
    return [`TENANTS: "${name}" needs a "domainApiUrl", because DOMAIN_API_URL is not set.`];
  }
  if ((domainApiUrl ?? accountApiUrl) !== undefined && !isLive && !values.DOMAIN_API_URL) {
    return [
      `TENANTS: the URLs of "${name}" need UPSTREAM=live or DOMAIN_API_URL; without those, all accounts are of the sandbox started along.`,
    ];
  }
  const isOpen = [domainApiUrl, accountApiUrl].some((url) => url && isOpenToRead(url));
  return isLive && isOpen
    ? [
        `TENANTS: the URLs of "${name}" must begin with https: because a credential travels in every call.`,
      ]
    : [];
}

/** The journal knows an account by its user name, wherever that is one. */
function sameUser(tenants: readonly TenantConfig[]): readonly string[] {
  const byUser = Map.groupBy(tenants, ({ login }) => login.username.reveal());
  return [...byUser.values()]
    .filter((some) => some.length > 1)
    .map((some) => {
      const names = some.map(({ name }) => `"${name}"`).join(' and ');
      return `TENANTS: ${names} have the same user name, by which the journal tells accounts apart; keep one of them.`;
    });
}

/** Callers that would be of no account. */
function lostCallers(
  tenants: ReadonlySet<string>,
  { values, made }: Pick<Facts, 'values' | 'made'>,
): readonly string[] {
  const { API_KEY, API_KEYS = [], JWT_ISSUERS = [], AUTH } = values;
  const named = [
    ...API_KEYS.map(({ name, tenant }) => ({ what: `API_KEYS: the key "${name}"`, tenant })),
    ...made.map(({ name, tenant }) => ({ what: `The file of keys: the key "${name}"`, tenant })),
    // An issuer whose tokens name the account says it with each of them.
    ...JWT_ISSUERS.flatMap(({ name, tenant }) =>
      typeof tenant === 'string' ? { what: `JWT_ISSUERS: the issuer "${name}"`, tenant } : [],
    ),
  ];
  const lost = named.filter(({ tenant }) => !tenants.has(tenant) && tenant !== defaultTenant);
  const isAsked = AUTH !== 'open' && named.length + JWT_ISSUERS.length > 0;
  const isEachSaid = isAsked && API_KEY === undefined && named.every(isSaid);
  return [
    ...lost.map(
      ({ what, tenant }) => `${what} is for "${tenant}", which is no account of TENANTS.`,
    ),
    ...(isEachSaid || tenants.has(defaultTenant)
      ? []
      : [
          `TENANTS needs an account called "${defaultTenant}" for callers that name none; else give each key and issuer a "tenant", and set no API_KEY.`,
        ]),
  ];
}

const isSaid = ({ tenant }: { readonly tenant: string }) => tenant !== defaultTenant;
