import { money } from '../../src/kernel/money.ts';
import type { ScopedLimits, SpendLimits } from '../../src/kernel/spend-limits.ts';
import { type ApprovalWeather, planApprovals } from './approval-weather.ts';
import type { Buyer } from './buyers.ts';
import type { EndpointRoad } from './endpoint.ts';
import { type ChangeWeather, noChanges, planChanges } from './change-weather.ts';
import type { ReadRoad, Roadmap, WriteRoad } from './network.ts';
import { noOrders, type OrderWeather, planOrders } from './order-weather.ts';
import { type PaymentWeather, planPayments } from './payment-weather.ts';
import { type PortfolioWeather, planPortfolio } from './portfolio-weather.ts';
import type { PriceWeather } from './price-weather.ts';
import type { Random } from './random.ts';

export type StepFault = 'crash' | 'pause';

/** What a process does with the world outside of it: a statement, a call, or the arrival of a reply. */
export interface Step {
  readonly what: string;
  readonly side: 'before' | 'after' | 'reply';
  /** Its name in the code; null for a read of the journal. */
  readonly point: string | null;
}

/** The probabilities that a process pauses at a step. */
interface PauseChances {
  /** After the mark of a purchase and after the lease of a line. */
  readonly critical: number;
  readonly other: number;
}

/**
 * A call that is sent too late does damage only when another replica reads in the meantime. With pauses everywhere that replica is
 * mostly paused too.
 */
const pauses = {
  critical: { critical: 0.3, other: 0 },
  everywhere: { critical: 0.1, other: 0.02 },
  none: { critical: 0, other: 0 },
} satisfies Record<string, PauseChances>;
export const noPauses: PauseChances = pauses.none;

/** The faults and the buyers of a run. */
export interface Weather {
  readonly replicas: number;
  readonly buyers: readonly Buyer[];
  readonly orders: OrderWeather;
  readonly changes: ChangeWeather;
  /** The domains whose changes are events; null in a run without them. */
  readonly portfolio: PortfolioWeather | null;
  /** The rules and the clients of approvals; null in a run without them. */
  readonly approvals: ApprovalWeather | null;
  /** The clients that report payments; null in a run without paid orders. */
  readonly payments: PaymentWeather | null;
  /** What happens to the requests of the one webhook; absent in a run without one. */
  readonly endpoint?: EndpointRoad;
  /** Costs that rise in a shop with fixed prices; null in a run without them. */
  readonly prices: PriceWeather | null;
  /** The spend limits; `caller` of a buyer is the name of a key. */
  readonly limits: ScopedLimits;
  /** The times of availability checks. */
  readonly looks: readonly number[];
  readonly names: readonly string[];
  /** Names that others have from the start; the others are free. */
  readonly outside: readonly string[];
  readonly takenByOthers: readonly { readonly atMs: number; readonly domain: string }[];
  readonly boughtByHand: readonly { readonly atMs: number; readonly domain: string }[];
  /** The share of entries without a result in bulk checks. */
  readonly oddEntries: number;
  readonly roads: Roadmap;
  /** From `calmAfterMs` on. */
  readonly calmRoads: Roadmap;
  readonly calmAfterMs: number;
  /** The maximum number of crashes, and their probability per step. */
  readonly crashes: number;
  readonly crashChance: number;
  /** Chooses a crash, or a pause, instead of a random number. */
  readonly faultAt?: (process: string, step: Step) => StepFault | null;
  readonly reconcileEveryMs: number;
  /** Failures that open a breaker; few, so that breakers open during purchases. */
  readonly breakerOpensAfter: number;
  readonly pauses: PauseChances;
  /** The maximum duration of a statement. */
  readonly journalMs: number;
  readonly journalFailChance: number;
  readonly journalOutages: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** The maximum error of wall clocks. */
  readonly skewMs: number;
  readonly clockJumps: readonly {
    readonly atMs: number;
    readonly byMs: number;
    readonly replica: number;
  }[];
}

