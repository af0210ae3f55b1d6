import { type Money, money } from '../../src/kernel/money.ts';
import type { ReadRoad } from './network.ts';
import type { Random } from './random.ts';
import type { Holding, ListOfDomains } from './service.ts';

interface At {
  readonly atMs: number;
  readonly domain: string;
}

/** A change that a client of the gateway requests. */
export interface RequestedWrite extends At {
  readonly caller: string;
  readonly write:
    | { readonly nameServers: readonly string[] }
    | { readonly privacyProtected: boolean }
    | { readonly transferLocked: false };
}

/** The domains of a run whose changes are events, and how the processes find them. */
export interface PortfolioWeather {
  /** From this time on nothing fails. */
  readonly calmAfterMs: number;
  /** The end of the run: every difference is found by then. */
  readonly endsAtMs: number;
  /** A domain that a list shows from this time on has its events by the end. */
  readonly foundIfListedAfterMs: number;
  /** A domain that left before this time is removed by the end. */
  readonly removedIfLeftBeforeMs: number;
  readonly list: ListOfDomains;
  /** The maximum staleness of a list. */
  readonly listStaleMs: number;
  readonly owned: readonly { readonly domain: string; readonly holding: Holding }[];
  /** Changes at the control panel. */
  readonly byHand: readonly (At & { readonly change: Partial<Holding> })[];
  /** Domains that arrive in the account; null for one that leaves it. */
  readonly moves: readonly (At & { readonly holding: Holding | null })[];
  readonly writes: readonly RequestedWrite[];
  /** Names that a client adds to the ledger. */
  readonly imports: readonly { readonly atMs: number; readonly names: readonly string[] }[];
  /** Times at which a client reads the list. */
  readonly views: readonly number[];
  /** Clients that read the events. */
  readonly readers: number;
  readonly everyMs: number;
  readonly readsPerMinute: number;
  readonly expiryDays: readonly number[];
  readonly retentionMs: number;
  readonly balanceLow: readonly Money[];
  readonly renewalsDays: number;
  /** Whether nothing prevents that each write is recorded with its caller. */
  readonly recordsWrites: boolean;
  /** Whether statements of the journal fail. */
  readonly losesJournal: boolean;
  /** The maximum error of a clock, with its jumps. */
  readonly clockErrorMs: number;
  readonly maxPauseMs: number;
  readonly maxDowntimeMs: number;
  /** Times at which the upstream cannot be reached. */
  readonly upstreamOutages: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly journalOutages: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly lists: Readonly<Partial<Record<ReadRoad, number>>>;
  readonly details: Readonly<Partial<Record<ReadRoad, number>>>;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const goodReads = { ok: 1 };
const someReads = { ok: 80, stale: 8, slow: 4, reset: 3, silent: 1, page: 1, cut: 2, unlisted: 1 };
const badReads = {
  ...{ ok: 40, stale: 20, slow: 10, reset: 10, silent: 5, page: 5, cut: 5, htmlBefore: 3 },
  unlisted: 2,
};
const staleReads = { ok: 50, stale: 50 };

interface PortfolioTimes {
  /** The least and the longest time with faults. */
  readonly calmAfterMinutes: readonly [number, number];
  /** A difference is found so long after the faults, and a few intervals. */
  readonly foundWithinMs: number;
  readonly expiresWithinMs: number;
  readonly everyMs: readonly number[];
  readonly clockErrorMs: readonly number[];
  readonly listStaleMs: readonly number[];
  readonly retentionMinutes: readonly [number, number];
  readonly maxPauseMs: readonly number[];
  readonly maxDowntimeMs: number;
  readonly outageMs: { readonly upstream: number; readonly journal: number };
}

const hours: PortfolioTimes = {
  calmAfterMinutes: [30, 90],
  // The lease of a comparison, an interval, and the age at which a row is renewed.
  foundWithinMs: minute + hour + 20 * minute,
  expiresWithinMs: hour,
  everyMs: [2 * minute, 5 * minute, 10 * minute],
  // Two clocks differ by less than an hour: see `clockToleranceMs`.
  clockErrorMs: [0, 0, 5 * minute, 29 * minute],
  listStaleMs: [13_000, 4 * minute, 15 * minute],
  retentionMinutes: [10, 60],
  maxPauseMs: [1.5 * minute, 20 * minute],
  // With a portfolio a replica may be down, or the upstream unreachable, for as long.
  maxDowntimeMs: 20 * minute,
  outageMs: { upstream: 20 * minute, journal: 10 * minute },
};
/** A run costs less than a fifth. It is too short for a domain to be removed, and for a row to be renewed for its age. */
const minutes: PortfolioTimes = {
  calmAfterMinutes: [4, 10],
  foundWithinMs: 3 * minute,
  expiresWithinMs: 0,
  everyMs: [minute, 2 * minute],
  clockErrorMs: [0, 0, minute],
  listStaleMs: [13_000, 2 * minute],
  retentionMinutes: [1, 5],
  maxPauseMs: [1.5 * minute],
  maxDowntimeMs: minute,
  outageMs: { upstream: 2 * minute, journal: minute },
};
/** Two reads an hour apart, and retries. */
const removedWithinMs = 2 * hour + 20 * minute;

/** Chooses an account, of which the list of the upstream may show a part, and its changes. */
export function planPortfolio(random: Random, isShort: boolean): PortfolioWeather {
  const times = isShort ? minutes : hours;
  const calmAfterMs = random.between(...times.calmAfterMinutes) * minute;
  const clockErrorMs = random.pick(times.clockErrorMs);
  const everyMs = random.pick(times.everyMs);
  const endsAtMs = calmAfterMs + times.foundWithinMs + 3 * everyMs + 2 * clockErrorMs;
  const removedIfLeftBeforeMs = endsAtMs - removedWithinMs - 3 * everyMs - 4 * clockErrorMs;
  const isSoon = (atMs: number) => random.between(0, atMs);

  const names = Array.from({ length: 3 + random.index(6) }, (_, at) => `ours-${at}.com`);
  const arriving = Array.from({ length: random.index(4) }, (_, at) => `new-${at}.net`);
  const expiresMs = () =>
    random.pick([400 * day, 61 * day, 0, day, 7 * day]) +
    random.between(0, calmAfterMs + times.expiresWithinMs);
  const newHolding = (): Holding => ({
    ...{ holder: 'us', status: 'Active', registeredMs: -random.between(1, 900) * day },
    ...{ expiresMs: expiresMs(), transferLocked: random.chance(0.7) },
  });
  let values = 0;
  const uniqueHost = (by: string) => {
    values += 1;
    return `ns${values}.${by}.net`;
  };
  const handChange = (): Partial<Holding> =>
    random.pick([
      () => ({ nameServers: [uniqueHost('by-hand'), 'ns2.by-hand.net'] }),
      () => ({ nameServers: [uniqueHost('by-hand')] }),
      () => ({ privacyProtected: random.chance(0.5) }),
      () => ({ transferLocked: random.chance(0.5) }),
      () => ({ expiresMs: expiresMs() }),
      () => ({ status: random.pick(['Active', 'PendingDelete', 'WaitingForOutgoingTransfer']) }),
    ])();
  const byHand = Array.from({ length: 3 + random.index(20) }, () => ({
    ...{ atMs: isSoon(calmAfterMs), domain: random.pick([...names, ...arriving]) },
    change: handChange(),
  }));
  const leaving = Array.from({ length: random.index(3) }, () => ({
    ...{ atMs: isSoon(calmAfterMs), domain: random.pick(names), holding: null },
  }));
  const arrivals = [...arriving, ...leaving.map(({ domain }) => domain)].map((domain) => ({
    ...{ atMs: isSoon(calmAfterMs), domain, holding: newHolding() },
  }));
  const write = () =>
    random.pick([
      () => ({ nameServers: [uniqueHost('by-gateway')] }),
      () => ({ privacyProtected: random.chance(0.5) }),
      () => ({ transferLocked: false as const }),
    ])();
  const outages = (chance: number, maxMs: number) =>
    Array.from({ length: random.chance(chance) ? 1 + random.index(3) : 0 }, () => {
      const fromMs = isSoon(calmAfterMs);
      return { fromMs, toMs: Math.min(calmAfterMs, fromMs + random.between(1_000, maxMs)) };
    });
  const readsPerMinute = random.pick([1, 2, 6, 30]);
  // More first reads than a small budget allows in a minute.
  const absent = Array.from(
    { length: readsPerMinute === 1 ? 12 : 1 },
    (_, at) => `absent-${at}.com`,
  );
  const reads = () => random.pick([goodReads, someReads, badReads, staleReads]);

  return {
    ...{ calmAfterMs, endsAtMs, removedIfLeftBeforeMs, everyMs, clockErrorMs },
    // Of a short run, without a stale list that was requested before the calm: its rows may be left out from then on.
    foundIfListedAfterMs: isShort ? calmAfterMs + minute : calmAfterMs,
    list: {
      pageSize: 1 + random.index(names.length + 2),
      order: random.pick(['name', 'newest', 'shuffled']),
      oddRows: random.pick([0, 0, 0.05, 0.2]),
      // Else a row that is left out is read again after an hour only.
      steadyAfterMs: isShort ? calmAfterMs : Infinity,
    },
    listStaleMs: random.pick(times.listStaleMs),
    owned: names.map((domain) => ({ domain, holding: newHolding() })),
    byHand,
    moves: [...leaving, ...arrivals],
    writes: Array.from({ length: random.index(8) }, () => ({
      ...{ atMs: isSoon(calmAfterMs), domain: random.pick(names) },
      ...{ caller: random.pick(['shop', 'admin']), write: write() },
    })),
    imports: random.chance(0.4)
      ? [{ atMs: isSoon(calmAfterMs), names: [...arriving, random.pick(names), ...absent] }]
      : [],
    views: Array.from({ length: random.index(15) }, () => isSoon(endsAtMs)),
    readers: 1 + random.index(2),
    readsPerMinute,
    expiryDays: [60, 30, 7, 1],
    balanceLow: [money('995.0000', 'USD')],
    renewalsDays: 30,
    retentionMs: random.chance(0.25)
      ? random.between(...times.retentionMinutes) * minute
      : 90 * day,
    maxPauseMs: random.pick(times.maxPauseMs),
    maxDowntimeMs: times.maxDowntimeMs,
    upstreamOutages: outages(0.3, times.outageMs.upstream),
    journalOutages: outages(0.2, times.outageMs.journal),
    ...{ lists: reads(), details: reads(), recordsWrites: false, losesJournal: true },
  };
}
