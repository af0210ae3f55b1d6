import type { Config } from '../config/config.ts';
import { followLogin } from '../config/followed-login.ts';
import type { TenantConfig, TenantUrls } from '../config/tenants.ts';
import type { Caller } from '../kernel/caller.ts';
import { Fault } from '../kernel/faults.ts';
import { intersectLimits } from '../kernel/spend-limits.ts';
import type { TenantDeps } from '../modules/deps.ts';
import type { Log } from '../observability/log.ts';
import type { UpstreamState } from '../upstream/client/gate.ts';
import { accountOf } from './journal.ts';
import type { Observation } from './observe.ts';
import { openTenant, type SharedDeps, type Tenant } from './tenant.ts';

export interface TenantsDeps extends SharedDeps {
  readonly config: Config;
  /** The URLs of the embedded sandbox; null without one. */
  readonly embedded: TenantUrls | null;
  readonly log: Log;
  readonly observation: Pick<Observation, 'observerOf' | 'tenantOpened'>;
}

/** Opens the tenants of a process. */
export function openTenants(deps: TenantsDeps) {
  const { config, clock, log, embedded, observation } = deps;
  // Closed in the reverse order.
  const opened = new AsyncDisposableStack();
  const open = (tenant: TenantConfig): Tenant => {
    const urls = tenant.urls ?? embedded;
    if (!urls) throw new Error(`The tenant "${tenant.name}" has no URLs.`);
    const login = followLogin(tenant, { clock, warn: log.warn });
    opened.defer(() => login.close());
    const options = {
      ...urls,
      credentials: login.credentials,
      account: accountOf(config, tenant),
      limitsOf: limitsOf(config, tenant),
      observer: observation.observerOf(tenant.name),
    };
    const result = openTenant(options, deps);
    opened.defer(() => result.close());
    observation.tenantOpened(tenant.name, result);
    return result;
  };
  const byName = new Map(config.tenants.map((tenant) => [tenant.name, open(tenant)]));
  return {
    has: (name: string): boolean => byName.has(name),
    upstreamStates: (): readonly UpstreamState[] =>
      [...byName.values()].map((tenant) => tenant.upstreamState()),
    /** The expected wait for an upstream slot of a tenant, in milliseconds, when it exceeds the queue budget; else 0. */
    upstreamOverloadMs: (name: string, isPurchase: boolean): number =>
      byName.get(name)?.upstreamOverloadMs(isPurchase) ?? 0,
    /** @throws Fault `FORBIDDEN` for a caller of an unknown tenant. */
    depsOf({ tenant }: Caller): TenantDeps {
      const found = byName.get(tenant);
      if (!found) throw new Fault('FORBIDDEN');
      return found.deps;
    },
    /** Waits for calls in flight. */
    close: (): Promise<void> => opened.disposeAsync(),
  };
}

/** A purchase must be within the limits of the gateway, of its tenant and of its key. */
function limitsOf({ purchases }: Config, { spendLimits }: TenantConfig): TenantDeps['limitsOf'] {
  const ofGateway = intersectLimits(purchases.spendLimits, spendLimits);
  return ({ limits }) => ({ GATEWAY: ofGateway, KEY: limits });
}
