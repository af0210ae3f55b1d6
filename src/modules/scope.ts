import type { Clock, Randomness } from '../kernel/clock.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import type { Secret } from '../kernel/secret.ts';
import type { ScopedLimits } from '../kernel/spend-limits.ts';
import type { Journal } from '../persistence/store.ts';
import type { AccountApi, AccountCallOptions } from '../upstream/account-api/client.ts';
import type { DomainApi } from '../upstream/domain-api/client.ts';
import type { CallOptions, UpstreamCall } from '../upstream/operation.ts';
import { createAvailabilityLoader } from './availability/loader.ts';
import { createCartService } from './cart/service.ts';
import { createContactLoader } from './contact/loader.ts';
import { createDomainReads } from './domain/loader.ts';
import { createHostingService } from './hosting/service.ts';
import { createNameServerService } from './name-server/service.ts';
import { once } from './once.ts';
import { createOperationService } from './operation/service.ts';
import type { Watch } from './operation/watch.ts';
import type { Watcher } from './operation/watcher.ts';
import { createPortfolioService } from './portfolio/service.ts';
import { createProtectionService } from './protection/service.ts';
import { createPurchase } from './registration/purchase.ts';
import { createRegistrationService } from './registration/service.ts';
import { createSpendCheck } from './registration/spend-limits.ts';
import { createTransferService } from './registration/transfer-service.ts';
import { createSessionService } from './session/service.ts';
import { createTldReads } from './tld/loader.ts';

/** What lives as long as the process; `compose.ts` hands it in. */
export interface Deps {
  readonly domainApi: DomainApi;
  readonly accountApi: AccountApi;
  readonly journal: Journal;
  readonly clock: Clock;
  /** What this process has seen of open purchases. */
  readonly watch: Watch;
  readonly watcher: Watcher;
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
  const reading: CallOptions = { signal: request.signal, onCall };
  const writing: CallOptions = { onCall };

  const domains = createDomainReads(api, reading);
  const contacts = createContactLoader(api, reading);
  const availability = createAvailabilityLoader(api, reading);
  const tlds = createTldReads(api, reading);
  const reseller = once(() => api.resellerdetails({}, reading));

  /** Whatever a write may have changed is read anew from here on. */
  const forget = (name: DomainName) => {
    domains.forget(name);
    contacts.clear(name);
    availability.clear(name);
    reseller.forget();
  };
  const asCaller = (): AccountCallOptions => {
    if (request.accountToken) return { ...writing, token: request.accountToken };
    throw new Fault('UNAUTHENTICATED', {
      message:
        'The Account API needs your own token: send it as "Authorization: Bearer <token>" or as "x-account-token".',
    });
  };

  const reads = { domains, availability, tlds, reseller };
  const { idempotencyKey, caller } = request;
  // A caller that goes away stops nothing of a write that has begun, its reads included.
  const steady = { ...domains, truth: (name: DomainName) => domains.truth(name, writing) };
  const time = { clock, writeDeadlineMs };
  const write = { ...time, api, options: writing, domains: steady, forget };
  // Nor of the look at an open purchase: taken for a service that cannot be read, it would end the search.
  const operations = createOperationService({ ...deps, domains: steady });
  const spender = { caller, limits: deps.limitsOf(caller) };
  const purchase = createPurchase({ ...deps, ...spender, domains: steady, forget });
  const checkSpending = createSpendCheck({ ...deps, ...spender });
  const buying = { api, reads, purchase, checkSpending, options: writing, idempotencyKey };
  return {
    loaders: { ...reads, contacts },
    services: {
      operations,
      registration: createRegistrationService(buying),
      transfer: createTransferService(buying),
      portfolio: createPortfolioService({ domains }),
      nameServers: createNameServerService(write),
      protection: createProtectionService(write),
      carts: createCartService({ api: accountApi, asCaller }),
      hosting: createHostingService({ ...time, api: accountApi, asCaller }),
      session: createSessionService({ api: accountApi, asCaller }),
    },
    upstreamCalls,
  };
}

/** The context of every resolver. */
export type Scope = ReturnType<typeof createScope>;
