import type { Config } from '../config/config.ts';
import type { TenantConfig, TenantUrls } from '../config/tenants.ts';
import { Fault } from '../kernel/faults.ts';
import { valueOr } from '../kernel/field-result.ts';
import type { Money } from '../kernel/money.ts';
import type { Clock } from '../lib/clock.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import { createTokenBuckets } from '../lib/token-bucket.ts';
import type { SharedState } from '../shared-state/shared-state.ts';
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

/** The part of the shared state that belongs to one tenant. */
export type TenantReplicas = ReturnType<SharedState['of']>;

interface ConnectOptions extends TenantUrls {
  /** The login at the Domain API; read for each call, because it can change. */
  readonly credentials: () => Login;
  readonly observer: Pick<TenantObserver, 'balancesRead'> & Partial<Pick<TenantObserver, 'calls'>>;
  /** Null when replicas share no state. */
  readonly sharedState: TenantReplicas | null;
  readonly onLoginRefused?: (fault: Fault) => void;
}

/** Creates the clients of a command, which observes no calls and shares no state. */
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
      sharedState: null,
    },
    { config, clock: systemClock, randomness: systemRandomness },
    opened,
  );

/** Creates the clients of both APIs. `opened` closes their connections. */
export function connectUpstream(
  {
    domainApiUrl,
    accountApiUrl,
    credentials,
    observer,
    sharedState,
    onLoginRefused,
  }: ConnectOptions,
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
      ...(sharedState && { shared: sharedLimits(api, clock, sharedState) }),
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
    /** The expected wait for a slot at the Domain API, in milliseconds, when it exceeds the queue budget; else 0. */
    overloadMs: (isPurchase: boolean): number => domain.gate.overloadMs(isPurchase),
  };
}

/** The Retry-After pause and the rate limit, which all replicas of a tenant share. */
const sharedLimits = (
  api: UpstreamCall['api'],
  clock: Clock,
  sharedState: TenantReplicas,
): NonNullable<GateOptions['shared']> => ({
  pause: {
    publish: (ms) => sharedState.publishPause({ api, ms }),
    onPause: (listener) =>
      sharedState.onPause((received) => {
        if (received.api === api) listener(received.ms);
      }),
  },
  buckets: sharedState.buckets(createTokenBuckets(clock)),
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
