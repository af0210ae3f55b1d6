import { epochMs } from './process-clock.ts';
import type { World } from './world.ts';

/** The settings of a domain of the account. */
export interface Settings {
  readonly nameServers: readonly string[];
  readonly privacyProtected: boolean;
}

export const firstSettings: Settings = {
  nameServers: ['ns1.example.net'],
  privacyProtected: false,
};

/** The holder of a name and its status in the account. */
export interface Holding extends Partial<Settings> {
  readonly holder: 'us' | 'others';
  readonly status: string;
  readonly registeredMs: number;
  /** A year after the registration by default. */
  readonly expiresMs?: number;
  /** By default true. */
  readonly transferLocked?: boolean;
}

/** A list of domains has one page. */
export interface ListOfDomains {
  readonly pageSize: number;
  readonly order: 'name' | 'newest' | 'shuffled';
  /** The share of replies in which one row is odd, and in which rows are missing. */
  readonly oddRows: number;
  /** From this time on no row is odd or missing, and a shuffled list is in the order of names. */
  readonly steadyAfterMs: number;
}

/** A purchase that the service made. Money in ten-thousandths of a unit. */
interface Commit {
  readonly atMs: number;
  readonly domain: string;
  readonly price: number;
  /** A transfer is in progress for a while and can fail; then its price is returned. */
  outcome: 'in progress' | 'complete' | 'undone';
  /** The id of the purchase, or another cause. */
  readonly cause: string;
}

export interface ServiceReply {
  readonly status: number;
  readonly body: string;
}

interface ServiceCall {
  readonly action: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly cause: string;
  /** A read returns the state of this time ago. */
  readonly staleMs: number;
  /** After this time stale reads show what the call did too; null when they show it by their age. */
  readonly shownWithinMs: number | null;
}

export type Service = ReturnType<typeof createService>;

export const login = { username: 'simulated', password: 'canary-Pa55word-7319' };
export const authCode = 'canary-Auth-c0de-5521';
export const initialBalance = 1_000_0000;

const maxTransferMs = 40_000;
export const yearMs = 365 * 86_400_000;

/** The outcomes of transfers and their weights. */
const transferEnds = {
  Active: 45,
  TransferRejectedFromOpposed: 35,
  TransferCancelledFromClient: 20,
} as const;
const failedTransfers: ReadonlySet<string> = new Set([
  'TransferRejectedFromOpposed',
  'TransferCancelledFromClient',
]);

/** Per year; a transfer costs the price of one year for any period. */
const prices: Readonly<Record<string, { registration: number; transfer: number }>> = {
  com: { registration: 11_2900, transfer: 10_5900 },
  net: { registration: 13_9900, transfer: 13_9900 },
};

export const moneyText = (units: number): string => (units / 10_000).toFixed(4);

/**
 * The part of the upstream that purchases and changes of settings use: small, and written from the specification only.
 *
 * It stores every version of a name with its time, so that a read can be stale.
 */