const clearReads: Partial<Record<ReadRoad, number>> = { ok: 1 };
const fairReads: Partial<Record<ReadRoad, number>> = {
  ok: 90,
  stale: 6,
  slow: 2,
  reset: 1,
  page: 1,
};
const badReads: Partial<Record<ReadRoad, number>> = {
  ok: 50,
  stale: 30,
  slow: 6,
  reset: 4,
  silent: 2,
  page: 3,
  cut: 2,
  htmlBefore: 2,
  unlisted: 1,
};
const staleReads: Partial<Record<ReadRoad, number>> = { ok: 25, stale: 75 };
const deafReads: Partial<Record<ReadRoad, number>> = {
  ok: 1,
  reset: 45,
  page: 40,
  silent: 10,
  unlisted: 4,
};

const badWrites: Partial<Record<WriteRoad, number>> = {
  ok: 20,
  refused: 4,
  reset: 8,
  lostAnswer: 10,
  late: 20,
  neverAnswered: 14,
  swallowed: 6,
  cut: 4,
  brokenInside: 3,
  htmlBefore: 2,
  empty: 3,
  pageBefore: 3,
  pageAfter: 4,
  unlistedBefore: 2,
  unlistedAfter: 2,
  failedAfter: 3,
  refusalUnder500: 2,
  busy: 2,
  definiteRefusal: 4,
  refusedAfter: 4,
  otherDomain: 1,
  oddName: 0.5,
  oddData: 2,
  failedStatus: 2,
  twice: 4.5,
};

/** Without those that only purchases have, and with more refusals, which may follow a lost reply. */
const badSettings: Partial<Record<WriteRoad, number>> = {
  ...badWrites,
  definiteRefusal: 14,
  refusedAfter: 0,
  otherDomain: 0,
  oddName: 0,
  oddData: 0,
  failedStatus: 0,
};

/** Executed as late as possible, to find verdicts that are slightly too early. */
const lateWrites: Partial<Record<WriteRoad, number>> = { late: 1, neverAnswered: 1 };

const minute = 60_000;
/** Of `simulate.ts`. */
const quietMs = 20_000;
/** Orders take longer than single purchases. */
const ordersChance = 0.25;

