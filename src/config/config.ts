import { join } from 'node:path';
import type { ApiKey, MadeKey, TokenIssuer } from '../kernel/caller.ts';
import { defaultHosts } from './addresses.ts';
import { plainKey } from './api-keys.ts';
import { KeysFileError, parseKeys, readKeysText } from './keys-file.ts';
import { readTexts, readValues } from './read-values.ts';
import { checkRules } from './rules.ts';
import { groupSettings, type Settings, type Values } from './settings.ts';
import { suggestSettings } from './suggestions.ts';
import { readTenants, type TenantConfig } from './tenants.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process. Nothing else reads it. */
const ofProcess: Environment = process.env;

/** Which clients are served: all, or those with a key or a token. */
export type AuthConfig = { readonly kind: 'open' } | KeysConfig;

export interface KeysConfig {
  readonly kind: 'keys';
  /** The keys of API_KEY and API_KEYS. */
  readonly keys: readonly ApiKey[];
  /** The file of the keys that `npm run keys` creates. It changes while the gateway runs. */
  readonly keysFile: string;
  readonly issuers: readonly TokenIssuer[];
}

/** The settings in their groups, and values that combine several settings. */
export interface Config extends Settings {
  readonly server: Settings['server'] & {
    readonly development: boolean;
    readonly allowedHosts: readonly string[];
  };
  /** Whether the upstream is a sandbox, where nothing costs real money. */
  readonly isSandbox: boolean;
  /** Whether this process starts and stops the sandbox. */
  readonly hasEmbeddedSandbox: boolean;
  /** At least one. */
  readonly tenants: readonly TenantConfig[];
  readonly auth: AuthConfig;
  /** One sentence for each setting that has no effect or looks misspelled. */
  readonly warnings: readonly string[];
}

/** The environment is invalid; `errors` has one sentence for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

/**
 * Reads and checks all settings. A blank value counts as absent.
 *
 * @throws ConfigError with all errors at once.
 */
export function readConfig(env: Environment = ofProcess): Config {
  const { texts, files, errors: fileErrors } = readTexts(env);
  const { values, invalid, errors: valueErrors } = readValues(texts);
  const { keys: made, errors: keysFileErrors } = readMadeKeys(keysFileOf(values));
  const rules = checkRules(values, invalid, made);
  const { tenants, errors: tenantErrors } = readTenants({ values, files, made });
  const errors = [
    ...fileErrors,
    ...valueErrors,
    ...keysFileErrors,
    ...rules.errors,
    // An invalid value can cause these, and is already reported.
    ...(valueErrors.length > 0 ? [] : tenantErrors),
  ];
  if (errors.length > 0) throw new ConfigError(errors);

  const settings = groupSettings(values);
  const isSandbox = values.UPSTREAM === 'sandbox';
  return {
    ...settings,
    server: {
      ...settings.server,
      development: values.DEVELOPMENT ?? isSandbox,
      allowedHosts: values.ALLOWED_HOSTS ?? defaultHosts(values.HOST),
    },
    isSandbox,
    hasEmbeddedSandbox: isSandbox && values.DOMAIN_API_URL === undefined,
    tenants,
    auth: authOf(values, made),
    warnings: [...rules.warnings, ...suggestSettings(namesOf(env))],
  };
}

const namesOf = (env: Environment) => Object.keys(env).filter((name) => env[name] !== undefined);

function authOf(values: Values, made: readonly MadeKey[]): AuthConfig {
  const { UPSTREAM, AUTH, JWT_ISSUERS: issuers = [] } = values;
  const keys = keysOf(values);
  const hasKey = keys.length + made.length + issuers.length > 0;
  const needsKey = AUTH ? AUTH === 'keys' : UPSTREAM === 'live' || hasKey;
  return needsKey
    ? { kind: 'keys', keys, keysFile: keysFileOf(values), issuers }
    : { kind: 'open' };
}

const keysOf = ({ API_KEY, API_KEYS = [] }: Values): readonly ApiKey[] => [
  ...(API_KEY === undefined ? [] : [plainKey(API_KEY)]),
  ...API_KEYS,
];

const keysFileOf = ({ KEYS_FILE, DATA_DIR }: Values): string =>
  KEYS_FILE ?? join(DATA_DIR, 'keys.json');

/** The keys of KEYS_FILE. An unusable file stops the start. */
function readMadeKeys(file: string): {
  readonly keys: readonly MadeKey[];
  readonly errors: readonly string[];
} {
  try {
    return { keys: parseKeys(readKeysText(file)), errors: [] };
  } catch (error) {
    if (!(error instanceof KeysFileError)) throw error;
    return { keys: [], errors: [error.message] };
  }
}

export interface KeySettings {
  readonly file: string;
  /** Names of keys in API_KEY and API_KEYS. */
  readonly taken: readonly string[];
}

/**
 * Reads where KEYS_FILE is, without the rules between settings: a live gateway does not start without a key, and `npm run
 * keys` creates the first one.
 *
 * @throws ConfigError when a setting is invalid.
 */
export function readKeySettings(env: Environment = ofProcess): KeySettings {
  const { texts, errors: fileErrors } = readTexts(env);
  const { values, errors: valueErrors } = readValues(texts);
  const errors = [...fileErrors, ...valueErrors];
  if (errors.length > 0) throw new ConfigError(errors);
  return { file: keysFileOf(values), taken: keysOf(values).map(({ name }) => name) };
}
