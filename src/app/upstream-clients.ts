import type { Config } from '../config/config.ts';
import type { TenantConfig, TenantUrls } from '../config/tenants.ts';
import { Fault, valueOr } from '../kernel/faults.ts';
import type { Money } from '../kernel/money.ts';
import type { Notices } from '../kernel/notice.ts';
import type { Clock } from '../lib/clock.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import { createTokenBuckets, type SharedBuckets } from '../lib/token-bucket.ts';
import { type AccountApi, createAccountApi } from '../upstream/account-api/client.ts';
import { accountApi as accountOperations } from '../upstream/account-api/operations.ts';
import type { CallerOptions } from '../upstream/client/call.ts';
import type { GateOptions, UpstreamState } from '../upstream/client/gate.ts';
import { clientOf, type UpstreamCall } from '../upstream/client/operation.ts';
import { createTransport } from '../upstream/client/transport.ts';
import { createDomainClient, type DomainActions } from '../upstream/domain-api/client.ts';
import type { Login } from '../upstream/policies/login-pause.ts';
import type { TenantObserver } from './observe.ts';
import type { SharedDeps } from './shared-deps.ts';

/** What the replicas of one tenant have in common. */
export interface TenantReplicas {
  readonly notices: Notices;
  readonly buckets: SharedBuckets;
}

interface ConnectOptions extends TenantUrls {
  /** The login at the Domain API; read for each call, because it can change. */
  readonly credentials: () => Login;
  readonly observer: Pick<TenantObserver, 'balancesRead'> & Partial<Pick<TenantObserver, 'calls'>>;
  /** Null for a single replica. */
  readonly replicas: TenantReplicas | null;
  readonly onLoginRefused?: (fault: Fault) => void;
}

/** Creates the clients of a command, which observes no calls and has no replicas. */
export const connectForCommand = (
  config: Config,
  { username, password }: TenantConfig['login'],
  urls: TenantUrls,
  opened: AsyncDisposableStack,
) =>
  connectUpstream(
    {
      ...urls,
      credentials: () => ({ username: username.reveal(), password }),
      observer: { balancesRead: () => undefined },
      replicas: null,
    },
    { config, clock: systemClock, randomness: systemRandomness },
    opened,
  );

/** Creates the clients of both APIs. `opened` closes their connections. */
export function connectUpstream(
  { domainApiUrl, accountApiUrl, credentials, observer, replicas, onLoginRefused }: ConnectOptions,
  {
    clock,
    randomness,
    upstreamLimits,
    config: { server, upstream },
  }: Pick<SharedDeps, 'clock' | 'randomness' | 'upstreamLimits' | 'config'>,
  opened: AsyncDisposableStack,
) {
  const connect = (api: UpstreamCall['api'], baseUrl: string): CallerOptions => {
    const transport = createTransport(baseUrl, upstream.concurrency);
    opened.defer(() => transport.close());
    return {
      clock,
      randomness,
      transport: transport.send,
      timeoutMs: upstream.timeoutMs,
      maxInFlight: upstream.concurrency,
      ratePerSecond: upstream.ratePerSecond,
      queueBudgetMs: server.queueBudgetMs,
      ...(upstreamLimits && { limits: upstreamLimits }),
      ...(replicas && { shared: sharedLimits(api, clock, replicas) }),
      ...(observer.calls && { observer: observer.calls }),
    };
  };
  const domain = createDomainClient({
    ...connect('domain', domainApiUrl),
    credentials,
    onLoginRefused,
  });
  const account = accountApiUrl ? createAccountApi(connect('account', accountApiUrl)) : null;
  return {
    /** The calls of the Domain API, without caching. */
    domainActions: reportingBalances(domain.actions, observer.balancesRead),
    accountApi: account?.api ?? missingAccountApi(),
    state: (): UpstreamState => ({
      domain: domain.gate.state(),
      account: account?.gate.state() ?? null,
    }),
    readSlots: (): number => domain.gate.readSlots,
    /** The expected wait for a slot at the Domain API, in milliseconds, when it exceeds the queue budget; else 0. */
    overloadMs: (isPurchase: boolean): number => domain.gate.overloadMs(isPurchase),
  };
}

/** The Retry-After pause and the rate limit, which all replicas of a tenant share. */
const sharedLimits = (
  api: UpstreamCall['api'],
  clock: Clock,
  { notices, buckets }: TenantReplicas,
): NonNullable<GateOptions['shared']> => ({
  pause: {
    publish: (ms) => notices.send({ kind: 'pause', api, ms }),
    onPause: (listener) =>
      void notices.follow((notice) => {
        if (notice.kind === 'pause' && notice.api === api) listener(notice.ms);
      }),
  },
  buckets: createTokenBuckets(clock, buckets),
});

const reportingBalances = (
  actions: DomainActions,
  report: (balances: readonly Money[]) => void,
): DomainActions => ({
  ...actions,
  async resellerdetails(request, options) {
    const details = await actions.resellerdetails(request, options);
    report(valueOr(details.balances, []).flatMap(({ money }) => valueOr(money, [])));
    return details;
  },
});

/** The Account API of a gateway without ACCOUNT_API_URL: every call is refused before anything is sent. */
function missingAccountApi(): AccountApi {
  const refuse = async () => {
    throw new Fault('NOT_SUPPORTED', {
      message: 'This gateway has no Account API: its operator has not set ACCOUNT_API_URL.',
    });
  };
  return clientOf(accountOperations, () => refuse);
}
