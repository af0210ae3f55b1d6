import { type AccessScope, anonymous } from '../../../src/kernel/caller.ts';
import type { Fault } from '../../../src/kernel/faults.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import type { ScopedLimits, SpendLimits } from '../../../src/kernel/spend-limits.ts';
import { type Clock, createDeadline } from '../../../src/lib/clock.ts';
import { CacheRevision } from '../../../src/lib/lazy.ts';
import { runPurchase } from '../../../src/modules/purchase/flow.ts';
import { purchasing } from '../../../src/modules/purchase/parts.ts';
import { tenantPricing } from '../../../src/modules/quote/quotes.ts';
import {
  type RegisterInput,
  registerOperation,
} from '../../../src/modules/registration/register.ts';
import { transferOperation } from '../../../src/modules/transfer/transfer.ts';
import { createJournal } from '../../../src/persistence/journal.ts';
import type { Fill } from '../../../src/scope/parts.ts';
import { Scope } from '../../../src/scope/scope.ts';
import { settings, Tenant, type TenantFacts } from '../../../src/scope/tenant.ts';
import { createAccountApi } from '../../../src/upstream/account-api/client.ts';
import type { Transport } from '../../../src/upstream/client/transport.ts';
import { createDomainClient } from '../../../src/upstream/domain-api/client.ts';
import { createDomainApi } from '../../../src/upstream/domain-api/domain-api.ts';
import type { WireResponse } from '../../../src/upstream/wire/classify.ts';
import { refusal } from '../../simulation/service.ts';
import { createSharedStore, type SharedStore } from '../../simulation/store.ts';
import { ada } from '../ada.ts';
import { plainQuotes } from '../plain-quotes.ts';
import { silentLog, testSettings } from './test-settings.ts';

export { refusal };

export const account = 'reseller-1';
const writeDeadlineMs = 30_000;
export const quietWindowMs = 92_000;
const timeoutMs = 10_000;

type Members = Readonly<Record<string, unknown>>;
type Reply = { readonly status: number; readonly body: string };
type Handler = (request: Members) => Reply | Promise<Reply>;

export const ok = (members: object): Reply => ({
  status: 200,
  body: JSON.stringify({ result: 'OK', ...members }),
});

/** A TLD of the price list: 10 USD for a registration, 8 USD for a transfer, 12 USD for a renewal. */
export const tldRow = (tld: string, changes: object = {}) => ({
  ...{ id: 1, status: 'Active', tld, minchar: 2, maxchar: 63, minperiod: 1, maxperiod: 10 },
  pricing: { registration: { 1: '10' }, renew: { 1: '12' }, transfer: { 1: '8' } },
  currencies: { registration: 'USD', renew: 'USD', transfer: 'USD' },
  ...changes,
});

/** The offer of an available name at 10 USD. */
export const offer = (changes: object = {}) => ({
  status: 200,
  body: JSON.stringify([
    { Status: 'available', Price: '10', Currency: 'USD', Period: 1, IsFee: false, ...changes },
  ]),
});

export const details = (domain: unknown, status: string) =>
  ok({ data: { ID: 7, DomainName: domain, Status: status } });

/** The reply of the bulk check: each name at 10 of its currency, but for those of the test. */
export const bulkReply = (offers: Readonly<Record<string, object>>) => (request: object) => {
  const { domains } = request as { domains: readonly string[] };
  const entries = domains.map((name) => {
    const offer = { Status: 'available', Price: '10', Currency: 'USD', Period: 1, IsFee: false };
    return [name, [{ ...offer, ...offers[name] }]];
  });
  return {
    status: 200,
    body: JSON.stringify({ status: 'OK', availability: Object.fromEntries(entries) }),
  };
};

/** Who sends a request. */
export interface Sender {
  readonly caller?: string | null;
  readonly customer?: string | null;
  readonly scopes?: readonly AccessScope[];
  /** Of its key or token. */
  readonly limits?: SpendLimits;
  readonly header?: string;
  readonly signal?: AbortSignal;
}

let store: Promise<SharedStore> | undefined;

/**
 * The production code of one tenant with a journal in memory, over a clock and an upstream that the test controls.
 *
 * The upstream sells every requested name, and the test replaces the reply of any action. `fills` are those of a feature.
 */
