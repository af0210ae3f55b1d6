import { mayAny } from '../../kernel/caller.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import {
  inCurrency,
  intersectLimits,
  type LimitScope,
  limitScopes,
  type SpendLimits,
  spendUnits,
} from '../../kernel/spend-limits.ts';
import { lazy } from '../../lib/lazy.ts';
import type { PurchaseStop } from '../../persistence/spending.ts';
import { perRequest } from '../../scope/scope.ts';
import type { ApiState } from '../../upstream/client/gate.ts';

export type { PurchaseStop };

/** The limits of one scope, where there are any. */
export interface LimitsOfScope extends SpendLimits {
  readonly scope: LimitScope;
}

/** One API of the upstream, from the earlier calls of this process. */
export interface UpstreamApi
  extends Pick<ApiState, 'concurrencyLimit' | 'inFlight' | 'waiting' | 'respondedAt'> {
  readonly api: 'DOMAIN' | 'ACCOUNT';
  readonly state: 'AVAILABLE' | 'FAILING' | 'PAUSED' | 'LOGIN_REFUSED';
  /** The actions whose circuit breaker is not closed. */
  readonly failingActions: readonly string[];
  /** The end of the pause; null without one. */
  readonly resumesAt: Date | null;
}

/** The gateway as one caller meets it. What the journal knows is read when it is requested. */
export const gatewayInfo = perRequest('gatewayInfo', ({ tenant, caller, hidesCosts }) => {
  const { gateway, limitsOf, maxUpstreamCalls, journal, account, clock, upstreamState } = tenant;
  const limits = limitsOf(caller);
  // The rest of a limit of the account shows how much other callers have spent.
  const countedScopes = caller.customer === null ? limitScopes : (['KEY'] as const);
  return {
    ...gateway,
    tenant: caller.tenant,
    caller: caller.name,
    customer: caller.customer,
    scopes: [...caller.scopes].filter((scope) => mayAny(caller, [scope])).sort(),
    upstreamCalls: maxUpstreamCalls,
    spendLimits: limitScopes.flatMap((scope): readonly LimitsOfScope[] =>
      Object.keys(limits[scope]).length === 0 ? [] : [{ scope, ...limits[scope] }],
    ),
    upstream(): readonly UpstreamApi[] {
      const { domain, account } = upstreamState();
      const now = clock.now();
      return [
        describeApi('DOMAIN', domain, now),
        ...(account ? [describeApi('ACCOUNT', account, now)] : []),
      ];
    },

    purchasesStopped: lazy((): Promise<PurchaseStop | null> => journal.stopped(account)),

    /** What the next purchase may cost at most in each currency that the limits of a day allow; null without such a limit, and when the caller must not know costs. */
    async spendLeft(): Promise<readonly Money[] | null> {
      const { perDay } = countedScopes
        .map((scope) => limits[scope])
        .reduce((one, other) => intersectLimits(one, other));
      if (!perDay || hidesCosts) return null;
      const claimedAt = clock.now();
      return Promise.all(
        perDay.map(async ({ currency }) => {
          const cost = { amount: Decimal.zero, currency };
          const spending = { account, caller: caller.name, cost, claimedAt };
          const { spent } = await journal.spending(spending);
          const left = countedScopes.flatMap((scope) => {
            const allowed = inCurrency(limits[scope].perDay ?? [], cost);
            return allowed ? [BigInt(spendUnits(allowed)) - spent[scope].units] : [];
          });
          return { currency, amount: Decimal.ofTenThousandths(least(left)) };
        }),
      );
    },
  };
});

export type GatewayInfo = ReturnType<typeof gatewayInfo.create>;

function describeApi(api: UpstreamApi['api'], found: ApiState, now: Date): UpstreamApi {
  const { breakers, pausedForMs, loginPausedForMs } = found;
  const failingActions = Object.keys(breakers).filter((action) => breakers[action] !== 'closed');
  const pauseMs = Math.max(pausedForMs, loginPausedForMs);
  return {
    ...found,
    api,
    state:
      loginPausedForMs > 0
        ? 'LOGIN_REFUSED'
        : pausedForMs > 0
          ? 'PAUSED'
          : failingActions.length > 0
            ? 'FAILING'
            : 'AVAILABLE',
    failingActions: failingActions.sort(),
    resumesAt: pauseMs > 0 ? new Date(now.getTime() + pauseMs) : null,
  };
}

/** The least of them, and never less than nothing. */
const least = (units: readonly bigint[]): bigint => {
  const [first = 0n, ...others] = units;
  const smallest = others.reduce((one, other) => (other < one ? other : one), first);
  return smallest < 0n ? 0n : smallest;
};
