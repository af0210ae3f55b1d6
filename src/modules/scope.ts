import type { Clock, Randomness } from '../kernel/clock.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import type { Revision } from '../kernel/revision.ts';
import type { Secret } from '../kernel/secret.ts';
import type { ScopedLimits } from '../kernel/spend-limits.ts';
import type { Journal } from '../persistence/store.ts';
import type { AccountApi, AccountCallOptions } from '../upstream/account-api/client.ts';
import type { DomainApi } from '../upstream/domain-api/client.ts';
import type { CallOptions, KeptAnswer, UpstreamCall } from '../upstream/operation.ts';
import { createCheckTogether } from './availability/check.ts';
import { createCartService } from './cart/service.ts';
import { createHostingService } from './hosting/service.ts';
import { Loaders } from './loaders.ts';
import { createNameServerService } from './name-server/service.ts';
import { createOperationService } from './operation/service.ts';
import type { Watch } from './operation/watch.ts';
import type { Watcher } from './operation/watcher.ts';
import { createPortfolioService } from './portfolio/service.ts';
import type { Snapshot } from './portfolio/snapshot.ts';
import { createProtectionService } from './protection/service.ts';
import { createPurchase } from './registration/purchase.ts';
import { createRegistrationService } from './registration/service.ts';
import { createSpendCheck } from './registration/spend-limits.ts';
import { createTransferService } from './registration/transfer-service.ts';
import type { SearchPace } from './search/pace.ts';
import { createSearchService } from './search/service.ts';
import { createSessionService } from './session/service.ts';

/** What lives as long as the process; `compose.ts` hands it in. */
export interface Deps {
  readonly domainApi: DomainApi;
  readonly accountApi: AccountApi;
  /** The list of domains as this process keeps it. */
  readonly snapshot: Snapshot;
  /** Of what this process keeps. */
  readonly revision: Revision;
  readonly journal: Journal;
  readonly clock: Clock;
  /** What this process has seen of open purchases. */
  readonly watch: Watch;
  readonly watcher: Watcher;
  /** How fast searches may go, all of them together. */
  readonly searchPace: SearchPace;
  readonly randomness: Randomness;
  /** The reseller account that pays; part of every key of the journal. */
  readonly account: string;
  /** So long after it was marked SENDING a purchase without an answer may still come true. */
  readonly quietWindowMs: number;
  /** So long a write may be under way. */
  readonly writeDeadlineMs: number;
  /** What a caller may buy, by the name of the key. */
  readonly limitsOf: (caller: string | null) => ScopedLimits;
}

/** What one HTTP request brings along. */
export interface RequestFacts {
  readonly requestId: string;
  /** The name of the caller's API key; null where nobody is asked for one. */
  readonly caller: string | null;
  /** The caller's abort; reads heed it, writes never. */
  readonly signal: AbortSignal;
  /** The caller's key for the purchase of this request, from a header; null without one. */
  readonly idempotencyKey: string | null;
  /** The caller's Account API token, if any. */
  readonly accountToken: Secret | null;
}

/** What lives as long as one request: its loaders, its services and the upstream calls it made. */
export function createScope(deps: Deps, request: RequestFacts) {
  const { domainApi: api, accountApi, clock, writeDeadlineMs } = deps;
  const upstreamCalls: UpstreamCall[] = [];
  const onCall = (call: UpstreamCall) => void upstreamCalls.push(call);
  const keptAnswers: KeptAnswer[] = [];
  const onKept = (answer: KeptAnswer) => void keptAnswers.push(answer);
  const begunAt = deps.revision.count;
  let isKept = true;
  const asking = () => ({ signal: request.signal, onCall });
  const writing: CallOptions = { onCall };

  const loaders = new Loaders(deps, () => ({ ...asking(), onKept, shared: true }));
  /** What nobody asked before this request did: a purchase checks with it, and so does who asks for a refresh. */
  const fresh = new Loaders(deps, asking);

  /** Whatever a write may have changed is read anew from here on. */
  const forget = (name: DomainName) => {
    deps.snapshot.touched(name);
    loaders.forget(name);
    fresh.forget(name);
  };
  const asCaller = (): AccountCallOptions => {
    if (request.accountToken) return { ...writing, token: request.accountToken };
    throw new Fault('UNAUTHENTICATED', {
      message:
        'The Account API needs your own token: send it as "Authorization: Bearer <token>" or as "x-account-token".',
    });
  };

  // A caller that goes away stops nothing of a write that has begun, its reads included. Nor of the look at an open
  // purchase: taken for a service that cannot be read, it would end the search.
  const steady = () => {
    const { domains } = loaders;
    return { ...domains, truth: (name: DomainName) => domains.truth(name, writing) };
  };
  const time = { clock, writeDeadlineMs };
  const write = () => ({ ...time, api, options: writing, domains: steady(), forget });
  const buying = () => {
    const { caller, idempotencyKey } = request;
    const spender = { caller, limits: deps.limitsOf(caller) };
    return {
      api,
      reads: {
        domains: fresh.domains,
        availability: fresh.availability,
        tlds: fresh.tlds,
        reseller: fresh.reseller,
      },
      purchase: createPurchase({ ...deps, ...spender, domains: steady(), forget }),
      checkSpending: createSpendCheck({ ...deps, ...spender }),
      options: writing,
      idempotencyKey,
    };
  };
  return {
    loaders,
    fresh,
    /** Made when they are asked for: most requests need none of them. */
    services: {
      get operations() {
        // The journal is not kept, it is asked.
        isKept = false;
        return createOperationService({
          ...deps,
          domains: steady(),
          touched: deps.snapshot.touched,
        });
      },
      get portfolio() {
        return createPortfolioService({ domains: loaders.domains, tlds: loaders.tlds, clock });
      },
      get search() {
        return createSearchService({
          tlds: loaders.tlds,
          checkTogether: createCheckTogether(api),
          pace: deps.searchPace,
          clock,
          // Calls of its own: gathered with the names of others they would be as slow as those.
          options: asking(),
        });
      },
      get registration() {
        return createRegistrationService(buying());
      },
      get transfer() {
        return createTransferService(buying());
      },
      get nameServers() {
        return createNameServerService(write());
      },
      get protection() {
        return createProtectionService(write());
      },
      get carts() {
        return createCartService({ api: accountApi, asCaller });
      },
      get hosting() {
        return createHostingService({ ...time, api: accountApi, asCaller });
      },
      get session() {
        return createSessionService({ api: accountApi, asCaller });
      },
    },
    upstreamCalls,
    keptAnswers,
    /**
     * Whether the same question would be answered the same, asked at any later time: the answer rests on nothing but what
     * is kept, and that has not changed. Null when it rests on more.
     */
    standing(): (() => boolean) | null {
      const { revision } = deps;
      if (!isKept || upstreamCalls.length > 0 || revision.count !== begunAt) return null;
      const leftMs = Math.min(longestStandingMs, ...keptAnswers.map((answer) => answer.leftMs));
      const untilMs = clock.monotonicMs() + leftMs;
      return () => revision.count === begunAt && clock.monotonicMs() < untilMs;
    },
  };
}

/** An answer is not told again after this time, whatever it rests on. */
const longestStandingMs = 1_000;

/** The context of every resolver. */
export type Scope = ReturnType<typeof createScope>;
