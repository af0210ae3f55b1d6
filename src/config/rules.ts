import { isLoopback } from '../kernel/loopback.ts';
import { defaultKeyName, plainKey } from './api-keys.ts';
import { isWildcard } from './hosts.ts';
import { isOpenToRead } from './http-url.ts';
import type { MadeKey } from './keys-file.ts';
import type { SettingName, Values } from './settings.ts';

interface Conflicts {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

interface Facts {
  readonly values: Values;
  readonly isLive: boolean;
  /** Whether nobody is asked for a key. */
  readonly isOpen: boolean;
  readonly has: (name: SettingName) => boolean;
  /** Whether there is anything that callers could show. */
  readonly hasKey: boolean;
  readonly made: readonly MadeKey[];
}

/** What must hold between settings: one sentence, or null where the rule is kept. */
type Rule = (facts: Facts) => string | null;

const keySettings = ['API_KEY', 'API_KEYS', 'JWT_ISSUERS'] as const;
const neededLive = ['DOMAIN_API_URL', 'DOMAIN_API_USERNAME', 'DOMAIN_API_PASSWORD'] as const;

const demands: readonly Rule[] = [
  ({ isLive, has }) => {
    const missing = neededLive.filter((name) => !has(name));
    return isLive && !has('TENANTS') && missing.length > 0
      ? `UPSTREAM=live needs ${missing.join(', ')}: the address of the real service and the login of the reseller account.`
      : null;
  },
  ({ isLive, has }) =>
    !isLive && has('ACCOUNT_API_URL') && !has('DOMAIN_API_URL')
      ? 'ACCOUNT_API_URL needs DOMAIN_API_URL beside it; without that, both APIs are those of the sandbox started along.'
      : null,
  ({ isLive, values }) => httpsOnly(isLive, 'DOMAIN_API_URL', values.DOMAIN_API_URL),
  ({ isLive, values }) => httpsOnly(isLive, 'ACCOUNT_API_URL', values.ACCOUNT_API_URL),
  ({ isOpen, values: { AUTH }, hasKey }) =>
    !isOpen && !hasKey
      ? `${AUTH ? 'AUTH=keys' : 'UPSTREAM=live'} needs something that callers can show: API_KEY, API_KEYS, JWT_ISSUERS, or a key that "npm run keys" makes.`
      : null,
  ({ isLive, values: { AUTH } }) =>
    isLive && AUTH === 'open'
      ? 'AUTH=open is for the sandbox: with UPSTREAM=live any page in a browser of this machine could spend. Take it away, and set API_KEY.'
      : null,
  ({ isOpen, values: { HOST } }) =>
    isOpen && !isLoopback(HOST)
      ? `HOST=${HOST} can be reached from outside, and nobody would be asked for a key: set AUTH=keys and API_KEY, or HOST=127.0.0.1.`
      : null,
  // It may be the real service, by mistake; what is open is a sandbox of this machine's own.
  ({ isLive, isOpen, values: { DOMAIN_API_URL } }) =>
    !isLive &&
    isOpen &&
    DOMAIN_API_URL !== undefined &&
    !isLoopback(new URL(DOMAIN_API_URL).hostname)
      ? 'DOMAIN_API_URL is of another machine, and nobody would be asked for a key: set UPSTREAM=live if the real service is there, or AUTH=keys and API_KEY if a sandbox is.'
      : null,
  ({ isLive, values: { PORT, SANDBOX_PORT }, has }) =>
    !isLive && !has('DOMAIN_API_URL') && PORT !== 0 && PORT === SANDBOX_PORT
      ? `PORT and SANDBOX_PORT are both ${PORT}; give one of them another number.`
      : null,
  ({ values: { API_KEY, API_KEYS = [] } }) =>
    API_KEY !== undefined && API_KEYS.some(({ name }) => name === defaultKeyName)
      ? `API_KEY is the key named "${defaultKeyName}", and API_KEYS has another of that name; rename that one.`
      : null,
  ({ values: { API_KEY, API_KEYS = [] } }) => {
    const digest = API_KEY === undefined ? null : plainKey(API_KEY).sha256.reveal();
    const same = API_KEYS.find(({ sha256 }) => sha256.reveal() === digest);
    return same
      ? `API_KEY is the key that API_KEYS calls "${same.name}"; keep it in one of the two.`
      : null;
  },
  ({ isOpen, values: { HOST }, has }) =>
    !isOpen && isWildcard(HOST) && !has('ALLOWED_HOSTS')
      ? `HOST=${HOST} stands for every address of this machine: set ALLOWED_HOSTS to the names by which callers reach the gateway.`
      : null,
  ({ values: { API_KEY, API_KEYS = [] }, made }) => {
    const taken = [...(API_KEY === undefined ? [] : [defaultKeyName]), ...API_KEYS.map(nameOf)];
    const twice = made.map(nameOf).find((name) => taken.includes(name));
    return twice
      ? `The file of keys has a key named "${twice}", and so have the settings; rename or revoke one.`
      : null;
  },
  ({ values: { DOCUMENT_MODE }, has }) =>
    DOCUMENT_MODE !== 'off' && !has('DOCUMENT_MANIFEST')
      ? `DOCUMENT_MODE=${DOCUMENT_MODE} needs DOCUMENT_MANIFEST: the file of the documents that clients may ask for.`
      : null,
];

const nameOf = ({ name }: { readonly name: string }) => name;

const doubts: readonly Rule[] = [
  ({ has }) =>
    has('REDIS_URL') && !has('DATABASE_URL')
      ? 'REDIS_URL is for several replicas, and they need DATABASE_URL too: without it each has a journal of its own.'
      : null,
  ({ isOpen, has }) =>
    has('ALLOWED_HOSTS') && isOpen
      ? 'ALLOWED_HOSTS has no effect: while AUTH is open, only the names of loopback are answered.'
      : null,
  ({ values: { AUTH }, has }) =>
    AUTH === 'open' && has('API_KEY') ? 'API_KEY has no effect, because AUTH is open.' : null,
  ({ values: { AUTH }, has }) =>
    AUTH === 'open' && has('API_KEYS') ? 'API_KEYS has no effect, because AUTH is open.' : null,
  ({ values: { AUTH }, has }) =>
    AUTH === 'open' && has('JWT_ISSUERS')
      ? 'JWT_ISSUERS has no effect, because AUTH is open.'
      : null,
  ({ values: { AUTH }, made }) =>
    AUTH === 'open' && made.length > 0
      ? 'The file of keys has no effect, because AUTH is open.'
      : null,
  ({ values: { SANDBOX_PORT }, isLive, has }) =>
    SANDBOX_PORT !== 4001 && (isLive || has('DOMAIN_API_URL'))
      ? 'SANDBOX_PORT has no effect, because no sandbox is started along.'
      : null,
];

/** Checks the rules between settings. A setting that was wrong by itself counts as given, so nothing is said twice. */
export function findConflicts(
  values: Values,
  wrong: ReadonlySet<SettingName>,
  made: readonly MadeKey[],
): Conflicts {
  if (wrong.has('UPSTREAM')) return { problems: [], warnings: [] };
  const has = (name: SettingName) => values[name] !== undefined || wrong.has(name);
  const isLive = values.UPSTREAM === 'live';
  const hasKey = keySettings.some(has) || made.length > 0;
  const isOpen = (values.AUTH ?? (isLive || hasKey ? 'keys' : 'open')) === 'open';
  const facts = { values, isLive, isOpen, has, hasKey, made };
  const said = (rules: readonly Rule[]) => rules.flatMap((rule) => rule(facts) ?? []);
  return {
    // Where AUTH itself is wrong no rule guesses what was meant.
    problems: said(wrong.has('AUTH') ? demands.slice(0, 4) : demands),
    warnings: said(doubts),
  };
}

function httpsOnly(isLive: boolean, name: SettingName, url: string | undefined): string | null {
  return isLive && url !== undefined && isOpenToRead(url)
    ? `${name} must begin with https: because a credential travels in every call.`
    : null;
}
