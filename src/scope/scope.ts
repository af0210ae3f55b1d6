import { type Caller, mayKnowCosts } from '../kernel/caller.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { createRecorder, type Recorder } from '../kernel/recorder.ts';
import type { Secret } from '../kernel/secret.ts';
import { CallBudget } from '../kernel/upstream-calls.ts';
import type { Clock } from '../lib/clock.ts';
import { lazy } from '../lib/lazy.ts';
import type { CachedRead, CallOptions, UpstreamCall } from '../upstream/client/operation.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import { CustomerView } from './customer-view.ts';
import { operationTrail, retailPrices } from './hooks.ts';
import { type Key, keysOf, Parts, unfilled } from './parts.ts';
import { Reads, StoredReads } from './reads.ts';
import type { StoreKey, Tenant, TenantFacts } from './tenant.ts';

/** The same object, which calls `onCall` before each call of its methods and of those of its members. */
export function observed<T extends object>(target: T, onCall: () => void): T {
  return new Proxy(target, {
    get(_target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function') {
        return (...args: readonly unknown[]): unknown => {
          onCall();
          return Reflect.apply(member, target, args);
        };
      }
      return typeof member === 'object' && member !== null ? observed(member, onCall) : member;
    },
  });
}

/** Longest time for which a whole response may be cached. */
const maxResponseMs = 1_000;

/** The data of one HTTP request. */
export interface RequestFacts {
  readonly requestId: string;
  /** Whether a model sends it with a tool. */
  readonly viaTool?: boolean | undefined;
  /** Opaque trace context, passed through to the observer of upstream calls. */
  readonly trace?: unknown;
  readonly caller: Caller;
  /** IP address of the sender; absent when it is not known. */
  readonly address?: string | undefined;
  /** Aborts when the client disconnects; created by the first call. Reads heed it, writes never do. */
  readonly signal: () => AbortSignal;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
  /** The client's Account API token; null without one. */
  readonly accountToken: Secret | null;
}