export function createService(
  world: World,
  {
    oddEntries,
    list,
    staleMs: maxStaleMs,
  }: { readonly oddEntries: number; readonly list: ListOfDomains; readonly staleMs: number },
) {
  /** `atMs` is when a version began, `fromMs` from when on stale reads show it. */
  const versions = new Map<string, { fromMs: number; atMs: number; holding: Holding | null }[]>();
  const takenAtMs = new Map<string, number>();
  const commits: Commit[] = [];
  const deletions: string[] = [];
  const executedChanges = new Set<string>();
  /** When each domain was in a list. */
  const listings = new Map<string, number[]>();
  /** What replies showed of each domain, oldest first; null for one that the account does not have. */
  const replies = new Map<string, { readonly atMs: number; readonly holding: Holding | null }[]>();
  const recordListing = (domain: string, holding: Holding) => {
    listings.set(domain, [...(listings.get(domain) ?? []), world.nowMs()]);
    record(domain, holding);
  };
  const record = (domain: string, holding: Holding | null) => {
    const known = replies.get(domain) ?? [];
    known.push({ atMs: world.nowMs(), holding });
    replies.set(domain, known);
  };
  let balance = initialBalance;

  const holdingOf = (domain: string, staleMs = 0): Holding | null => {
    const asOf = world.nowMs() - staleMs;
    return versions.get(domain)?.findLast(({ fromMs }) => fromMs <= asOf)?.holding ?? null;
  };
  const put = (domain: string, holding: Holding | null, fromMs = world.nowMs(), atMs = fromMs) => {
    const known = versions.get(domain) ?? [];
    known.push({ fromMs, atMs, holding });
    if (!takenAtMs.has(domain)) takenAtMs.set(domain, fromMs);
    versions.set(domain, known);
  };
  const shownFromMs = (shownWithinMs: number | null): number => {
    if (shownWithinMs === null) return world.nowMs();
    return shownWithinMs === 0
      ? Number.NEGATIVE_INFINITY
      : world.nowMs() + shownWithinMs - maxStaleMs;
  };
  const commit = (
    domain: string,
    price: number,
    { cause, shownWithinMs }: Pick<ServiceCall, 'cause' | 'shownWithinMs'>,
    status: string,
  ) => {
    const atMs = world.nowMs();
    balance -= price;
    const isTransfer = status === 'WaitingForIncomingTransfer';
    const made: Commit = {
      atMs,
      domain,
      price,
      cause,
      outcome: isTransfer ? 'in progress' : 'complete',
    };
    commits.push(made);
    const registeredMs = status === 'Active' ? atMs : atMs - 400 * 86_400_000;
    if (!takenAtMs.has(domain)) takenAtMs.set(domain, atMs);
    put(domain, { holder: 'us', status, registeredMs }, shownFromMs(shownWithinMs), atMs);
    world.trace(`service: ${domain} bought for ${moneyText(price)} by ${cause}`);
    if (isTransfer) {
      world.after(world.random.between(1_000, maxTransferMs), null, () =>
        endTransfer(made, registeredMs),
      );
    }
  };

  const endTransfer = (transferred: Commit, registeredMs: number) => {
    const { domain, price } = transferred;
    const status = world.random.weighted(transferEnds);
    transferred.outcome = status === 'Active' ? 'complete' : 'undone';
    if (transferred.outcome === 'undone') balance += price;
    put(domain, { holder: 'us', status, registeredMs });
    world.trace(`service: the transfer of ${domain} ended as ${status}`);
  };

  const change = (
    domain: string,
    settings: Partial<Holding>,
    { cause, shownWithinMs }: Pick<ServiceCall, 'cause' | 'shownWithinMs'>,
  ) => {
    const held = holdingOf(domain);
    if (held?.holder !== 'us') return refusal(510, 'Domain not found.');
    put(domain, { ...held, ...settings }, shownFromMs(shownWithinMs), world.nowMs());
    executedChanges.add(cause);
    world.trace(`service: ${domain} has ${JSON.stringify(settings)} by ${cause}`);
    return ok({});
  };

  let factor = 1;
  const firstPriceOf = (domain: string) => prices[domain.split('.').at(-1) ?? ''];
  const priceOf = (domain: string) => {
    const first = firstPriceOf(domain);
    return first && risen(first, factor);
  };

  const register = ({ fields, ...call }: ServiceCall): ServiceReply => {
    const domain = String(fields.domain);
    if (holdingOf(domain)) return refusal(2302, 'Object exists');
    const price = (priceOf(domain)?.registration ?? 0) * Number(fields.period);
    if (price > balance) return refusal(350, 'Insufficient balance');
    commit(domain, price, call, 'Active');
    return ok({ data: details(domain, holdingOf(domain)) });
  };

  const transfer = ({ fields, ...call }: ServiceCall): ServiceReply => {
    const domain = String(fields.domain);
    const held = holdingOf(domain);
    const isLost = held !== null && failedTransfers.has(held.status);
    if (held?.holder === 'us' && !isLost) return refusal(2002, 'Command use error');
    if (!held || fields.authCode !== authCode)
      return refusal(2202, `Invalid authorization ${authCode}`);
    const price = priceOf(domain)?.transfer ?? 0;
    if (price > balance) return refusal(350, 'Insufficient balance');
    commit(domain, price, call, 'WaitingForIncomingTransfer');
    return ok({ data: details(domain, holdingOf(domain)) });
  };

  const offers = (domain: string, staleMs: number) => {
    const [DomainName, TLD] = domain.split('.');
    const Status = holdingOf(domain, staleMs) ? 'notavailable' : 'available';
    const Price = moneyText(priceOf(domain)?.registration ?? 0);
    const fixed = { Command: 'create', Period: 1, IsFee: false, Currency: 'USD', Reason: null };
    return [{ ...fixed, TLD, DomainName, Status, Price }];
  };
  /** Some entries of a bulk reply are errors, empty or missing. */
  const bulkEntry = (domain: string, staleMs: number) => {
    const oddities = [[], undefined, { status: 'error', message: 'Timeout' }];
    return world.random.chance(oddEntries) ? world.random.pick(oddities) : offers(domain, staleMs);
  };

  const isSteady = () => world.nowMs() >= list.steadyAfterMs;
  const isOdd = () => list.oddRows > 0 && !isSteady() && world.random.chance(list.oddRows);
  /** The details of a domain; sometimes one member cannot be read. */
  const shown = (domain: string, holding: Holding | null) => ({
    ...details(domain, holding),
    ...(isOdd() && world.random.pick(oddMembers)),
  });
  const ordered = (rows: readonly (readonly [string, Holding])[]) => {
    if (list.order === 'name' || (list.order === 'shuffled' && isSteady())) return rows.toSorted();
    if (list.order === 'newest') {
      return rows.toSorted(([, one], [, other]) => other.registeredMs - one.registeredMs);
    }
    return rows
      .map((row) => ({ row, at: world.random.fraction() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ row }) => row);
  };
  const getdomainlist = ({ staleMs }: ServiceCall): ServiceReply => {
    const all = [...versions.keys()].flatMap((domain) => {
      const held = holdingOf(domain, staleMs);
      return held?.holder === 'us' ? [[domain, held] as const] : [];
    });
    const size = isOdd() ? world.random.index(list.pageSize) : list.pageSize;
    const page = ordered(all).slice(0, size);
    const Domains = page.map(([domain, held]) => {
      if (isOdd()) return { ...shown(domain, held), DomainName: null };
      recordListing(domain, held);
      return shown(domain, held);
    });
    world.trace(`service: lists ${Domains.map((row) => row.DomainName).join()} of ${all.length}`);
    return ok({ data: { Domains }, TotalCount: all.length });
  };

  const actions: Readonly<Record<string, (call: ServiceCall) => ServiceReply>> = {
    registerdomain: register,
    transferdomain: transfer,
    getdomainlist,
    getdetails({ fields, staleMs }) {
      const domain = String(fields.domain);
      const found = holdingOf(domain, staleMs);
      const held = found?.holder === 'us' ? found : null;
      record(domain, held);
      return held ? ok({ data: shown(domain, held) }) : refusal(510, 'Domain not found.');
    },
    singlecheckavailability: ({ fields, staleMs }) =>
      json(200, offers(String(fields.domain), staleMs)),
    bulkcheckavailability({ fields, staleMs }) {
      const names = fields.domains as readonly string[];
      const entries = names.map((name) => [name, bulkEntry(name, staleMs)]);
      return ok({
        status: 'success',
        availability: Object.fromEntries(entries.filter(([, entry]) => entry !== undefined)),
      });
    },
    modifynameserver({ fields, ...call }) {
      const nameServers = Object.values(fields.nameservers as Record<string, string>);
      return change(String(fields.domain), { nameServers }, call);
    },
    modifyprivacystatus: ({ fields, ...call }) =>
      change(String(fields.domain), { privacyProtected: fields.status === true }, call),
    disabletheftlock: ({ fields, ...call }) =>
      change(String(fields.domain), { transferLocked: false }, call),
    'DELETE /logs'({ cause }) {
      deletions.push(cause);
      return json(200, {});
    },
    tldlist: () => ok({ data: catalogueAt(factor) }),
    resellerdetails: () =>
      ok({
        id: 1,
        active: true,
        name: 'Simulated',
        balance: moneyText(balance),
        currency: 'USD',
        symbol: '$',
        balances: [{ balance: moneyText(balance), currency: 'USD', symbol: '$' }],
      }),
  };

  return {
    commits,
    /** The tokens with which logs were deleted. */
    deletions,
    /** The causes of the changes of settings that were made. */
    executedChanges,
    listings,
    replies,
    balance: () => balance,
    /** The price of a year before the prices rose. */
    firstPrice: (domain: string, isTransfer: boolean): number =>
      firstPriceOf(domain)?.[isTransfer ? 'transfer' : 'registration'] ?? 0,
    /** The price of a year now. */
    price: (domain: string, isTransfer: boolean): number =>
      priceOf(domain)?.[isTransfer ? 'transfer' : 'registration'] ?? 0,
    /** Multiplies all prices. */
    raisePrices(by: number): void {
      world.trace(`service: prices are ${by} times as high`);
      factor = by;
    },
    /** Whether the name was free at that time; names never become free again. */
    wasFree: (domain: string, msAgo: number) =>
      (takenAtMs.get(domain) ?? world.nowMs()) >= world.nowMs() - msAgo,
    /** Makes a name one that others registered long ago. */
    outside: (domain: string) =>
      put(
        domain,
        { holder: 'others', status: 'Active', registeredMs: -5e10 },
        Number.NEGATIVE_INFINITY,
      ),
    /** Makes a name one that the account registered long ago. */
    own: (domain: string) =>
      put(
        domain,
        { holder: 'us', status: 'Active', registeredMs: -5e10 },
        Number.NEGATIVE_INFINITY,
      ),
    /** A change at the control panel. */
    changeByHand: (domain: string, settings: Partial<Holding>) =>
      void change(domain, settings, { cause: 'hand', shownWithinMs: null }),
    /** Sets the holding of a domain; null when the account no longer has it. */
    put: (domain: string, holding: Holding | null, fromMs = world.nowMs()) => {
      world.trace(`service: ${domain} is ${JSON.stringify(holding)}`);
      put(domain, holding, fromMs);
    },
    domains: (): readonly string[] => [...versions.keys()],
    /** The versions of a domain from a time to now, oldest first; null is a time in which the account did not have it. */
    holdingsSince(domain: string, fromMs: number): readonly (Holding | null)[] {
      const known = versions.get(domain) ?? [];
      const first = known.findLastIndex((version) => version.atMs <= fromMs);
      const held = known.slice(Math.max(0, first)).map(({ holding }) => holding);
      const ours = held.map((holding) => (holding?.holder === 'us' ? holding : null));
      return first < 0 ? [null, ...ours] : ours;
    },
    /** Whether a domain of the account had such settings at a time from then to now. */
    had: (domain: string, fromMs: number, isSuch: (settings: Settings) => boolean): boolean => {
      const known = versions.get(domain) ?? [];
      const first = known.findLastIndex((version) => version.fromMs <= fromMs);
      return known
        .slice(Math.max(0, first))
        .some(
          ({ holding }) => holding?.holder === 'us' && isSuch({ ...firstSettings, ...holding }),
        );
    },
    /** Another reseller registers a free name. */
    takeByOthers(domain: string): void {
      if (!holdingOf(domain)) {
        put(domain, { holder: 'others', status: 'Active', registeredMs: world.nowMs() });
      }
    },
    /** A purchase at the control panel with the money of this account. No later read is stale about it. */
    buyByHand(domain: string): void {
      if (holdingOf(domain)) return;
      const price = priceOf(domain)?.registration ?? 0;
      commit(domain, price, { cause: 'hand', shownWithinMs: 0 }, 'Active');
    },
    handle: (call: ServiceCall): ServiceReply =>
      actions[call.action]?.(call) ?? refusal(200, 'Command not found'),
  };
}

