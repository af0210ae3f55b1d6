import type { MadeKey } from '../kernel/caller.ts';
import { isLoopback } from '../lib/loopback.ts';
import { isUnencrypted, isWildcard } from './addresses.ts';
import { defaultKeyName, plainKey } from './api-keys.ts';
import type { SettingName, Values } from './settings.ts';

interface RuleInput {
  readonly values: Values;
  readonly isLive: boolean;
  /** Whether clients need no credentials. */
  readonly isOpen: boolean;
  /** Whether a setting is present, valid or not. */
  readonly has: (name: SettingName) => boolean;
  /** Whether any key or issuer is configured. */
  readonly hasKey: boolean;
  /** The keys of KEYS_FILE. */
  readonly made: readonly MadeKey[];
}

/** A rule between settings: one sentence when it is broken, else null. */
type Rule = (input: RuleInput) => string | null;

const keySettings = ['API_KEY', 'API_KEYS', 'JWT_ISSUERS'] as const;
const liveSettings = ['DOMAIN_API_URL', 'DOMAIN_API_USERNAME', 'DOMAIN_API_PASSWORD'] as const;

const errors: readonly Rule[] = [
  ({ isLive, has }) => {
    const missing = liveSettings.filter((name) => !has(name));
    return isLive && !has('TENANTS') && missing.length > 0
      ? `UPSTREAM=live requires ${missing.join(', ')}: the URL of the registrar's API and the login there.`
      : null;
  },
  ({ isLive, has }) =>
    !isLive && has('ACCOUNT_API_URL') && !has('DOMAIN_API_URL')
      ? 'ACCOUNT_API_URL requires DOMAIN_API_URL; without it both APIs are those of the embedded sandbox.'
      : null,
  ({ isLive, values }) => httpsOnly(isLive, 'DOMAIN_API_URL', values.DOMAIN_API_URL),
  ({ isLive, values }) => httpsOnly(isLive, 'ACCOUNT_API_URL', values.ACCOUNT_API_URL),
  ({ isLive, values: { PORT, SANDBOX_PORT }, has }) =>
    !isLive && !has('DOMAIN_API_URL') && PORT !== 0 && PORT === SANDBOX_PORT
      ? `PORT and SANDBOX_PORT are both ${PORT}; change one of them.`
      : null,
  ({ values: { API_KEY, API_KEYS = [] } }) =>
    API_KEY !== undefined && API_KEYS.some(({ name }) => name === defaultKeyName)
      ? `API_KEY is named "${defaultKeyName}", and API_KEYS has a key of the same name; rename that key.`
      : null,
  ({ values: { API_KEY, API_KEYS = [] } }) => {
    const digest = API_KEY === undefined ? null : plainKey(API_KEY).sha256.reveal();
    const same = API_KEYS.find(({ sha256 }) => sha256.reveal() === digest);
    return same
      ? `API_KEY is the same key as "${same.name}" of API_KEYS; remove one of the two.`
      : null;
  },
  ({ values: { API_KEY, API_KEYS = [] }, made }) => {
    const taken = [...(API_KEY === undefined ? [] : [defaultKeyName]), ...API_KEYS.map(nameOf)];
    const twice = made.map(nameOf).find((name) => taken.includes(name));
    return twice
      ? `The key "${twice}" is in KEYS_FILE and in the settings; rename or revoke one of the two.`
      : null;
  },
  ({ values: { DOCUMENT_MODE }, has }) =>
    DOCUMENT_MODE !== 'off' && !has('DOCUMENT_MANIFEST')
      ? `DOCUMENT_MODE=${DOCUMENT_MODE} requires DOCUMENT_MANIFEST: the file of the documents that clients may request.`
      : null,
];