/** Chooses the faults of a run. No run has all of them, because some bugs only show without other faults. */
export function planWeather(random: Random): Weather {
  const maybe = <T>(probability: number, then: T, otherwise: T): T =>
    random.chance(probability) ? then : otherwise;
  const replicas = random.weighted({ 1: 35, 2: 50, 3: 15 } as Record<string, number>);
  const domains = Array.from({ length: 1 + random.index(4) }, (_, at) =>
    maybe(0.75, `free-${at}.com`, `outside-${at}.net`),
  );
  const hasOrders = random.chance(ordersChance);
  const spread = maybe(0.5, 300, 30_000);
  const maxPrices = new Map(
    domains.map((domain) => [domain, maybe(0.85, null, maybe(0.5, '10.0000', '14.0000'))]),
  );
  const keys = ['k1', 'k2', 'k3', 'k4'];
  const buyers = Array.from(
    { length: hasOrders ? 1 + random.index(3) : 2 + random.index(5) },
    (): Buyer => {
      const domain = random.pick(domains);
      const kind = domain.startsWith('outside') ? 'TRANSFER' : 'REGISTRATION';
      return {
        kind,
        domain,
        period: kind === 'TRANSFER' ? 1 : maybe(0.85, 1, 2),
        key: maybe(0.85, random.pick(keys), null),
        caller: maybe(0.6, 'shop', null),
        maxPrice: maxPrices.get(domain) ?? null,
        startsAfterMs: random.between(0, spread),
        hangsUpAfterMs: maybe(0.85, null, random.between(10, 4_000)),
      };
    },
  );
  const reads = random.weighted({ clear: 20, bad: 30, stale: 20, deaf: 15, late: 15 });
  // Three purchases of a line that cannot be read take an hour, which is slow to simulate.
  const isShort = hasOrders && reads === 'deaf' && random.chance(0.8);
  const isDeafForLong = random.chance(0.4);
  const roads: Roadmap = {
    writes: reads === 'late' ? lateWrites : maybe(0.85, badWrites, { ok: 1 }),
    settings: reads === 'late' ? lateWrites : badSettings,
    reads: {
      clear: clearReads,
      bad: badReads,
      stale: staleReads,
      deaf: badReads,
      late: staleReads,
    }[reads],
    checks: reads === 'clear' ? clearReads : fairReads,
  };
  const outside = ['outside-1.net', ...domains.filter((domain) => domain.startsWith('outside'))];
  const jumpMs = () => random.between(-45, 45) * minute;
  return {
    replicas: Number(replicas),
    buyers,
    limits: random.chance(0.35)
      ? {
          GATEWAY: {
            perHour: 1 + random.index(hasOrders ? 12 : 4),
            perDay: [
              money(
                random.pick(hasOrders ? ['40.0000', '90.0000'] : ['12.0000', '25.0000', '60.0000']),
                'USD',
              ),
            ],
          },
          KEY: maybe<SpendLimits>(
            0.5,
            { perCall: [money('14.0000', 'USD')], tlds: ['com'] },
            { perHour: hasOrders ? 6 : 1, longestPeriod: 1 },
          ),
        }
      : { GATEWAY: {}, KEY: {} },
    looks: random.chance(0.3) ? [random.between(0, 30_000), random.between(0, 30_000)] : [],
    names: [...new Set([...domains, 'outside-1.net', 'free-1.com', 'free-2.com'])],
    outside,
    takenByOthers: random.chance(0.15)
      ? [{ atMs: random.between(0, 20_000), domain: random.pick(domains) }]
      : [],
    boughtByHand: random.chance(0.15)
      ? [{ atMs: random.between(0, 20_000), domain: random.pick(domains) }]
      : [],
    oddEntries: hasOrders ? maybe(0.5, 0, 0.1) : 0.4,
    roads,
    calmRoads: reads === 'deaf' && !isShort ? { ...roads, reads: deafReads } : roads,
    calmAfterMs:
      reads === 'deaf' ? random.between(500, 5_000) : isDeafForLong ? minute : 10 * minute,
    crashes: random.weighted({ 0: 40, 1: 30, 2: 20, 4: 10 } as Record<
      string,
      number
    >) as unknown as number,
    crashChance: 0.03,
    reconcileEveryMs: random.pick([2_000, 5_000, 10_000]),
    breakerOpensAfter: random.pick([1, 2, 10]),
    pauses: pauses[random.weighted({ critical: 10, everywhere: 15, none: 75 })],
    journalMs: random.pick([5, 10, 300]),
    journalFailChance: maybe(0.2, 0.02, 0),
    journalOutages: random.chance(0.1)
      ? [10_000, 60_000].map((span) => {
          const fromMs = random.between(0, 60_000);
          return { fromMs, toMs: fromMs + random.between(100, span) };
        })
      : [],
    skewMs: maybe(0.5, 0, 5 * minute),
    clockJumps: random.chance(0.3)
      ? Array.from({ length: 1 + random.index(2) }, () => ({
          atMs: random.between(0, 60_000),
          byMs: jumpMs(),
          replica: random.index(Number(replicas)),
        }))
      : [],
    orders: hasOrders ? planOrders(random, { domains, outside }) : noOrders,
    changes: noChanges,
    portfolio: null,
    approvals: null,
    payments: null,
    prices: null,
  };
}

/** The weather with jobs that change many domains, instead of purchases. */
export const withChanges = (random: Random, weather: Weather): Weather => ({
  ...weather,
  ...{ buyers: [], looks: [], orders: noOrders },
  // Domains that cannot be read for fifteen minutes are slow to simulate.
  calmRoads: random.chance(0.2) ? weather.calmRoads : weather.roads,
  changes: planChanges(random),
});

/** The weather with purchases, or bulk changes, that need the approval of another person. */
export function withApprovals(random: Random, weather: Weather): Weather {
  const clockJumps = random.chance(0.7) ? [] : weather.clockJumps;
  const jumpMs = clockJumps.reduce((sum, { byMs }) => sum + Math.abs(byMs), 0);
  const hasOrders = weather.orders.buyers.length > 0;
  const approvals = planApprovals(random, weather.skewMs + jumpMs, hasOrders);
  const callers = random.chance(0.9) ? ['shop'] : ['shop', 'shop', null];
  const firstNames = random.chance(0.5) ? ['Ada'] : ['Ada', 'Ada', 'Bob'];
  return {
    ...{ ...weather, approvals, clockJumps },
    // Most purchases wait, so that the time until they are settled says nothing about the service.
    buyers: weather.buyers.map((buyer) => ({
      ...{ ...buyer, caller: random.pick(callers), firstName: random.pick(firstNames) },
      period: buyer.kind === 'REGISTRATION' && random.chance(0.2) ? 2 : buyer.period,
    })),
    orders: {
      ...weather.orders,
      buyers: weather.orders.buyers.map((buyer) => ({ ...buyer, caller: 'shop' })),
    },
  };
}

