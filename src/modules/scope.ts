import { type Audited, createAudited } from '../kernel/audit.ts';
import { type Caller, mayKnowCosts } from '../kernel/caller.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { CallBudget } from '../kernel/upstream-calls.ts';
import { lazy } from '../lib/lazy.ts';
import { observed } from '../lib/observed.ts';
import { type Key, Parts } from '../scope/parts.ts';
import type { CachedRead, CallOptions, UpstreamCall } from '../upstream/client/operation.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import { CustomerView } from './customer/customer-view.ts';
import type { RequestFacts, TenantDeps } from './deps.ts';
import { Loaders } from './loaders.ts';
import { StoredReads } from './stored-reads.ts';

/** Longest time for which a whole response may be cached. */
const maxResponseMs = 1_000;

/** The context of every resolver: the reads and parts of one request, and the upstream calls that it made. */
export class Scope {
  readonly caller: Caller;
  readonly audited: Audited;
  readonly loaders: Loaders;
  /** Reads that bypass the cache, for purchases and `refresh: true`. */
  readonly fresh: Loaders;
  readonly upstreamCalls: UpstreamCall[] = [];
  readonly cachedReads: CachedRead[] = [];
  /** The upstream calls that this request may still cause. */
  readonly budget: CallBudget;
  /** An own property, since Yoga copies only those into its context. */
  readonly clock: TenantDeps['clock'];
  /** Whether the caller must not learn what the registrar charges. */
  readonly hidesCosts: boolean;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
  /** Whether the caller must not learn balances and totals of the account. */
  readonly hidesTotals: boolean;
  readonly facts: RequestFacts;
  /** For purchases, which are sent and verified in the whole account, also for a caller that is bound to a customer. */
  readonly wholeAccount: { readonly loaders: Loaders; readonly domainApi: DomainApi };
  /** For calls that end when the client disconnects. */
  readonly readOptions: () => CallOptions & {
    readonly signal: AbortSignal;
    readonly budget: CallBudget;
  };
  /** For calls that continue when the client disconnects. */
  readonly writeOptions: CallOptions & { readonly budget: CallBudget };
  readonly #deps: TenantDeps;
  readonly #parts = new Parts<Scope>(this);
  readonly #stored = lazy(() => new StoredReads(this.clock));
  /** The data that the caller may see, with a journal and a state of the upstream that note each use. */
  readonly #tenant: () => TenantDeps;
  #hasReadUncached = false;
  readonly #startRevision: number;
  /** Null for a caller that is bound to no customer. */
  readonly #view: CustomerView | null;

  constructor(deps: TenantDeps, request: RequestFacts) {
    this.#deps = deps;
    this.clock = deps.clock;
    const { caller, requestId, trace, address } = request;
    this.caller = caller;
    this.idempotencyKey = request.idempotencyKey;
    this.hidesCosts = deps.quotes.areRetail && !mayKnowCosts(caller);
    this.hidesTotals = caller.customer !== null;
    const { name, customer, tenant } = caller;
    this.audited = createAudited(
      { log: deps.audit, trail: deps.auditTrail },
      { caller: name, customer, tenant, requestId, address: address ?? null },
      () => this.upstreamCalls.length,
    );
    this.#startRevision = deps.revision.current;
    const onCall = (call: UpstreamCall) => void this.upstreamCalls.push(call);
    const onCachedRead = (read: CachedRead) => void this.cachedReads.push(read);
    const budget = new CallBudget(deps.maxUpstreamCalls);
    this.budget = budget;
    const cause = { requestId, trace, budget };
    const readOptions = () => ({ signal: request.signal(), onCall, ...cause });
    const cachedOptions = () => ({ ...readOptions(), onCachedRead, shared: true });
    const view = caller.customer === null ? null : new CustomerView(deps, caller.customer);
    this.#view = view;
    const visible = view?.restrict(deps) ?? deps;
    this.loaders = new Loaders(visible, cachedOptions, this.audited);
    this.fresh = new Loaders(visible, readOptions, this.audited);
    const unrestricted = view ? new Loaders(deps, cachedOptions, this.audited) : this.loaders;
    this.wholeAccount = { loaders: unrestricted, domainApi: deps.domainApi };
    this.facts = request;
    this.readOptions = readOptions;
    this.writeOptions = { onCall, ...cause };
    this.#tenant = lazy(() => {
      const note = () => {
        this.#hasReadUncached = true;
      };
      const { journal, upstreamState } = visible;
      return { ...visible, ...observed({ journal, upstreamState }, note) };
    });
  }

  // Parts use the getters. A resolver must not: Yoga copies own properties only.

  /** The objects of the tenant. A response that used its journal or the state of the upstream is never cached. */
  get tenant(): TenantDeps {
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

  /** A part of this request, such as a service. */
  readonly use = <Part>(key: Key<Scope, Part>): Part => this.#parts.use(key);

  /** Reads a page of a stored list, once for each key. */
  readonly readOnce = <T>(key: string, read: () => Promise<T>): Promise<T> =>
    this.stored.once(key, () => this.stored.inTurn(read));

  /** Later reads of stored lists return what the journal has then. */
  readonly forgetReads = (): void => {
    if (this.#stored.started()) this.#stored().forget();
  };

  /** The next update of a subscription reads the state of its time, and has a call budget of its own. */
  readonly beginUpdate = (): void => {
    this.forgetReads();
    this.#parts.beginUpdate();
    this.loaders.forget();
    this.budget.renew();
  };

  /** Invalidates every cached read that a write to the domain may change. */
  readonly invalidate = (name: DomainName): void => {
    this.#deps.snapshot.invalidate(name);
    this.loaders.invalidate(name);
    this.fresh.invalidate(name);
    this.wholeAccount.loaders.invalidate(name);
  };

  /**
   * Returns whether the response of this request may still be repeated. Null when the response must not be cached, because it
   * depends on more than cached data.
   */
  cacheValidity(): (() => boolean) | null {
    const { revision, cacheClock } = this.#deps;
    const startRevision = this.#startRevision;
    const isCached = !this.hasReadUncached && this.upstreamCalls.length === 0;
    if (!isCached || revision.current !== startRevision) return null;
    const leftMs = Math.min(maxResponseMs, ...this.cachedReads.map((read) => read.leftMs));
    const untilMs = cacheClock.monotonicMs() + leftMs;
    return () => revision.current === startRevision && cacheClock.monotonicMs() < untilMs;
  }
}