/** These depend on AUTH, and are skipped while AUTH itself is invalid. */
const accessErrors: readonly Rule[] = [
  ({ isOpen, values: { AUTH }, hasKey }) =>
    !isOpen && !hasKey
      ? `${AUTH ? 'AUTH=keys' : 'UPSTREAM=live'} requires credentials for clients: API_KEY, API_KEYS, JWT_ISSUERS, or a key of "npm run keys".`
      : null,
  ({ isLive, values: { AUTH } }) =>
    isLive && AUTH === 'open'
      ? 'AUTH=open works only with the sandbox; with UPSTREAM=live any page in a local browser could make purchases. Remove it, and set API_KEY.'
      : null,
  ({ isOpen, values: { HOST } }) =>
    isOpen && !isLoopback(HOST)
      ? `HOST=${HOST} is reachable from other machines without credentials; set AUTH=keys and API_KEY, or HOST=127.0.0.1.`
      : null,
  // The URL may be that of the real registrar by mistake. Open access is for a local sandbox only.
  ({ isLive, isOpen, values: { DOMAIN_API_URL } }) =>
    !isLive &&
    isOpen &&
    DOMAIN_API_URL !== undefined &&
    !isLoopback(new URL(DOMAIN_API_URL).hostname)
      ? 'DOMAIN_API_URL is on another machine, and clients need no credentials; set UPSTREAM=live for the real registrar, or AUTH=keys and API_KEY for a sandbox.'
      : null,
  ({ isOpen, values: { HOST }, has }) =>
    !isOpen && isWildcard(HOST) && !has('ALLOWED_HOSTS')
      ? `HOST=${HOST} is a wildcard address; set ALLOWED_HOSTS to the host names of the gateway.`
      : null,
];

const warnings: readonly Rule[] = [
  ({ has }) =>
    has('REDIS_URL') && !has('DATABASE_URL')
      ? 'REDIS_URL is for several replicas, which also need DATABASE_URL; without it each has its own journal.'
      : null,
  ({ isOpen, has }) =>
    has('ALLOWED_HOSTS') && isOpen
      ? 'ALLOWED_HOSTS has no effect: while AUTH is open, only loopback names are accepted.'
      : null,
  ...keySettings.map(
    (name): Rule =>
      ({ values: { AUTH }, has }) =>
        AUTH === 'open' && has(name) ? `${name} has no effect while AUTH is open.` : null,
  ),
  ({ values: { AUTH }, made }) =>
    AUTH === 'open' && made.length > 0 ? 'KEYS_FILE has no effect while AUTH is open.' : null,
  ({ values: { SANDBOX_PORT }, isLive, has }) =>
    SANDBOX_PORT !== 4001 && (isLive || has('DOMAIN_API_URL'))
      ? 'SANDBOX_PORT has no effect: no sandbox is started.'
      : null,
];

/** Checks the rules between settings. An invalid setting counts as present, so that nothing is reported twice. */
export function checkRules(
  values: Values,
  invalid: ReadonlySet<SettingName>,
  made: readonly MadeKey[],
): { readonly errors: readonly string[]; readonly warnings: readonly string[] } {
  if (invalid.has('UPSTREAM')) return { errors: [], warnings: [] };
  const has = (name: SettingName) => values[name] !== undefined || invalid.has(name);
  const isLive = values.UPSTREAM === 'live';
  const hasKey = keySettings.some(has) || made.length > 0;
  const isOpen = (values.AUTH ?? (isLive || hasKey ? 'keys' : 'open')) === 'open';
  const input = { values, isLive, isOpen, has, hasKey, made };
  const broken = (rules: readonly Rule[]) => rules.flatMap((rule) => rule(input) ?? []);
  return {
    errors: [...broken(errors), ...(invalid.has('AUTH') ? [] : broken(accessErrors))],
    warnings: broken(warnings),
  };
}

const nameOf = ({ name }: { readonly name: string }) => name;

function httpsOnly(isLive: boolean, name: SettingName, url: string | undefined): string | null {
  return isLive && url !== undefined && isUnencrypted(url)
    ? `${name} must be an https URL, because every call sends credentials.`
    : null;
}
