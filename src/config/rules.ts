import { defaultTenant, type MadeKey } from '../kernel/caller.ts';
import { isLoopback, isUnencrypted, isWildcard } from '../lib/addresses.ts';
import { defaultKeyName, plainKey } from './credentials.ts';
import type { FeatureSettings, SettingRules, UpstreamFacts } from './feature-settings.ts';
import type { Values } from './settings.ts';
import { traceExportOf } from './trace-settings.ts';

type RuleInput = ReturnType<typeof describe> & { readonly needsKey: boolean };

const keySettings = ['API_KEY', 'API_KEYS', 'JWT_ISSUERS'] as const;
const liveSettings = ['DOMAIN_API_URL', 'DOMAIN_API_USERNAME', 'DOMAIN_API_PASSWORD'] as const;

/**
 * Checks the rules between settings. An invalid setting counts as present, so that nothing is reported twice. Without
 * `needsKey` no client needs to have credentials.
 */
export function checkRules(
  { values, invalid, features, upstream }: ReadSettings,
  made: readonly MadeKey[],
  needsKey: boolean,
) {
  const input = { ...describe(values, invalid, made), ...upstream, needsKey };
  const { isOpen } = input;
  if (invalid.has('UPSTREAM')) return { errors: [], warnings: [], isOpen };
  const broken = (rules: SettingRules) => rules.filter((sentence) => sentence !== false);
  const ofFeatures = features.flatMap((one) => one.check?.(values, input) ?? []);
  return {
    errors: broken([
      ...upstreamErrors(input),
      ...keyErrors(input),
      ...traceErrors(input),
      ...(invalid.has('AUTH') ? [] : accessErrors(input)),
      ...ofFeatures.flatMap(({ errors = [] }) => errors),
    ]),
    warnings: broken([...warnings(input), ...ofFeatures.flatMap((one) => one.warnings ?? [])]),
    isOpen,
  };
}

interface ReadSettings {
  readonly values: Values & Readonly<Record<string, unknown>>;
  readonly invalid: ReadonlySet<string>;
  readonly features: readonly FeatureSettings[];
  readonly upstream: UpstreamFacts;
}

function describe(
  values: ReadSettings['values'],
  invalid: ReadSettings['invalid'],
  made: readonly MadeKey[],
) {
  /** Whether a setting is present, valid or not. */
  const has = (name: string) => values[name] !== undefined || invalid.has(name);
  const isLive = values.UPSTREAM === 'live';
  /** Whether any key or issuer is configured. */
  const hasKey = keySettings.some(has) || made.length > 0;
  /** Whether clients need no credentials. */
  const isOpen = (values.AUTH ?? (isLive || hasKey ? 'keys' : 'open')) === 'open';
  const { TENANTS } = values;
  const tenants = invalid.has('TENANTS')
    ? null
    : (TENANTS?.map(({ name }) => name) ?? [defaultTenant]);
  return { values, made, has, isLive, hasKey, isOpen, tenants };
}

function upstreamErrors({ values, isLive, has }: RuleInput): SettingRules {
  const { PORT, SANDBOX_PORT, DOCUMENT_MODE } = values;
  const missing = liveSettings.filter((name) => !has(name));
  return [
    isLive &&
      !has('TENANTS') &&
      missing.length > 0 &&
      `UPSTREAM=live requires ${missing.join(', ')}: the URL of the registrar's API and the login there.`,
    !isLive &&
      has('ACCOUNT_API_URL') &&
      !has('DOMAIN_API_URL') &&
      'ACCOUNT_API_URL requires DOMAIN_API_URL; without it both APIs are those of the embedded sandbox.',
    ...(['DOMAIN_API_URL', 'ACCOUNT_API_URL'] as const).map(
      (name) =>
        isLive &&
        isUnencrypted(values[name]) &&
        `${name} must be an https URL, because every call sends credentials.`,
    ),
    !isLive &&
      !has('DOMAIN_API_URL') &&
      PORT !== 0 &&
      PORT === SANDBOX_PORT &&
      `PORT and SANDBOX_PORT are both ${PORT}; change one of them.`,
    DOCUMENT_MODE !== 'off' &&
      !has('DOCUMENT_MANIFEST') &&
      `DOCUMENT_MODE=${DOCUMENT_MODE} requires DOCUMENT_MANIFEST: the file of the documents that clients may request.`,
  ];
}