const json = (status: number, body: unknown): ServiceReply => ({
  status,
  body: JSON.stringify(body),
});
const ok = (body: object) => json(200, { result: 'OK', ...body });

/** Upstreams echo requests in their messages, so this one echoes the login. */
export const refusal = (code: number | string, message: string, status = 400): ServiceReply =>
  json(status, {
    result: 'ERROR',
    error: {
      Code: `API_${code}_ERROR`,
      Message: message,
      Details: `${message} (${login.username}/${login.password})`,
    },
  });

/** Zone-less, as the service writes times: it means UTC. */
const zoneless = (ms: number) => `${new Date(epochMs + ms).toISOString().slice(0, -1)}0000`;

/** Members that no gateway can read. */
const oddMembers = [
  { NameServers: 'ns1.odd.example' },
  { LockStatus: 'perhaps' },
  { PrivacyProtectionStatus: [] },
  { Dates: 'soon' },
  { Status: [7] },
];

const details = (domain: string, holding: Holding | null) => ({
  ID: 7,
  Status: holding?.status ?? 'None',
  DomainName: domain,
  AuthCode: authCode,
  LockStatus: String(holding?.transferLocked ?? true),
  PrivacyProtectionStatus: String(holding?.privacyProtected ?? firstSettings.privacyProtected),
  IsChildNameServer: 'false',
  Contacts: {},
  Dates: {
    Start: zoneless(holding?.registeredMs ?? 0),
    Expiration: zoneless(holding?.expiresMs ?? (holding?.registeredMs ?? 0) + yearMs),
    RemainingDays: 365,
  },
  NameServers: holding?.nameServers ?? firstSettings.nameServers,
  Additional: [],
  ChildNameServers: [],
});

const risen = (price: { registration: number; transfer: number }, factor: number) => ({
  registration: Math.round(price.registration * factor),
  transfer: Math.round(price.transfer * factor),
});

const catalogueAt = (factor: number) =>
  Object.entries(prices).map(([tld, price], at) => ({
    ...rowOf(tld, risen(price, factor)),
    id: at + 1,
  }));

const rowOf = (
  tld: string,
  { registration, transfer }: { registration: number; transfer: number },
) => ({
  status: 'Active',
  tld,
  minchar: 2,
  maxchar: 63,
  minperiod: 1,
  maxperiod: 10,
  pricing: {
    registration: { 1: moneyText(registration) },
    renew: { 1: moneyText(registration) },
    transfer: { 1: moneyText(transfer), 2: moneyText(transfer) },
  },
  currencies: { registration: 'USD', renew: 'USD', transfer: 'USD' },
});
