import { contextCacheSymbol } from '@pothos/core';
import { CallBudget } from '../kernel/call-budget.ts';
import type { Caller } from '../kernel/caller.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import type { KeptAnswer, UpstreamCall } from '../upstream/operation.ts';
import { type Audited, createAudited } from './audit.ts';
import type { Deps, RequestFacts } from './deps.ts';
import { Loaders } from './loaders.ts';
import { Services } from './services.ts';

/** An answer is not told again after this time, whatever it rests on. */
const longestStandingMs = 1_000;

/**
 * What lives as long as one request: its loaders, its services and the upstream calls it made. The context of every resolver.
 *
 * Classes, since one is made for each request: an object with getters of its own would cost a hidden class each time, which
 * only the slow collection of garbage takes away, with all that hangs on it.
 */
export class Scope {
  /** Who asks. */
  readonly caller: Caller;
  /** Does what is written down for whoever looks after it. */
  readonly audited: Audited;
  readonly loaders: Loaders;
  /** What nobody asked before this request did: a purchase checks with it, and so does who asks for a refresh. */
  readonly fresh: Loaders;
  readonly services: Services;
  readonly upstreamCalls: UpstreamCall[] = [];
  readonly keptAnswers: KeptAnswer[] = [];
  /** Of the calls that this request may cause. */
  readonly budget: CallBudget;
  /** An own property, since Yoga copies only those into its context. */
  readonly clock: Deps['clock'];
  readonly #deps: Deps;
  readonly #begunAt: number;

  constructor(deps: Deps, request: RequestFacts) {
    this.#deps = deps;
    this.clock = deps.clock;
    const { caller, requestId, trace } = request;
    this.caller = caller;
    const who = { caller: caller.name, tenant: caller.tenant, requestId };
    this.audited = createAudited(deps.audit, who);
    this.#begunAt = deps.revision.count;
    const onCall = (call: UpstreamCall) => void this.upstreamCalls.push(call);
    const onKept = (answer: KeptAnswer) => void this.keptAnswers.push(answer);
    const budget = new CallBudget(deps.maxUpstreamCalls);
    this.budget = budget;
    const cause = { requestId, trace, budget };
    const asking = () => ({ signal: request.signal(), onCall, ...cause });
    this.loaders = new Loaders(deps, () => ({ ...asking(), onKept, shared: true }), this.audited);
    this.fresh = new Loaders(deps, asking, this.audited);
    this.services = new Services(deps, request, {
      loaders: this.loaders,
      fresh: this.fresh,
      asking,
      writing: { onCall, ...cause },
      forget: (name) => this.#forget(name),
    });
  }

  /** Pothos remembers under this what it finds out about a context: here who may do what, which all requests of a caller share. */
  get [contextCacheSymbol](): Caller {
    return this.caller;
  }

  /**
   * Whether the same question would be answered the same, asked at any later time: the answer rests on nothing but what
   * is kept, and that has not changed. Null when it rests on more.
   */
  standing(): (() => boolean) | null {
    const { revision, clock } = this.#deps;
    const begunAt = this.#begunAt;
    const isKept = !this.services.haveAskedJournal && this.upstreamCalls.length === 0;
    if (!isKept || revision.count !== begunAt) return null;
    const leftMs = Math.min(longestStandingMs, ...this.keptAnswers.map((answer) => answer.leftMs));
    const untilMs = clock.monotonicMs() + leftMs;
    return () => revision.count === begunAt && clock.monotonicMs() < untilMs;
  }

  /** Whatever a write may have changed is read anew from here on. */
  #forget(name: DomainName): void {
    this.#deps.snapshot.touched(name);
    this.loaders.forget(name);
    this.fresh.forget(name);
  }
}