/** The weather with orders that are paid before their lines are sent, or some of them. */
export function withPayments(random: Random, weather: Weather): Weather {
  const payments = planPayments(random);
  const orders =
    weather.orders.buyers.length > 0
      ? weather.orders
      : planOrders(random, { domains: ['free-0.com'], outside: weather.outside });
  const unpaid = random.chance(0.3) ? random.pick(orders.buyers).key : null;
  const paid = orders.buyers.map((buyer) =>
    buyer.key === unpaid ? buyer : { ...buyer, expiresAfter: payments.expiresAfter },
  );
  return { ...weather, payments, orders: { ...orders, buyers: paid } };
}

/** The weather with buyers of whom most cancel a purchase that waits for an approval. */
export const withCancellations = (random: Random, weather: Weather): Weather => ({
  ...weather,
  buyers: weather.buyers.map((buyer) =>
    random.chance(0.75) ? { ...buyer, cancelsAfterMs: random.between(0, minute) } : buyer,
  ),
});

/** The weather with transfers of one domain, of which many fail, and reads that may show how an earlier one ended. */
export function withTransfers(random: Random, weather: Weather): Weather {
  const domain = 'outside-1.net';
  const buyers = Array.from(
    { length: 6 },
    (_, at): Buyer => ({
      ...{ kind: 'TRANSFER', domain, period: 1, key: `k${at}`, caller: null, maxPrice: null },
      ...{ startsAfterMs: random.between(0, 5 * minute), hangsUpAfterMs: null },
    }),
  );
  const roads = { ...weather.roads, reads: staleReads };
  return {
    ...{ ...weather, buyers, looks: [], orders: noOrders, outside: [domain] },
    ...{ limits: { GATEWAY: {}, KEY: {} }, roads, calmRoads: roads },
  };
}

/** The weather of some hours in which the gateway compares the domains of the account. Few purchases are made beside it. */
export function withPortfolio(random: Random, weather: Weather, isShort: boolean): Weather {
  const portfolio = planPortfolio(random, isShort);
  const { calmAfterMs, clockErrorMs, listStaleMs, journalOutages } = portfolio;
  const { details: reads, lists: checks } = portfolio;
  const isSoon = () => random.between(0, calmAfterMs);
  const buyers = weather.buyers
    .slice(0, random.index(3))
    .map((buyer) => ({ ...buyer, startsAfterMs: isSoon() }));
  // One jump each, so that no clock is further from the time than `clockErrorMs`.
  const clockJumps = Array.from(
    { length: clockErrorMs > 0 ? weather.replicas : 0 },
    (_, replica) => ({
      ...{ replica, atMs: isSoon(), byMs: random.between(-clockErrorMs, clockErrorMs) / 2 },
    }),
  );
  const crashes = random.index(8);
  const pauses = random.chance(0.3) ? { critical: 0.01, other: 0.002 } : noPauses;
  const journalFailChance = random.chance(0.3) ? 0.005 : 0;
  const isUndisturbed = crashes + pauses.other + journalFailChance + clockErrorMs === 0;
  const losesJournal = journalOutages.length > 0 || journalFailChance > 0;
  // A list that is older than the quiet window ends the record of a write that it does not show.
  const recordsWrites = isUndisturbed && journalOutages.length === 0 && listStaleMs < quietMs;
  return {
    ...weather,
    portfolio: { ...portfolio, recordsWrites, losesJournal },
    ...{ buyers, looks: [], orders: noOrders, calmAfterMs, journalOutages, clockJumps },
    roads: { writes: weather.roads.writes, settings: badSettings, reads, checks },
    calmRoads: { writes: { ok: 1 }, settings: { ok: 1 }, reads: clearReads, checks: clearReads },
    // Hours have many steps.
    ...{ crashes, crashChance: 0.002, pauses, journalFailChance },
    reconcileEveryMs: 20_000,
    skewMs: clockErrorMs / 2,
  };
}
