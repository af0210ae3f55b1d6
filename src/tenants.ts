import type { Config } from './config/config.ts';
import { followLogin } from './config/followed-login.ts';
import type { TenantConfig, TenantUrls } from './config/tenants.ts';
import { bothLimits } from './kernel/both-limits.ts';
import type { Caller } from './kernel/caller.ts';
import { Fault } from './kernel/faults.ts';
import type { Deps } from './modules/deps.ts';
import type { Log } from './observability/log.ts';
import type { Observation } from './observe.ts';
import { accountOf } from './open-journal.ts';
import { openTenant, type Tenant, type TenantSurroundings } from './tenant.ts';
import type { UpstreamState } from './upstream/state.ts';

/** The reseller accounts of a process, by name. What they have in common are the journal, the clock and the log. */
export interface Tenants {
  has(name: string): boolean;
  /** The expected wait for an upstream slot of a tenant, in milliseconds, when it exceeds the queue budget; else 0. */
  upstreamOverloadMs(name: string, isPurchase: boolean): number;
  /** How the calls of each account fare. */
  upstreamStates(): readonly UpstreamState[];
  /** @throws Fault `FORBIDDEN` for a caller of an account that is not here. */
  depsOf(caller: Caller): Deps;
  /** Lets calls under way end. */
  close(): Promise<void>;
}

export interface TenantsSurroundings extends TenantSurroundings {
  /** The two APIs of the sandbox that was started along; null without one. */
  readonly embedded: TenantUrls | null;
  readonly log: Log;
  readonly observation: Pick<Observation, 'account' | 'opened'>;
}

export function openTenants(config: Config, surroundings: TenantsSurroundings): Tenants {
  const opened = new AsyncDisposableStack();
  const open = (one: TenantConfig): Tenant => {
    const { clock, log, embedded, observation } = surroundings;
    const urls = one.urls ?? embedded;
    if (!urls) throw new Error(`Nobody knows where the APIs of ${one.name} are.`);
    const login = opened.adopt(followLogin(one, { clock, warn: log.warn }), (it) => it.close());
    const { credentials } = login;
    const options = {
      ...urls,
      credentials,
      account: accountOf(config, one),
      limitsOf: limitsOf(config, one),
      observer: observation.account(one.name),
    };
    const tenant = opened.adopt(openTenant(options, surroundings), (it) => it.close());
    observation.opened(one.name, tenant);
    return tenant;
  };
  const byName = new Map(config.tenants.map((one) => [one.name, open(one)]));
  return {
    has: (name) => byName.has(name),
    upstreamStates: () => [...byName.values()].map((one) => one.upstreamState()),
    upstreamOverloadMs: (name, isPurchase) => byName.get(name)?.upstreamOverloadMs(isPurchase) ?? 0,
    depsOf({ tenant }) {
      const found = byName.get(tenant);
      if (!found) throw new Fault('FORBIDDEN');
      return found.deps;
    },
    close: () => opened.disposeAsync(),
  };
}

/** Those of the gateway and those of the account hold; those of a caller come on top. */
function limitsOf({ spendLimits }: Config, one: TenantConfig): Deps['limitsOf'] {
  const ofAccount = bothLimits(spendLimits, one.spendLimits);
  return ({ limits }) => ({ GATEWAY: ofAccount, KEY: limits });
}
