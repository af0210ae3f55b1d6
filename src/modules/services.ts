import type { DomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import type { CallBudget } from '../kernel/upstream-calls.ts';
import { lazy } from '../lib/lazy.ts';
import { observed } from '../lib/observed.ts';
import type { AccountCallOptions } from '../upstream/account-api/client.ts';
import type { CallOptions } from '../upstream/client/operation.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import { createAccountService } from './account-api/service.ts';
import { createApprovalGate } from './approval/gate.ts';
import { createApprovalService } from './approval/service.ts';
import { createAuditService } from './audit/service.ts';
import { createCheckTogether } from './availability/check.ts';
import { createBulkChangeService } from './bulk-change/service.ts';
import { createCalendarService } from './calendar/service.ts';
import { createContactProfileService } from './contact-profile/service.ts';
import { createCustomerService } from './customer/service.ts';
import type { RequestFacts, TenantDeps } from './deps.ts';
import { uncancellable } from './domain/loader.ts';
import type { WriteDeps } from './domain/write.ts';
import { createEventService } from './event/service.ts';
import { createGatewayInfo } from './gateway-info/service.ts';
import { createJobReads } from './job/reads.ts';
import type { Loaders } from './loaders.ts';
import { createNameServerService } from './name-server/service.ts';
import { createOrderService } from './order/service.ts';
import { createFilterResolver } from './portfolio/filter-resolver.ts';
import { createPortfolioService } from './portfolio/service.ts';
import { createTrackedDomainService } from './portfolio/tracked-domains.ts';
import { createProtectionService } from './protection/service.ts';
import type { SettleDeps } from './purchase/conclude.ts';
import { type PurchaseFlowDeps, runPurchase } from './purchase/flow.ts';
import { createPurchaseJournalService } from './purchase/service.ts';
import { createQuoteService } from './quote/service.ts';
import { type RegisterInput, registerOperation } from './registration/register.ts';
import { createSearchService } from './search/service.ts';
import { StoredReads } from './stored-reads.ts';
import { createSyncService } from './sync/service.ts';
import { type TransferInput, transferOperation } from './transfer/transfer.ts';
import { createWebhookService } from './webhook/service.ts';

/** What the services of one request share. */
interface RequestDeps {
  readonly loaders: Loaders;
  /** Loaders that bypass the cache. */
  readonly fresh: Loaders;
  /** For purchases, which are sent and verified in the whole account, also for a caller that is bound to a customer. */
  readonly unrestricted: { readonly loaders: Loaders; readonly domainApi: DomainApi };
  /** For calls that end when the client disconnects. */
  readonly readOptions: () => CallOptions & {
    readonly signal: AbortSignal;
    readonly budget: CallBudget;
  };
  /** For calls that continue when the client disconnects. */
  readonly writeOptions: CallOptions & { readonly budget: CallBudget };
  /** Invalidates every cached read that a write to the domain may change. */
  readonly invalidate: (name: DomainName) => void;
}

/** The services of one request. Each is created on first use, since most requests need none of them. */
export class Services {
  readonly #tenant: TenantDeps;
  readonly #facts: RequestFacts;
  readonly #request: RequestDeps;
  #haveReadUncached = false;
  /** The tenant as the services use it: a call of its journal, or of `upstreamState`, sets `haveReadUncached`. */
  readonly #deps = lazy((): TenantDeps => {
    const note = () => {
      this.#haveReadUncached = true;
    };
    const { journal, upstreamState } = this.#tenant;
    return { ...this.#tenant, ...observed({ journal, upstreamState }, note) };
  });
  readonly #stored = lazy(() => new StoredReads(this.#tenant.clock));
  readonly #resolveFilter = lazy(() =>
    createFilterResolver({ ...this.#deps(), stored: this.#stored() }),
  );
  readonly #approvals = lazy(() =>
    createApprovalService({ ...this.#deps(), ...this.#facts, stored: this.#stored() }),
  );
  readonly #approvalGate = lazy(() => createApprovalGate({ ...this.#deps(), ...this.#facts }));
  readonly #jobReads = lazy(() => createJobReads(this.#deps(), this.#stored()));
  #purchases: ReturnType<typeof createPurchaseJournalService> | undefined;
  #gatewayInfo: ReturnType<typeof createGatewayInfo> | undefined;
  #portfolio: ReturnType<typeof createPortfolioService> | undefined;
  #quotes: ReturnType<typeof createQuoteService> | undefined;
  #search: ReturnType<typeof createSearchService> | undefined;
  #registration: ReturnType<typeof createRegistrationService> | undefined;
  #orders: ReturnType<typeof createOrderService> | undefined;
  #bulkChanges: ReturnType<typeof createBulkChangeService> | undefined;
  #nameServers: ReturnType<typeof createNameServerService> | undefined;
  #protection: ReturnType<typeof createProtectionService> | undefined;
  #sync: ReturnType<typeof createSyncService> | undefined;
  #events: ReturnType<typeof createEventService> | undefined;
  #webhooks: ReturnType<typeof createWebhookService> | undefined;
  #audit: ReturnType<typeof createAuditService> | undefined;
  #contactProfiles: ReturnType<typeof createContactProfileService> | undefined;
  #calendars: ReturnType<typeof createCalendarService> | undefined;
  #trackedDomains: ReturnType<typeof createTrackedDomainService> | undefined;
  #customers: ReturnType<typeof createCustomerService> | undefined;
  #accountApi: ReturnType<typeof createAccountService> | undefined;

  constructor(tenant: TenantDeps, facts: RequestFacts, request: RequestDeps) {
    this.#tenant = tenant;
    this.#facts = facts;
    this.#request = request;
  }

  /** Whether the request has read data that can change while `revision` stays the same. Its response is never cached. */
  get haveReadUncached(): boolean {
    return this.#haveReadUncached;
  }

  /** Reads a page of a stored list, once for each key. */
  readOnce<T>(key: string, read: () => Promise<T>): Promise<T> {
    return this.#stored().once(key, () => this.#stored().inTurn(read));
  }

  /** Later reads of stored lists return what the journal has then. */
  forgetReads(): void {
    if (this.#stored.started()) this.#stored().forget();
  }

  /** The next update of a subscription reads the state of its time, and has a call budget of its own. */
  beginUpdate(): void {
    this.forgetReads();
    this.#approvalGate.reset();
    this.#request.loaders.forget();
    this.#request.writeOptions.budget.renew();
  }

  get purchases() {
    this.#purchases ??= createPurchaseJournalService(
      { ...this.#settleDeps(), stored: this.#stored() },
      this.#facts.caller,
    );
    return this.#purchases;
  }

  get gatewayInfo() {
    this.#gatewayInfo ??= createGatewayInfo(this.#deps(), this.#facts.caller);
    return this.#gatewayInfo;
  }

  get portfolio() {
    this.#portfolio ??= this.#createPortfolio();
    return this.#portfolio;
  }

  get quotes() {
    this.#quotes ??= createQuoteService(this.#tenant.quotes, this.#request.loaders.tlds);
    return this.#quotes;
  }

  get search() {
    this.#search ??= this.#createSearch();
    return this.#search;
  }

  get registration() {
    this.#registration ??= createRegistrationService(this.#purchaseDeps());
    return this.#registration;
  }

  get orders() {
    this.#orders ??= createOrderService({
      ...this.#deps(),
      ...this.#purchaseDeps(),
      jobReads: this.#jobReads(),
    });
    return this.#orders;
  }

  get bulkChanges() {
    this.#bulkChanges ??= this.#createBulkChanges();
    return this.#bulkChanges;
  }

  /** Decides which requests need the approval of another caller. */
  get approvalGate() {
    return this.#approvalGate();
  }

  get approvals() {
    return this.#approvals();
  }

  get nameServers() {
    this.#nameServers ??= createNameServerService(this.#domainWriteDeps());
    return this.#nameServers;
  }

  get protection() {
    this.#protection ??= createProtectionService(this.#domainWriteDeps());
    return this.#protection;
  }

  get sync() {
    this.#sync ??= createSyncService(this.#domainWriteDeps());
    return this.#sync;
  }

  get events() {
    this.#events ??= createEventService(this.#deps(), this.#facts.caller);
    return this.#events;
  }

  get webhooks() {
    this.#webhooks ??= createWebhookService({ ...this.#deps(), caller: this.#facts.caller });
    return this.#webhooks;
  }

  get audit() {
    this.#audit ??= createAuditService(this.#deps());
    return this.#audit;
  }

  get contactProfiles() {
    this.#contactProfiles ??= createContactProfileService(
      { ...this.#deps(), stored: this.#stored() },
      this.#facts.caller,
    );
    return this.#contactProfiles;
  }

  get calendars() {
    this.#calendars ??= createCalendarService({
      ...{ ...this.#deps(), ...this.#facts, stored: this.#stored() },
      resolveFilter: this.#resolveFilter(),
    });
    return this.#calendars;
  }

  get trackedDomains() {
    this.#trackedDomains ??= createTrackedDomainService(this.#deps());
    return this.#trackedDomains;
  }

  get customers() {
    this.#customers ??= createCustomerService({
      ...this.#deps(),
      caller: this.#facts.caller,
      list: this.#request.loaders.domains.list,
      stored: this.#stored(),
    });
    return this.#customers;
  }

  get accountApi() {
    this.#accountApi ??= this.#createAccountApi();
    return this.#accountApi;
  }

  #createPortfolio() {
    const { domains, tlds } = this.#request.loaders;
    const { clock, quotes } = this.#tenant;
    const [stored, resolveFilter] = [this.#stored(), this.#resolveFilter()];
    return createPortfolioService({ domains, tlds, clock, quotes, stored, resolveFilter });
  }

  #createSearch() {
    const { domainApi, searchPace, clock, idnRefusals, quotes } = this.#tenant;
    const { tlds } = this.#request.loaders;
    return createSearchService({
      tlds,
      idnRefusals,
      checkTogether: createCheckTogether({ api: domainApi, tlds, idnRefusals }),
      pace: searchPace,
      clock,
      quotes,
      // Not shared: in a batch with other requests the calls would be as slow as theirs.
      options: this.#request.readOptions(),
    });
  }

  #createBulkChanges() {
    const { caller, idempotencyKey } = this.#facts;
    const { list } = this.#request.loaders.domains;
    const [jobReads, resolveFilter] = [this.#jobReads(), this.#resolveFilter()];
    const approvals = this.approvalGate;
    const request = { caller, idempotencyKey, list, jobReads, resolveFilter, approvals };
    return createBulkChangeService({ ...this.#deps(), ...request });
  }

  #createAccountApi() {
    const { accountApi: api, clock, writeDeadlineMs } = this.#deps();
    const { writeOptions } = this.#request;
    const { accountToken } = this.#facts;
    const callOptions = (): AccountCallOptions => {
      if (accountToken) return { ...writeOptions, token: accountToken };
      throw new Fault('UNAUTHENTICATED', {
        message:
          'The Account API needs your own token: send it as "Authorization: Bearer <token>" or as "x-account-token".',
      });
    };
    const { budget } = writeOptions;
    return createAccountService({ api, callOptions, clock, writeDeadlineMs, budget });
  }

  #domainWriteDeps(): WriteDeps {
    const { clock, writeDeadlineMs, domainApi: api } = this.#deps();
    const { writeOptions: options, invalidate } = this.#request;
    const { budget } = options;
    const domains = uncancellable(this.#request.loaders.domains, options);
    const recordWrite = this.#deps().writeLog.of(this.#facts.caller.name);
    return { clock, writeDeadlineMs, budget, api, options, domains, invalidate, recordWrite };
  }

  /** Reads that settle a purchase are never refused because the request has used up its call budget. */
  get #settleOptions(): CallOptions {
    return { ...this.#request.writeOptions, bypassesBudget: true };
  }

  /** The balance after a failed transfer, read once for all purchases of the request. */
  readonly #readReseller = lazy(() =>
    this.#deps().domainApi.resellerdetails({}, this.#settleOptions),
  );

  #settleDeps() {
    const { loaders } = this.#request.unrestricted;
    const domains = uncancellable(loaders.domains, this.#settleOptions);
    return {
      ...this.#deps(),
      domains,
      readReseller: this.#readReseller,
    } satisfies SettleDeps;
  }

  #purchaseDeps(): PurchaseFlowDeps {
    const { caller, idempotencyKey } = this.#facts;
    const { fresh: reads, writeOptions: options, invalidate } = this.#request;
    const limits = this.#deps().limitsOf(caller);
    return {
      ...this.#settleDeps(),
      domainApi: this.#request.unrestricted.domainApi,
      approvals: this.approvalGate,
      options,
      invalidate,
      idempotencyKey,
      reads,
      caller,
      limits,
    };
  }
}

const createRegistrationService = (deps: PurchaseFlowDeps) => ({
  register: (input: RegisterInput) => runPurchase(deps, registerOperation, input),
  transfer: (input: TransferInput) => runPurchase(deps, transferOperation, input),
});
