import { type Audited, createAudited } from '../kernel/audit.ts';
import { type Caller, mayKnowCosts } from '../kernel/caller.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { CallBudget } from '../kernel/upstream-calls.ts';
import type { CachedRead, UpstreamCall } from '../upstream/client/operation.ts';
import { CustomerView } from './customer/customer-view.ts';
import type { RequestFacts, TenantDeps } from './deps.ts';
import { Loaders } from './loaders.ts';
import { Services } from './services.ts';

/** Longest time for which a whole response may be cached. */
const maxResponseMs = 1_000;

/** The context of every resolver: the loaders and services of one request, and the upstream calls that it made. */
export class Scope {
  readonly caller: Caller;
  readonly audited: Audited;
  readonly loaders: Loaders;
  /** Reads that bypass the cache, for purchases and `refresh: true`. */
  readonly fresh: Loaders;
  readonly services: Services;
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
  /** Reads of the whole account, which show whether a purchase was made. */
  readonly #unrestricted: Loaders;
  readonly #deps: TenantDeps;
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
    this.#unrestricted = view ? new Loaders(deps, cachedOptions, this.audited) : this.loaders;
    this.services = new Services(visible, request, {
      loaders: this.loaders,
      fresh: this.fresh,
      unrestricted: { loaders: this.#unrestricted, domainApi: deps.domainApi },
      readOptions,
      writeOptions: { onCall, ...cause },
      invalidate: (name) => this.#invalidate(name),
    });
  }

  /**
   * Returns whether the response of this request may still be repeated. Null when the response must not be cached, because it
   * depends on more than cached data.
   */
  cacheValidity(): (() => boolean) | null {
    const { revision, cacheClock } = this.#deps;
    const startRevision = this.#startRevision;
    const haveReadUncached = this.services.haveReadUncached || this.#view?.hasRead;
    const isCached = !haveReadUncached && this.upstreamCalls.length === 0;
    if (!isCached || revision.current !== startRevision) return null;
    const leftMs = Math.min(maxResponseMs, ...this.cachedReads.map((read) => read.leftMs));
    const untilMs = cacheClock.monotonicMs() + leftMs;
    return () => revision.current === startRevision && cacheClock.monotonicMs() < untilMs;
  }

  /** Invalidates every cached read that a write to the domain may change. */
  #invalidate(name: DomainName): void {
    this.#deps.snapshot.invalidate(name);
    this.loaders.invalidate(name);
    this.fresh.invalidate(name);
    this.#unrestricted.invalidate(name);
  }
}
