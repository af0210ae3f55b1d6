import type { EventRecord } from '../../src/features/event/log.ts';
import type { Portfolio } from '../../src/features/portfolio/portfolio.ts';
import { firstReadsPerMinute } from '../../src/features/portfolio/settings.ts';
import { createEventChains, type Field, fieldOfType, type Row } from './event-chains.ts';
import type { PortfolioWeather, RequestedWrite } from './portfolio-weather.ts';
import type { Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

/** What the checks of events use of those of purchases. */
interface PortfolioChecks {
  readonly world: World;
  readonly store: SharedStore;
  readonly service: Service;
  readonly weather: PortfolioWeather;
  readonly count: (what: string) => void;
  /** Checks the outcome of a purchase that an event reports. */
  readonly checkOutcome: (id: string, state: string) => void;
}

/** An event as it was stored first. */
interface Stored {
  readonly position: number;
  readonly id: string;
}

const isSet = (write: RequestedWrite['write'], field: Field, after: unknown): boolean => {
  const value = Object.entries(write).find(([name]) => name === field)?.[1];
  return value !== undefined && [value].flat().join(' ') === after;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A cached list is returned up to this age. */
const maxCachedMs = 10 * minuteMs;
/** From the time at which a process counts its reads to the end of the statement that takes the next ones. */
const takingMs = 1_500;
/** Reads that a process has begun before a pause. */
const readsTogether = 4;

/**
 * Checks the known domains and the events against the promises D1 to D8, by the true history of the service.
 *
 * - D1: The events of each field are a chain from its first value to its true value. A domain that arrived in a
 *   list, or left the account, has its event.
 * - D2: No event is stored twice. Each event has a value that a reply of the service showed since the event before
 *   it. Each limit of an expiry date is passed once.
 * - D3: A reader that continues at its cursor on any replica receives each event once, in order. Only a cursor
 *   before a deleted event is refused.
 * - D4: Positions only increase, and an event has one position until it is deleted.
 * - D5: The ledger has each domain that a list showed or a client added. It removes a domain after two reads that
 *   are an hour apart, and within a day.
 * - D6: Background reads are within their budget per minute, over all replicas.
 * - D7: A list counts each known domain, unless the journal fails. A list that is reported as complete has a row
 *   for each known domain, and for as many domains as the service counts.
 * - D8: A purchase that has settled is one event for its outcome. Only a change that a caller requested has the
 *   source `GATEWAY`, with that caller.
 *
 * The service lists a part of the account, and other parties change, add and remove domains. Rows are stale or
 * cannot be read.
 *
 * A stale reply can cause an event and, at the next reply, its reversal. The gateway does not prevent this:
 * replies have no version, and a second read before each event would delay all events by an interval.
 *
 * D6 allows four reads more for each pause, because a paused replica has counted its reads before the pause, and
 * twice the budget when clocks differ. D7 has one exception: a domain that left is counted in place of one that
 * arrived, until a read no longer finds it. The service counts domains without their names.
 */
export function createPortfolioHistory({
  world,
  store,
  service,
  weather,
  count,
  checkOutcome,
}: PortfolioChecks) {
  const { clockErrorMs, listStaleMs } = weather;
  /** The longest time of a call, with its retries. */
  const maxCallMs = minuteMs;
  /** The longest pause of a process, with the calls that it waits for. */
  const maxPauseMs = weather.maxPauseMs + maxCallMs;
  const chains = createEventChains({ world, service, weather });
  /** Every event that was ever stored, in the order of the positions. */
  const events: Stored[] = [];
  let deletedUntil = 0;
  /** Since when the ledger has each domain. */
  const knownSinceMs = new Map<string, number>();
  /** Since when the last read of a domain did not find it. */
  const missingSinceMs = new Map<string, number>();
  /** Names that a client has added, and those of them that the account had then. */
  const tracked = new Set<string>();
  const imported = new Map<string, number>();
  const requested: RequestedWrite[] = [];
  /** The purchases and outcomes that events reported. */
  const reported = new Set<string>();
  /** The purchases that had ended when the first comparison ended: they may have no event. */
  const endedBefore = new Set<unknown>();
  let hasBegun = false;
  /** The values that were in an event. */
  const sources = new Set<string>();
  let reads: readonly { readonly atMs: number; readonly isFirst: boolean }[] = [];
  let pausesNearby: number[] = [];
  let hasPaused = false;

  const addNewEvents = () => {
    const last = events.at(-1)?.position ?? 0;
    for (const row of store.rows(
      'select * from events where position > ? order by position',
      last,
    )) {
      const event = { position: Number(row.position), id: String(row.id) };
      world.trace(
        `event ${event.position} ${row.type} ${row.subject} ${row.before} -> ${row.after} ${row.source} ${row.caller}`,
      );
      if (events.some(({ id }) => id === event.id)) {
        world.violate('D2', `the event ${event.id} is stored again as ${event.position}`);
      }
      count(`event ${row.type}`);
      events.push(event);
      chains.add(row);
      if (row.type === 'PURCHASE_SETTLED') checkPurchase(row);
      else if (row.purchase_id === null) checkSource(row);
    }
  };

  const endedPurchases = () =>
    store.rows("select * from purchases where state in ('SUCCEEDED', 'FAILED', 'UNKNOWN')");

  /** D8: a settled purchase is an event with its caller. */
  const checkPurchase = (row: Row) => {
    const [id, state] = [String(row.purchase_id), String(row.after)];
    const purchase = endedPurchases().find((one) => one.id === id);
    if (purchase?.state !== state) {
      world.violate('D8', `${id} is reported as ${state}, and is ${purchase?.state}`);
    }
    if (row.source !== 'GATEWAY' || row.caller !== purchase?.caller) {
      world.violate('D8', `the event of ${id} has the caller ${row.caller}`);
    }
    checkOutcome(id, state);
    reported.add(`${id} ${state}`);
  };

  /** D8: only a change that a caller requested is of the gateway. Each value of name servers is set once. */
  const checkSource = (row: Row) => {
    // Of a request, not of a domain.
    if (String(row.type).startsWith('APPROVAL_')) return;
    const field = fieldOfType[String(row.type)];
    const writes = requested.filter(
      ({ domain, write }) => row.domain === domain && field && isSet(write, field, row.after),
    );
    const isOfCaller = writes.some(({ caller }) => caller === row.caller);
    if (row.source === 'GATEWAY' && !isOfCaller) {
      world.violate('D8', `${row.after} of ${row.subject} is of ${row.caller}, who did not set it`);
    }
    const isFirst = !sources.has(`${row.subject} ${row.after}`);
    sources.add(`${row.subject} ${row.after}`);
    const isCertain = isFirst && field === 'nameServers' && writes.length > 0;
    if (isCertain && weather.recordsWrites && row.source !== 'GATEWAY') {
      world.violate('D8', `${row.after} of ${row.subject} was set by the gateway`);
    }
    if (field) count(`source ${row.source}`);
  };

  /** D4: the stored events are the last ones of all events, at their positions. */
  const checkPositions = () => {
    const [log] = store.rows('select * from event_logs');
    const deleted = Number(log?.deleted_until ?? 0);
    if (deleted < deletedUntil)
      world.violate('D4', `deleted until ${deletedUntil}, then ${deleted}`);
    deletedUntil = deleted;
    if (log?.recorded_since && !hasBegun) {
      hasBegun = true;
      chains.begin();
      for (const { id } of endedPurchases()) endedBefore.add(id);
    }
    const rows = store.rows('select position, id from events order by position');
    const expected = events.slice(events.length - rows.length);
    const isSame = rows.every(
      ({ position, id }, at) => expected[at]?.position === position && expected[at]?.id === id,
    );
    if (!isSame) world.violate('D4', 'an event has another position than before');
    const gone = events.at(-rows.length - 1);
    if (gone && gone.position > deleted) {
      world.violate('D4', `the event ${gone.position} is gone, and only ${deleted} were deleted`);
    }
  };

  const checkLedger = () => {
    const known = new Map(
      store
        .rows('select domain, removed_at, missing_at from known_domains')
        .filter((row) => row.removed_at === null)
        .map((row) => [String(row.domain), row]),
    );
    for (const [domain, row] of known) {
      if (!knownSinceMs.has(domain)) knownSinceMs.set(domain, world.nowMs());
      if (row.missing_at === null) missingSinceMs.delete(domain);
      else if (!missingSinceMs.has(domain)) missingSinceMs.set(domain, world.nowMs());
    }
    for (const domain of knownSinceMs.keys()) {
      if (known.has(domain)) continue;
      knownSinceMs.delete(domain);
      world.trace(`the ledger removes ${domain}`);
      checkRemoved(domain);
    }
  };

  /** D5: a domain is removed only when two reads, an hour apart, did not find it. */
  const checkRemoved = (domain: string) => {
    const absentMs = (service.replies.get(domain) ?? [])
      .filter(({ holding }) => holding === null)
      .map(({ atMs }) => atMs);
    const isLate = (absentMs.at(-1) ?? 0) < world.nowMs() - maxPauseMs;
    const apartMs = (absentMs.at(-1) ?? 0) - (absentMs[0] ?? 0);
    // The process counts from its requests, which reach the service later.
    const laterMs = hasPaused ? maxPauseMs : maxCallMs;
    const isEarly = !tracked.has(domain) && apartMs < hourMs - 2 * clockErrorMs - laterMs;
    if (isLate || isEarly) world.violate('D5', `the ledger removed ${domain} too early`);
  };

  const isOurs = (domain: string) => service.holdingsSince(domain, world.nowMs())[0] !== null;

  return {
    /** Compares the tables with their last state, after each statement that may have changed them. */
    written(sql: string): void {
      if (/known_domains/.test(sql)) checkLedger();
      if (/\bevent/.test(sql)) {
        addNewEvents();
        checkPositions();
      }
    },

    /** The cause of a change that is sent. */
    sent: (action: string, { domain, nameservers, status }: Readonly<Record<string, unknown>>) =>
      `${action} ${JSON.stringify({ domain, nameservers, status })}`,

    requested(write: Omit<RequestedWrite, 'atMs'>): void {
      requested.push({ ...write, atMs: world.nowMs() });
    },
    /** A client is about to add names. */
    tracks(names: readonly string[]): void {
      for (const name of names) tracked.add(name);
    },
    imported(names: readonly string[]): void {
      for (const name of names) if (isOurs(name)) imported.set(name, world.nowMs());
    },

    paused(): void {
      hasPaused = true;
      pausesNearby.push(world.nowMs());
    },
    /** D6: the reads of a minute, over all replicas. Only first reads, until one has shown the domain or its absence, exceed the budget. */
    readInBackground(isFirst: boolean): void {
      const now = world.nowMs();
      count('background reads');
      const fromMs = now - minuteMs + takingMs;
      reads = [...reads, { atMs: now, isFirst }].filter(({ atMs }) => atMs > fromMs);
      pausesNearby = pausesNearby.filter((atMs) => atMs > now - minuteMs - 2 * maxPauseMs);
      // Clocks that differ count the reads of another minute.
      const clocks = clockErrorMs > 0 ? 2 : 1;
      const { readsPerMinute } = weather;
      const renewals = reads.filter((read) => !read.isFirst);
      for (const [made, budget] of [
        [reads.length, firstReadsPerMinute(readsPerMinute)],
        [renewals.length, readsPerMinute],
      ] as const) {
        const most = budget * clocks + readsTogether * pausesNearby.length;
        if (made > most) world.violate('D6', `${made} reads in a minute, ${most} may be`);
      }
    },

    /** D7: a list counts each known domain. One that is complete has each domain that was counted or known when it was requested. */
    viewed({ index, complete, knownCount }: Portfolio, requestedAtMs: number): void {
      count(`viewed ${complete}`);
      const fromMs = requestedAtMs - maxCachedMs - listStaleMs - maxPauseMs;
      const known = [...knownSinceMs.values()].filter((sinceMs) => sinceMs < fromMs).length;
      // A list is served without the ledger while the journal is away.
      if (knownCount < known && !weather.losesJournal) {
        world.violate('D7', `a list counts ${knownCount} known domains, and ${known} are known`);
      }
      if (!complete) return;
      const names = new Set<string>(index.names());
      const missing = service
        .domains()
        .filter((domain) => !service.holdingsSince(domain, fromMs).includes(null))
        .filter((domain) => !names.has(domain));
      const wasKnown = missing.find((domain) => (knownSinceMs.get(domain) ?? Infinity) < fromMs);
      if (wasKnown) world.violate('D7', `a complete list has no row of ${wasKnown}`);
      // The upstream counts domains without their names. One that left takes the place of one that arrived, until a read misses it.
      const left = [...names].filter(
        (domain) =>
          service.holdingsSince(domain, fromMs).includes(null) &&
          (missingSinceMs.get(domain) ?? Infinity) > fromMs,
      );
      if (missing.length > left.length) {
        world.violate('D7', `a complete list has no row of ${missing.join()}`);
      }
    },

    startReader() {
      let cursor = 0;
      return {
        cursor: () => cursor,
        receive({ position, id }: EventRecord): void {
          count('events received');
          const next = events.find((event) => event.position > cursor);
          if (next?.position !== position || next.id !== id) {
            world.violate(
              'D3',
              `a reader at ${cursor} receives ${position}, not ${next?.position}`,
            );
          }
          cursor = position;
        },
        /** A refusal of the cursor. Returns whether it was right. */
        refused(): boolean {
          if (cursor >= deletedUntil) return false;
          count('cursors refused');
          cursor = deletedUntil;
          return true;
        },
        close(): void {
          const last = events.at(-1)?.position ?? 0;
          if (cursor < last)
            world.violate('D3', `a reader ended at ${cursor}, and ${last} is stored`);
        },
      };
    },

    /** Checks at the end of the run that every difference was found. */
    close(): void {
      chains.close();
      for (const { id, state } of endedPurchases()) {
        if (!endedBefore.has(id) && !reported.has(`${id} ${state}`)) {
          world.violate('D8', `${id} is ${state}, and no event reported it`);
        }
      }
      for (const [domain, listedAtMs] of service.listings) {
        // A reply before that may have been lost.
        const isSeen = (listedAtMs.at(-1) ?? 0) > weather.calmAfterMs + maxPauseMs;
        if (isSeen && isOurs(domain) && !knownSinceMs.has(domain)) {
          world.violate('D5', `${domain} was listed, and is not in the ledger`);
        }
      }
      for (const [domain, atMs] of imported) {
        // A stale first read does not find a domain that has just arrived: it seems never to have been in the account.
        const isMissed = (service.replies.get(domain) ?? []).some(
          (reply) => reply.holding === null && reply.atMs >= atMs,
        );
        if (isMissed) continue;
        if (isOurs(domain) && !knownSinceMs.has(domain)) {
          world.violate('D5', `${domain} was imported, and is not in the ledger`);
        }
      }
      for (const domain of knownSinceMs.keys()) {
        const held = service.holdingsSince(domain, weather.removedIfLeftBeforeMs);
        if (held.every((holding) => holding === null)) {
          world.violate('D5', `${domain} left the account, and is still in the ledger`);
        }
      }
    },
  };
}
