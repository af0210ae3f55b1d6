import type { CallBudget } from '../kernel/call-budget.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import type { AccountCallOptions } from '../upstream/account-api/client.ts';
import type { CallOptions } from '../upstream/operation.ts';
import { createCheckTogether } from './availability/check.ts';
import { createCartService } from './cart/service.ts';
import type { Deps, RequestFacts } from './deps.ts';
import { createGatewayInfo } from './gateway-info/service.ts';
import { createHostingService } from './hosting/service.ts';
import type { Loaders } from './loaders.ts';
import { once } from './once.ts';
import { createNameServerService } from './name-server/service.ts';
import { createPortfolioService } from './portfolio/service.ts';
import { createProtectionService } from './protection/service.ts';
import { createPurchaseJournalService, type PurchaseRecord } from './purchase/service.ts';
import { isVisibleTo } from './purchase/visible.ts';
import { createQuoteService } from './quote/service.ts';
import { createPurchase } from './registration/purchase.ts';
import { createRegistrationService } from './registration/service.ts';
import { createSpendCheck } from './registration/spend-limits.ts';
import { createTransferService } from './registration/transfer-service.ts';
import { createSearchService } from './search/service.ts';
import { createSessionService } from './session/service.ts';
import { createSyncService } from './sync/service.ts';

/** What services have in common within one request. */
interface Reach {
  readonly loaders: Loaders;
  readonly fresh: Loaders;
  /** For calls that the caller's abort ends. */
  readonly asking: () => CallOptions & {
    readonly signal: AbortSignal;
    readonly budget: CallBudget;
  };
  /** For calls that go on without the caller. */
  readonly writing: CallOptions & { readonly budget: CallBudget };
  /** Whatever a write may have changed is read anew from here on. */
  readonly forget: (name: DomainName) => void;
}

/** The services of one request, each made when it is asked for: most requests need none of them. */
export class Services {
  readonly #deps: Deps;
  readonly #request: RequestFacts;
  readonly #reach: Reach;
  #haveAskedJournal = false;

  constructor(deps: Deps, request: RequestFacts, reach: Reach) {
    this.#deps = deps;
    this.#request = request;
    this.#reach = reach;
  }

  /** What the journal says is not kept, it is asked. */
  get haveAskedJournal(): boolean {
    return this.#haveAskedJournal;
  }

  get purchases() {
    this.#haveAskedJournal = true;
    const { touched } = this.#deps.snapshot;
    return createPurchaseJournalService({
      ...this.#deps,
      caller: this.#request.caller,
      domains: this.#owed(),
      readReseller: this.#readReseller,
      touched,
    });
  }

  get gatewayInfo() {
    this.#haveAskedJournal = true;
    const { caller } = this.#request;
    return createGatewayInfo({ ...this.#deps, caller, limits: this.#deps.limitsOf(caller) });
  }

  get portfolio() {
    const { domains, tlds } = this.#reach.loaders;
    return createPortfolioService({ domains, tlds, clock: this.#deps.clock });
  }

  get quotes() {
    return createQuoteService(this.#reach.loaders.tlds);
  }

  get search() {
    const { domainApi, searchPace, clock, idnRefusals } = this.#deps;
    const { tlds } = this.#reach.loaders;
    return createSearchService({
      tlds,
      idnRefusals,
      checkTogether: createCheckTogether({ api: domainApi, tlds, idnRefusals }),
      pace: searchPace,
      clock,
      // Calls of its own: gathered with the names of others they would be as slow as those.
      options: this.#reach.asking(),
    });
  }

  get registration() {
    return createRegistrationService(this.#buying());
  }

  get transfer() {
    return createTransferService(this.#buying());
  }

  get nameServers() {
    return createNameServerService(this.#write());
  }

  get protection() {
    return createProtectionService(this.#write());
  }

  get sync() {
    return createSyncService(this.#write());
  }

  get carts() {
    return createCartService({ api: this.#deps.accountApi, asCaller: () => this.#asCaller() });
  }

  get hosting() {
    const { clock, writeDeadlineMs, accountApi: api } = this.#deps;
    const { budget } = this.#reach.writing;
    const time = { clock, writeDeadlineMs, budget };
    return createHostingService({ ...time, api, asCaller: () => this.#asCaller() });
  }

  get session() {
    return createSessionService({ api: this.#deps.accountApi, asCaller: () => this.#asCaller() });
  }

  #asCaller(): AccountCallOptions {
    const { accountToken } = this.#request;
    if (accountToken) return { ...this.#reach.writing, token: accountToken };
    throw new Fault('UNAUTHENTICATED', {
      message:
        'The Account API needs your own token: send it as "Authorization: Bearer <token>" or as "x-account-token".',
    });
  }

  /**
   * A caller that goes away stops nothing of a write that has begun, its reads included. Nor of the look at an open
   * purchase: taken for a service that cannot be read, it would end the search.
   */
  #steady(how: CallOptions = this.#reach.writing) {
    const { domains } = this.#reach.loaders;
    return { ...domains, truth: (name: DomainName) => domains.truth(name, how) };
  }

  /** Of a purchase that was claimed no look is refused for what else the request has asked. */
  #owed() {
    return this.#steady({ ...this.#reach.writing, isOwed: true });
  }

  /** The balance after a transfer that came to nothing, read once for all purchases of the request. */
  readonly #readReseller = once(() =>
    this.#deps.domainApi.resellerdetails({}, { ...this.#reach.writing, isOwed: true }),
  );

  #write() {
    const { clock, writeDeadlineMs, domainApi: api } = this.#deps;
    const { writing: options, forget } = this.#reach;
    const { budget } = options;
    return { clock, writeDeadlineMs, budget, api, options, domains: this.#steady(), forget };
  }

  #buying() {
    const { caller, idempotencyKey } = this.#request;
    const { fresh, writing: options, forget } = this.#reach;
    const { domainApi: api, limitsOf } = this.#deps;
    const buying = {
      ...this.#deps,
      caller: caller.name,
      isVisible: (purchase: PurchaseRecord) => isVisibleTo(caller, purchase),
      limits: limitsOf(caller),
    };
    return {
      api,
      reads: {
        domains: fresh.domains,
        availability: fresh.availability,
        tlds: fresh.tlds,
        reseller: fresh.reseller,
      },
      purchase: createPurchase({
        ...buying,
        domains: this.#owed(),
        readReseller: this.#readReseller,
        forget,
      }),
      checkSpending: createSpendCheck(buying),
      options,
      idempotencyKey,
    };
  }
}