/** The context of every resolver: the reads and parts of one request, and the upstream calls that it made. */
export class Scope {
  readonly caller: Caller;
  readonly recorder: Recorder;
  readonly reads: Reads;
  /** Reads that bypass the cache, for purchases and `refresh: true`. */
  readonly fresh: Reads;
  readonly upstreamCalls: UpstreamCall[] = [];
  readonly cachedReads: CachedRead[] = [];
  /** The upstream calls that this request may still cause. */
  readonly budget: CallBudget;
  /** An own property, since Yoga copies only those into its context. */
  readonly clock: Clock;
  /** Whether the caller must not learn what the registrar charges. */
  readonly hidesCosts: boolean;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
  /** Whether the caller must not learn balances and totals of the account. */
  readonly hidesTotals: boolean;
  readonly facts: RequestFacts;
  /** For purchases, which are sent and verified in the whole account, also for a caller that is bound to a customer. */
  readonly wholeAccount: { readonly reads: Reads; readonly domainApi: DomainApi };
  /** For calls that end when the client disconnects. */
  readonly readOptions: () => CallOptions & {
    readonly signal: AbortSignal;
    readonly budget: CallBudget;
  };
  /** For calls that continue when the client disconnects. */
  readonly writeOptions: CallOptions & { readonly budget: CallBudget };
  readonly #whole: Tenant;
  readonly #parts: Parts<Scope>;
  readonly #stored = lazy(() => new StoredReads(this.clock));
  /** The data that the caller may see, with a journal and a state of the upstream that note each use. */
  readonly #tenant: () => TenantFacts;
  #hasReadUncached = false;
  readonly #noteUncached = (): void => {
    this.#hasReadUncached = true;
  };
  readonly #startRevision: number;
  /** Null for a caller that is bound to no customer. */
  readonly #view: CustomerView | null;

  constructor(tenant: Tenant, request: RequestFacts) {
    const { facts } = tenant;
    this.#whole = tenant;
    this.#parts = new Parts<Scope>(this, tenant.fills);
    this.clock = facts.clock;
    const { caller, requestId, trace, address } = request;
    this.caller = caller;
    this.idempotencyKey = request.idempotencyKey;
    const knowsCosts = mayKnowCosts(caller);
    this.hidesCosts = !knowsCosts && tenant.use(retailPrices).current() !== null;
    this.hidesTotals = caller.customer !== null;
    const { name, customer } = caller;
    this.recorder = createRecorder(
      { log: facts.logOperation, trail: tenant.use(operationTrail) },
      { caller: name, customer, tenant: caller.tenant, requestId, address: address ?? null },
      () => this.upstreamCalls.length,
    );
    this.#startRevision = facts.revision.current;
    const onCall = (call: UpstreamCall) => void this.upstreamCalls.push(call);
    const onCachedRead = (read: CachedRead) => void this.cachedReads.push(read);
    const budget = new CallBudget(facts.maxUpstreamCalls);
    this.budget = budget;
    const cause = { requestId, trace, budget };
    const readOptions = () => ({ signal: request.signal(), onCall, ...cause });
    const cachedOptions = () => ({ ...readOptions(), onCachedRead, shared: true });
    const view = customer === null ? null : new CustomerView(facts, customer);
    this.#view = view;
    const { recorder } = this;
    const cached = { options: cachedOptions, recorder, knowsCosts };
    this.reads = new Reads(tenant, { ...cached, view });
    this.fresh = new Reads(tenant, { ...cached, options: readOptions, view });
    const unrestricted = view ? new Reads(tenant, { ...cached, view: null }) : this.reads;
    this.wholeAccount = { reads: unrestricted, domainApi: facts.domainApi };
    this.facts = request;
    this.readOptions = readOptions;
    this.writeOptions = { onCall, ...cause };
    this.#tenant = lazy(() => {
      const { journal, upstreamState } = facts;
      const { api: domainApi } = this.reads;
      return { ...facts, domainApi, ...observed({ journal, upstreamState }, this.#noteUncached) };
    });
  }

  // Parts use the getters. A resolver must not: Yoga copies own properties only.

  /**
   * The facts and clients of the tenant, for the domains that the caller may see. A response that used the journal or the state of
   * the upstream is never cached.
   */
  get tenant(): TenantFacts {
    return this.#tenant();
  }

  /** The reads of stored lists, each once. */
  get stored(): StoredReads {
    return this.#stored();
  }

  /** Whether the request has read data that can change while `revision` stays the same. Its response is never cached. */
  get hasReadUncached(): boolean {
    return this.#hasReadUncached || this.#view?.hasRead === true;
  }

  /** A part of this request, such as a service, of its cached reads, or of its tenant. */
  readonly use = <Part>(key: Key<Scope, Part> | Key<Reads, Part> | Key<Tenant, Part>): Part => {
    if (key.level === 'REQUEST') return this.#parts.use(key as Key<Scope, Part>);
    if (key.level === 'READS') return this.reads.use(key as Key<Reads, Part>);
    return this.#whole.use(key as Key<Tenant, Part>);
  };

  readonly store = <Store extends object>(key: StoreKey<Store>): Store =>
    observed(this.#whole.store(key), this.#noteUncached);

  /** Reads a page of a stored list, once for each key. */
  readonly readOnce = <T>(key: string, read: (onSlice: () => void) => Promise<T>): Promise<T> =>
    this.stored.once(key, () => this.stored.inTurn(() => read(this.stored.countSlice)));

  /** Later reads of stored lists return what the journal has then. */
  readonly forgetReads = (): void => {
    if (this.#stored.started()) this.#stored().forget();
  };

  /** The next update of a subscription reads the state of its time, and has a call budget of its own. */
  readonly beginUpdate = (): void => {
    this.forgetReads();
    this.#parts.beginUpdate();
    this.reads.forget();
    this.budget.renew();
  };

  /** Invalidates every cached read that a write to the domain may change. */
  readonly invalidate = (name: DomainName): void => {
    this.#whole.invalidate(name);
    this.reads.invalidate(name);
    this.fresh.invalidate(name);
    this.wholeAccount.reads.invalidate(name);
  };

  /**
   * Returns whether the response of this request may still be repeated. Null when the response must not be cached, because it
   * depends on more than cached data.
   */
  cacheValidity(): (() => boolean) | null {
    const { revision, cacheClock } = this.#whole.facts;
    const startRevision = this.#startRevision;
    const isCached = !this.hasReadUncached && this.upstreamCalls.length === 0;
    if (!isCached || revision.current !== startRevision) return null;
    const leftMs = Math.min(maxResponseMs, ...this.cachedReads.map((read) => read.leftMs));
    const untilMs = cacheClock.monotonicMs() + leftMs;
    return () => revision.current === startRevision && cacheClock.monotonicMs() < untilMs;
  }
}

/** A part that each request creates at its first use, with `scope.use(key)`. */
export const perRequest = keysOf<Scope>('REQUEST');

/** A part of each request that another capability may create. */
export const requestHook = <Part>(
  name: string,
  {
    byDefault = unfilled(name),
    ...options
  }: { readonly isOfUpdate?: boolean; readonly byDefault?: (scope: Scope) => Part } = {},
): Key<Scope, Part> => perRequest<Part>(name, byDefault, options);