export async function createTenant(
  limits: Partial<ScopedLimits> = {},
  fills: readonly Fill[] = [],
) {
  store ??= createSharedStore();
  const shared = await store;
  shared.clear();
  let nowMs = Date.UTC(2026, 0, 31, 12);
  const clock: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async wait(ms) {
      nowMs += ms;
    },
    deadline: (_ms, abort) => createDeadline(() => () => undefined, abort),
  };

  /** The status of each domain of the account. */
  const domains = new Map<unknown, string>();
  /** Names that are registered with another registrar. */
  const elsewhere = new Set<unknown>();
  const sell = (status: string): Handler => {
    return ({ domain }) => {
      domains.set(domain, status);
      return details(domain, status);
    };
  };
  const upstream: Record<string, Handler> = {
    tldlist: () => ok({ data: ['com', 'net', 'co.uk'].map((tld) => tldRow(tld)) }),
    singlecheckavailability: ({ domain }) =>
      offer(domains.has(domain) || elsewhere.has(domain) ? { Status: 'notavailable' } : {}),
    getdetails: ({ domain }) =>
      details(domain, domains.get(domain) ?? '').body.includes('"Status":""')
        ? refusal(510, 'Domain not found.')
        : details(domain, domains.get(domain) ?? ''),
    getdomainlist: () => {
      const rows = [...domains].map(([name, Status]) => ({ ID: 7, DomainName: name, Status }));
      return ok({ data: { Domains: rows }, TotalCount: rows.length });
    },
    resellerdetails: () => ok({ id: 1, active: true, balance: '100', currency: 'USD' }),
    registerdomain: sell('Active'),
    transferdomain: sell('WaitingForIncomingTransfer'),
  };
  const calls: (Members & { readonly action: string })[] = [];
  const transport: Transport = async ({ path, body = '{}', signal }): Promise<WireResponse> => {
    const action = path.slice('/?action='.length);
    const { username: _username, password: _password, ...request } = JSON.parse(body);
    calls.push({ action, ...request });
    const reply = await upstream[action]?.(request);
    signal?.throwIfAborted();
    return { ...(reply ?? refusal(200, 'Command not found')), headers: {} };
  };

  const hooks = {
    /** Runs before each statement of the journal; an error that it throws fails the statement. */
    beforeStatement: (_sql: string): void => undefined,
    /** Runs between the check of the spend limits and the claim. */
    afterSpending: async (): Promise<void> => undefined,
  };
  const stored = createJournal(
    shared.open(async (side, { sql }) => {
      if (side === 'before') hooks.beforeStatement(sql);
    }),
  );
  const journal: typeof stored = {
    ...stored,
    async spending(of) {
      const spending = await stored.spending(of);
      await hooks.afterSpending();
      return spending;
    },
  };

  let ids = 0;
  const randomness = { uuid: () => `id-${++ids}`, fraction: () => 0.5 };
  const calling = {
    ...{ transport, timeoutMs, clock, randomness },
    ...{ maxInFlight: 64, queueBudgetMs: 2_000, ratePerSecond: 0 },
  };
  const revision = new CacheRevision();
  const maxAges = { tldsMs: 60_000, domainsMs: 60_000, availabilityMs: 3_000 };
  const credentials = { username: 'acme', password: new Secret('pass') };
  const { actions, gate } = createDomainClient({ ...calling, credentials: () => credentials });
  const domainApi = createDomainApi(actions, { clock, revision, maxAges, notices: null });
  const facts: TenantFacts = {
    ...{ clock, cacheClock: clock, wallClock: clock, randomness, log: silentLog },
    ...{ tenant: 'default', account, journal, domainApi, revision, writeDeadlineMs, quietWindowMs },
    accountApi: createAccountApi(calling).api,
    upstreamState: () => ({ domain: gate.state(), account: null }),
    maxUpstreamCalls: 1_000,
    gateway: { environment: 'SANDBOX', version: 'test' },
    logOperation: () => undefined,
    limitsOf: () => ({ GATEWAY: {}, KEY: {}, ...limits }),
    mayBeReal: false,
    currentCaller: (before) => ({ ...before, tenant: 'default' }),
  };
  /** Starts a process of the gateway, over the same journal and the same upstream. */
  const start = (changes: Partial<TenantFacts> = {}): Tenant =>
    new Tenant({ ...facts, ...changes }, fills)
      .provide(settings, { ...testSettings, maxAges })
      .provide(tenantPricing, { retail: plainQuotes, withCosts: plainQuotes });
  const gateway = start();

  /** What a request uses. */
  const request = ({
    caller = null,
    customer = null,
    scopes = ['domains:spend'],
    limits: own = {},
    header,
    signal,
  }: Sender = {}) =>
    new Scope(gateway, {
      requestId: 'request',
      signal: () => signal ?? new AbortController().signal,
      caller: { ...anonymous, name: caller, customer, scopes: new Set(scopes), limits: own },
      accountToken: null,
      idempotencyKey: header ?? null,
    });

  return {
    ...{ clock, gateway, start, journal, upstream, domains, elsewhere, calls, hooks, request },
    pass(ms: number): void {
      nowMs += ms;
    },
    /** Removes all rows of the journal. */
    clearJournal: shared.clear,
    sent: (action: string) => calls.filter((call) => call.action === action),
    register: (changes: object = {}, sender?: Sender) =>
      register(request(sender), { ...registration, ...changes }),
    transfer(changes: object = {}, sender?: Sender) {
      const input = { ...transfer, ...changes };
      elsewhere.add(input.domain);
      return runPurchase(request(sender).use(purchasing), transferOperation, input);
    },
    purchases: () => journal.list(account, { limit: 100 }),
  };
}

export const register = ({ use }: Pick<Scope, 'use'>, input: RegisterInput) =>
  runPurchase(use(purchasing), registerOperation, input);

export const registration = {
  domain: 'maple.com',
  period: 1,
  nameServers: ['ns1.example.net', 'ns2.example.net'],
  registrant: { fields: ada },
  privacyProtected: false,
  transferLocked: true,
  acceptPremium: false,
  dryRun: false,
};

const transfer = { domain: 'maple.com', period: 1, authCode: 'Auth-1', dryRun: false };

/** The codes of the errors of a payload and the fields of the input that they are about. */
export const problems = ({ errors }: { readonly errors: readonly Fault[] }) =>
  errors.map(({ code, inputPath }) =>
    [code, ...inputPath].join(' ').replace(/^(\w+) input\b/, '$1'),
  );
