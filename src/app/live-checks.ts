import type { Config } from '../config/config.ts';
import type { Recommendation } from '../config/feature-settings.ts';
import { parseKeys, readKeysText } from '../config/keys-file.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { features } from '../features/index.ts';
import { Fault } from '../kernel/faults.ts';
import { dayMs } from '../kernel/instant.ts';
import { failureSentence } from '../lib/failure-sentence.ts';
import { systemClock } from '../lib/system.ts';
import { failureOf } from '../persistence/unavailable.ts';
import { outageReasonOf } from '../upstream/client/gate.ts';
import { selectFeatures } from './features.ts';
import { checkPages, openJournal } from './journal.ts';
import { checkLogin, describeRefusal } from './login-check.ts';
import { connectForCommand } from './upstream-clients.ts';

/** The result of one check: a sentence without secrets, which says what to do unless it is `ok`. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'failed';
  readonly point: string;
  readonly sentence: string;
}

type LiveCheck = (config: Config) => Promise<readonly Finding[]> | readonly Finding[];

const finding = (
  point: string,
  status: Finding['status'],
  sentence: string,
): readonly Finding[] => [{ status, point, sentence }];

const recommend = ({ point, holds, ok, advice }: Recommendation) =>
  finding(point, holds ? 'ok' : 'warning', holds ? ok : advice);

/** Checks what live use needs. Calls at the registrar are reads. */
export async function* checkLive(config: Config): AsyncGenerator<Finding> {
  for (const check of checks) yield* await check(config);
}

const checks: readonly LiveCheck[] = [
  ({ warnings }) =>
    warnings.length > 0
      ? warnings.flatMap((sentence) => finding('settings', 'warning', sentence))
      : finding('settings', 'ok', 'All settings are valid.'),
  ({ isSandbox }) =>
    recommend({
      point: 'upstream',
      holds: !isSandbox,
      ok: 'The gateway uses the registrar: purchases are real.',
      advice:
        'The gateway uses a sandbox, where nothing is bought; set UPSTREAM=live for the registrar.',
    }),
  async (config) =>
    (await Promise.all(config.tenants.map((tenant) => checkTenant(config, tenant)))).flat(),
  checkKeys,
  ({ tenants, purchases: { spendLimits } }) =>
    recommend({
      point: 'spend limits',
      holds: [spendLimits, ...tenants.map((tenant) => tenant.spendLimits)].some(isLimited),
      ok: 'Purchases are limited.',
      advice:
        'Purchases are limited by the balance only; set SPEND_LIMITS, such as {"perDay":["500 USD"]}.',
    }),
  checkJournal,
  ({ observability: { metricsPort } }) =>
    recommend({
      point: 'alerts',
      holds: metricsPort !== undefined,
      ok: 'The gateway serves metrics.',
      advice: 'The gateway serves no metrics, so that no alert can fire; set METRICS_PORT.',
    }),
  ({ server, featureValues }) =>
    selectFeatures(features, server.features)
      .flatMap(({ settings }) => settings?.recommend?.(featureValues) ?? [])
      .flatMap(recommend),
];

const isLimited = (limits: object): boolean => Object.keys(limits).length > 0;

async function checkTenant(config: Config, { name, login, urls }: TenantConfig) {
  const point = `login of "${name}"`;
  if (!urls) return finding(point, 'ok', 'The gateway starts its own sandbox.');
  await using opened = new AsyncDisposableStack();
  const { domainActions } = connectForCommand(config, login, urls, opened);
  const result = await checkLogin(domainActions, new AbortController().signal);
  const account = urls.accountApiUrl
    ? await checkAccountApi(urls.accountApiUrl, config.upstream.timeoutMs)
    : [];
  return [...findingOf(point, result, urls.domainApiUrl), ...account];
}

function findingOf(point: string, result: Awaited<ReturnType<typeof checkLogin>>, url: string) {
  if (result.kind === 'accepted') {
    const balances = result.balances.join(', ') || 'unknown';
    return finding(point, 'ok', `The registrar accepts it. Balances: ${balances}.`);
  }
  if (result.kind === 'refused') return finding(point, 'failed', describeRefusal(result.fault));
  const { hostname } = new URL(url);
  const reason =
    result.fault.code === 'UPSTREAM_PROTOCOL'
      ? 'The response is not one of the Domain API, perhaps a page or a redirect.'
      : (outageReasonOf(result.fault)?.sentence ?? `The result is ${result.fault.code}.`);
  return finding(
    point,
    'failed',
    `It cannot be checked at ${hostname}: ${reason} Check DOMAIN_API_URL and the network.`,
  );
}

/** The Account API has no reads, and a call needs the token of a client. Any reply shows that it is reachable. */
async function checkAccountApi(url: string, timeoutMs: number): Promise<readonly Finding[]> {
  const { hostname } = new URL(url);
  try {
    using deadline = systemClock.deadline(timeoutMs);
    const { signal } = deadline;
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
    await response.body?.cancel();
    return finding('Account API', 'ok', `${hostname} responds.`);
  } catch (error) {
    const { cause } = error as Error;
    const sentence = `${hostname} does not respond: ${failureSentence(cause)} Check ACCOUNT_API_URL and the network.`;
    return finding('Account API', 'failed', sentence);
  }
}

function checkKeys({ auth }: Config): readonly Finding[] {
  if (auth.kind === 'open') {
    return finding('keys', 'warning', 'Requests need no credentials; set AUTH=keys.');
  }
  const made = parseKeys(readKeysText(auth.keysFile));
  const count = auth.keys.length + made.length;
  if (count + auth.issuers.length === 0) {
    return finding(
      'keys',
      'failed',
      'No client has credentials, so that the gateway does not start; run the command "keys", or set API_KEY, API_KEYS or JWT_ISSUERS.',
    );
  }
  const expired = made.filter(({ expiresAt }) => expiresAt && expiresAt <= systemClock.now());
  return [
    ...finding('keys', 'ok', `Keys: ${count}; issuers of tokens: ${auth.issuers.length}.`),
    ...expired.flatMap(({ name }) =>
      finding('keys', 'warning', `The key "${name}" has expired; revoke it and make another one.`),
    ),
  ];
}

async function checkJournal(config: Config): Promise<readonly Finding[]> {
  try {
    const journal = await openJournal(config);
    let backedUpAt: Date | null;
    try {
      await journal.checkWritable(systemClock.now());
      backedUpAt = await journal.lastBackup();
    } finally {
      await journal.close();
    }
    await checkPages(config);
    return [
      ...finding('journal', 'ok', 'It can be written.'),
      ...(config.storage.databaseUrl ? [] : recommendBackup(backedUpAt)),
    ];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return finding(
      'journal',
      'failed',
      `${failureOf(error) ?? error.message} Check DATA_DIR or DATABASE_URL.`,
    );
  }
}

const recommendBackup = (at: Date | null) =>
  recommend({
    point: 'backup',
    holds: at !== null && systemClock.now().getTime() - at.getTime() < 2 * dayMs,
    ok: `The last backup was made at ${at?.toISOString()}.`,
    advice: 'No backup was made in the last two days; run the command "backup" every day.',
  });
