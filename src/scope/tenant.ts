import type { Config } from '../config/config.ts';
import type { Caller } from '../kernel/caller.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import type { LogOperation } from '../kernel/recorder.ts';
import type { ScopedLimits } from '../kernel/spend-limits.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import type { CacheRevision } from '../lib/lazy.ts';
import type { Log } from '../observability/log.ts';
import type { Journal } from '../persistence/journal.ts';
import type { AccountApi } from '../upstream/account-api/client.ts';
import type { UpstreamState } from '../upstream/client/gate.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import { type Fill, type Fills, fillsOf, type Key, keysOf, Parts, unfilled } from './parts.ts';

/** The facts of a process that clients may read. */
export interface GatewayFacts {
  readonly environment: 'SANDBOX' | 'LIVE';
  readonly version: string;
}

/**
 * The facts and clients of one tenant that live as long as the process. Tenants share the journal only, in which `account` is
 * part of every key.
 */
export interface TenantFacts {
  /** The name of the tenant. */
  readonly tenant: string;
  /** The reseller account that pays; part of every key of the journal. */
  readonly account: string;
  readonly clock: Clock;
  /** Measures the age of cached replies. */
  readonly cacheClock: Clock;
  /** For what other programs date. */
  readonly wallClock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly journal: Journal;
  readonly domainApi: DomainApi;
  readonly accountApi: AccountApi;
  /** What this process knows of the upstream from its earlier calls. */
  readonly upstreamState: () => UpstreamState;
  /** Counts the changes of cached data. */
  readonly revision: CacheRevision;
  readonly gateway: GatewayFacts;
  readonly logOperation: LogOperation;
  /** Upstream calls that one request may cause. */
  readonly maxUpstreamCalls: number;
  /** Milliseconds after the mark SENDING in which a purchase without a reply may still succeed. */
  readonly quietWindowMs: number;
  /** Longest duration of a write, all its calls together. */
  readonly writeDeadlineMs: number;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
  /** Whether the upstream may be a real registrar, whose costs are confidential. */
  readonly mayBeReal: boolean;
  /** The caller of a job with the rights of now; null when its key was revoked, has expired or is bound to another customer. */
  readonly currentCaller: (before: Omit<Caller, 'tenant'>) => Caller | null;
}

/** One tenant, with the parts of all capabilities. */
export class Tenant {
  readonly facts: TenantFacts;
  /** Of the hooks of tenants, requests and reads. */
  readonly fills: Fills;
  readonly #parts: Parts<Tenant>;
  readonly #provided = new Map<unknown, unknown>();
  readonly #stores = new Map<unknown, unknown>();

  constructor(facts: TenantFacts, fills: readonly Fill[] = []) {
    this.facts = facts;
    this.fills = fillsOf(fills);
    this.#parts = new Parts<Tenant>(this, this.fills);
  }

  readonly use = <Part>(key: Key<Tenant, Part>): Part => {
    const provided = this.#provided.get(key);
    return provided === undefined ? this.#parts.use(key) : (provided as Part);
  };

  /** Sets a part that has another owner, which closes it. */
  provide<Part>(key: Key<Tenant, Part>, part: Part): this {
    this.#provided.set(key, part);
    return this;
  }

  /** For work without a request. A request uses `scope.use`, which notes that its response must not be cached. */
  readonly store = <Store>({ key, create }: StoreKey<Store>): Store => {
    const store = this.#stores.get(key) ?? create(this.facts.journal.database, this);
    this.#stores.set(key, store);
    return store as Store;
  };

  /** Logs the unexpected failures of a part. */
  readonly reports =
    (message: string) =>
    (error: unknown): void =>
      this.facts.log.error(message, { tenant: this.facts.tenant, error });

  /** Invalidates every cached read of the process that a write to the domain may change. */
  readonly invalidate = (name: DomainName): void => {
    this.facts.revision.increment();
    void this.use(changedDomains).emit(name);
  };

  /** Closes the parts that have `close`, in the reverse of the order in which they were created. */
  async close(): Promise<void> {
    const stack = new AsyncDisposableStack();
    for (const [, part] of this.#parts.entries()) {
      if (isClosable(part)) stack.defer(async () => void (await part.close()));
    }
    await stack.disposeAsync();
  }
}

const isClosable = (part: unknown): part is { close(): unknown } =>
  typeof part === 'object' && part !== null && 'close' in part && typeof part.close === 'function';

/** A part that each tenant creates at its first use. The tenant closes a part that has `close`. */
export const perTenant = keysOf<Tenant>('TENANT');

/** A store of the database. A response of a request that uses it is never cached. */
export interface StoreKey<Store> {
  readonly key: symbol;
  readonly create: (database: Journal['database'], tenant: Tenant) => Store;
}

export const stored = <Store extends object>(
  name: string,
  create: StoreKey<Store>['create'],
): StoreKey<Store> => ({ key: Symbol(name), create });

/** A part that the gateway provides. */
export const given = <Part>(name: string): Key<Tenant, Part> =>
  perTenant(name, () => {
    throw new Error(`The gateway provides no "${name}".`);
  });

/** A part of each tenant that another capability may create. */
export const tenantHook = <Part>(
  name: string,
  byDefault: (tenant: Tenant) => Part = unfilled(name),
): Key<Tenant, Part> => perTenant(name, byDefault);

/** A hook that several capabilities fill, each with members of one list. */
export const sharedHook = <Part>(name: string): Key<Tenant, readonly Part[]> =>
  perTenant<readonly Part[]>(name, () => [], { isShared: true });

/** Reports something to any number of listeners of the same tenant. */
interface Signal<Value> {
  /** Calls the listeners in the order in which they were added, each after the end of the one before. */
  emit(value: Value): Promise<void>;
  listen(listener: (value: Value) => unknown): void;
}

export const signal = <Value>(name: string): Key<Tenant, Signal<Value>> =>
  perTenant(name, () => {
    const listeners: ((value: Value) => unknown)[] = [];
    return {
      async emit(value) {
        for (const listener of listeners) {
          const result = listener(value);
          if (result instanceof Promise) await result;
        }
      },
      listen: (listener) => void listeners.push(listener),
    };
  });

/** A write to a domain has ended, here or on another replica, with success or not. */
export const changedDomains = signal<DomainName>('changedDomains');

/** The gauges of the tenant are read. A listener sets its own from the journal; a failure is that of the journal. */
export const gaugeReads = signal<void>('gaugeReads');

/** The settings of the process, and what tests replace. */
export interface ModuleSettings extends Pick<Config, 'featureValues' | 'maxAges' | 'purchases'> {
  readonly jobLeaseMs: number | undefined;
  readonly reconcileEveryMs: number;
}

export const settings = given<ModuleSettings>('settings');