function keyErrors({ values: { API_KEY, API_KEYS = [] }, made }: RuleInput): SettingRules {
  const plain = API_KEY === undefined ? null : plainKey(API_KEY);
  const same = API_KEYS.find(({ sha256 }) => sha256.reveal() === plain?.sha256.reveal());
  const taken = [...API_KEYS, ...(plain ? [plain] : [])].map(({ name }) => name);
  const twice = made.find(({ name }) => taken.includes(name));
  return [
    plain !== null &&
      API_KEYS.some(({ name }) => name === defaultKeyName) &&
      `API_KEY is named "${defaultKeyName}", and API_KEYS has a key of the same name; rename that key.`,
    same !== undefined &&
      `API_KEY is the same key as "${same.name}" of API_KEYS; remove one of the two.`,
    twice !== undefined &&
      `The key "${twice.name}" is in KEYS_FILE and in the settings; rename or revoke one of the two.`,
  ];
}

const traceErrors = ({ values }: RuleInput): SettingRules => [
  traceExportOf(values) !== null &&
    values.OTEL_EXPORTER_OTLP_PROTOCOL === 'grpc' &&
    'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported; set http/json, and the port of the collector for HTTP, which is usually 4318.',
];

/** These depend on AUTH. */
function accessErrors({ values, isLive, isOpen, hasKey, needsKey, has }: RuleInput): SettingRules {
  const { AUTH, HOST, DOMAIN_API_URL } = values;
  return [
    needsKey &&
      !isOpen &&
      !hasKey &&
      `${AUTH ? 'AUTH=keys' : 'UPSTREAM=live'} requires credentials for clients: API_KEY, API_KEYS, JWT_ISSUERS, or a key of the command "keys".`,
    isLive &&
      AUTH === 'open' &&
      'AUTH=open works only with the sandbox; with UPSTREAM=live any page in a local browser could make purchases. Remove it, and set API_KEY.',
    isOpen &&
      !isLoopback(HOST) &&
      `HOST=${HOST} is reachable from other machines without credentials; set AUTH=keys and API_KEY, or HOST=127.0.0.1.`,
    // The URL may be that of the real registrar by mistake. Open access is for a local sandbox only.
    !isLive &&
      isOpen &&
      DOMAIN_API_URL !== undefined &&
      !isLoopback(new URL(DOMAIN_API_URL).hostname) &&
      'DOMAIN_API_URL is on another machine, and clients need no credentials; set UPSTREAM=live for the real registrar, or AUTH=keys and API_KEY for a sandbox.',
    !isOpen &&
      isWildcard(HOST) &&
      !has('ALLOWED_HOSTS') &&
      `HOST=${HOST} is a wildcard address; set ALLOWED_HOSTS to the host names of the gateway.`,
  ];
}

const warnings = ({
  values: { AUTH, SANDBOX_PORT },
  made,
  isLive,
  isOpen,
  has,
}: RuleInput): SettingRules => [
  has('ALLOWED_HOSTS') &&
    isOpen &&
    'ALLOWED_HOSTS has no effect: while AUTH is open, only loopback names are accepted.',
  ...keySettings.map(
    (name) => AUTH === 'open' && has(name) && `${name} has no effect while AUTH is open.`,
  ),
  AUTH === 'open' && made.length > 0 && 'KEYS_FILE has no effect while AUTH is open.',
  SANDBOX_PORT !== 4001 &&
    (isLive || has('DOMAIN_API_URL')) &&
    'SANDBOX_PORT has no effect: no sandbox is started.',
];
