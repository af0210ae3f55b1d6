import { join } from 'node:path';
import type { ApiKey, MadeKey, TokenIssuer } from '../kernel/caller.ts';
import { defaultHosts, isRemote } from '../lib/addresses.ts';
import { plainKey } from './credentials.ts';
import type { FeatureSettings, FeatureValues } from './feature-settings.ts';
import { KeysFileError, parseKeys, readKeysText } from './keys-file.ts';
import { type Environment, fileNameOf, readValues, suggestSettings } from './read-values.ts';
import { checkRules } from './rules.ts';
import {
  groupSettings,
  type Setting,
  type Settings,
  settingsWith,
  type Values,
} from './settings.ts';
import { readTenants, type TenantConfig } from './tenants.ts';
import { traceExportOf } from './trace-settings.ts';

/** The environment of this process. Nothing else reads it. */
const ofProcess: Environment = process.env;

/** Which clients are served: all, or those with a key or a token. */
export type AuthConfig = { readonly kind: 'open' } | KeysConfig;

interface KeysConfig {
  readonly kind: 'keys';
  readonly keys: readonly ApiKey[];
  /** The file of the keys that `npm run keys` creates. It changes while the gateway runs. */
  readonly keysFile: string;
  readonly issuers: readonly TokenIssuer[];
}

/** The settings in their groups, and values that combine several settings. */
export interface Config extends Settings, FeatureValues {
  readonly server: Settings['server'] & {
    readonly development: boolean;
    readonly introspection: 'caller' | 'off';
    readonly allowedHosts: readonly string[];
  };
  /** Whether the upstream is a sandbox, where nothing costs real money. */
  readonly isSandbox: boolean;
  /** Whether this process starts and stops the sandbox. */
  readonly hasEmbeddedSandbox: boolean;
  /** Whether the upstream may be a real registrar. */
  readonly mayBeReal: boolean;
  /** At least one. */
  readonly tenants: readonly TenantConfig[];
  readonly auth: AuthConfig;
  /** Null when no traces are exported. */
  readonly traceExport: ReturnType<typeof traceExportOf>;
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

export interface ReadOptions {
  /** The errors of the caller's own checks. */
  readonly refused?: readonly string[];
  /** Whether a client must have credentials. Default true. */
  readonly needsKey?: boolean;
  /** The settings of the features that this environment selects, and the errors of the selection. */
  readonly featuresOf?: (env: Environment) => {
    readonly features: readonly FeatureSettings[];
    readonly errors: readonly string[];
  };
}

const noFeatures = () => ({ features: [], errors: [] });

/**
 * Reads and checks all settings. A blank value counts as absent.
 *
 * @throws ConfigError with all errors at once.
 */
export function readConfig(
  env: Environment = ofProcess,
  { refused = [], needsKey = true, featuresOf = noFeatures }: ReadOptions = {},
): Config {
  const { features, errors: selection } = featuresOf(env);
  const known = settingsWith(features);
  const { values, files, invalid, errors } = readValues(env, known);
  errors.unshift(...refused, ...selection);
  let made: readonly MadeKey[] = [];
  try {
    made = parseKeys(readKeysText(keysFileOf(values)));
  } catch (error) {
    if (!(error instanceof KeysFileError)) throw error;
    errors.push(error.message);
  }
  const { tenants, errors: tenantErrors } = readTenants({ values, files, made });
  const isSandbox = values.UPSTREAM === 'sandbox';
  const hasEmbeddedSandbox = isSandbox && values.DOMAIN_API_URL === undefined;
  const mayBeReal = !isSandbox || tenants.some(({ urls }) => urls && isRemote(urls.domainApiUrl));
  const upstream = { hasEmbeddedSandbox, mayBeReal };
  const rules = checkRules({ values, invalid, features, upstream }, made, needsKey);
  // An invalid value can cause errors of tenants, and is already reported.
  errors.push(...rules.errors, ...(invalid.size > 0 ? [] : tenantErrors));
  if (errors.length > 0) throw new ConfigError(errors);

  const settings = groupSettings(values);
  const development = values.DEVELOPMENT ?? isSandbox;
  const { JWT_ISSUERS: issuers = [] } = values;
  return {
    ...settings,
    featureValues: Object.fromEntries(
      features.flatMap(({ rows }) => Object.keys(rows).map((name) => [name, values[name]])),
    ),
    server: {
      ...settings.server,
      development,
      introspection: values.INTROSPECTION ?? (development ? 'caller' : 'off'),
      allowedHosts: values.ALLOWED_HOSTS ?? defaultHosts(values.HOST),
    },
    isSandbox,
    hasEmbeddedSandbox,
    mayBeReal,
    tenants,
    auth: rules.isOpen
      ? { kind: 'open' }
      : { kind: 'keys', keys: keysOf(values), keysFile: keysFileOf(values), issuers },
    traceExport: traceExportOf(values),
    warnings: [...rules.warnings, ...suggestSettings(env, known)],
  };
}

const keysOf = ({ API_KEY, API_KEYS = [] }: Values): readonly ApiKey[] => [
  ...(API_KEY === undefined ? [] : [plainKey(API_KEY)]),
  ...API_KEYS,
];

const keysFileOf = ({ KEYS_FILE, DATA_DIR }: Values): string =>
  KEYS_FILE ?? join(DATA_DIR, 'keys.json');

export type StoredSettings = ReturnType<typeof readStoredSettings>;

/**
 * Reads what a backup holds, without the rules between settings: a restored machine may not have its secrets yet.
 *
 * @throws ConfigError when a setting is invalid.
 */
export function readStoredSettings(known: readonly Setting[], env: Environment = ofProcess) {
  const { values, errors } = readValues(env, known);
  if (errors.length > 0) throw new ConfigError(errors);
  const set = known.filter(
    ({ name, secret }) => env[name]?.trim() || (secret && env[fileNameOf(name)]?.trim()),
  );
  const isFile = ({ name, namesFile }: Setting) => namesFile?.(String(values[name])) === true;
  return {
    storage: groupSettings(values).storage,
    isSandbox: values.UPSTREAM === 'sandbox',
    /** The paths of files by the setting that names each. The file of keys may not exist. */
    files: {
      ...Object.fromEntries(set.filter(isFile).map(({ name }) => [name, String(values[name])])),
      KEYS_FILE: keysFileOf(values),
    },
    /** The names of the other settings that are set. */
    others: set.filter((one) => !isFile(one)).map(({ name }) => name),
  };
}

export type KeySettings = ReturnType<typeof readKeySettings>;

/**
 * Reads where KEYS_FILE is, without the rules between settings: a live gateway does not start without a key, and `npm run
 * keys` creates the first one.
 *
 * @throws ConfigError when a setting is invalid.
 */
export function readKeySettings(env: Environment = ofProcess) {
  const { values, errors } = readValues(env, settingsWith([]));
  if (errors.length > 0) throw new ConfigError(errors);
  /** Names of keys in API_KEY and API_KEYS. */
  const taken = keysOf(values).map(({ name }) => name);
  return {
    file: keysFileOf(values),
    taken,
    /** Whether the file may be the one of this replica alone, which other replicas do not read. */
    isOfOneReplica: values.DATABASE_URL !== undefined && values.KEYS_FILE === undefined,
  };
}
