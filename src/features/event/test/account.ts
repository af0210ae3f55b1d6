import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { account } from '../../../../test/persistence/claims.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import {
  a,
  b,
  c,
  readBalances,
  readPrice,
  rowOf,
} from '../../../../test/support/modules/event-rows.ts';
import type { OnCall } from '../../../../test/support/modules/fates.ts';
import {
  createSimulatedClock,
  dayMs,
  hourMs,
  minuteMs,
  secondMs,
} from '../../../../test/support/simulated-clock.ts';
import type { DomainName } from '../../../kernel/domain-name.ts';
import { Fault } from '../../../kernel/faults.ts';
import type { Money } from '../../../kernel/money.ts';
import type { Clock } from '../../../lib/clock.ts';
import { CacheRevision } from '../../../lib/lazy.ts';
import type { DomainApi } from '../../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { createLedger } from '../../portfolio/ledger.ts';
import { createSnapshot } from '../../portfolio/snapshot.ts';
import type { EventRecord } from '../log.ts';
import { Publisher } from '../publisher.ts';
import type { EventStore } from '../store.ts';
import { Watcher } from '../watcher.ts';
import { createWriteLog } from '../write-log.ts';
import { openEventJournal } from './journal.ts';

export const intervalMs = 5 * minuteMs;
/** The end of the lease of a replica that was killed. */
export const leaseMs = 30 * secondMs;
export const quietWindowMs = 2 * minuteMs;

const executeAtOnce: OnCall = (_method, execute) => execute();

/** The object with `onCall` around each of its methods. */
const intercept = <Store extends object>(store: Store, onCall: OnCall): Store =>
  Object.fromEntries(
    Object.entries(store).map(([method, run]) => [
      method,
      (...args: readonly unknown[]) => onCall(method, () => run(...args)),
    ]),
  ) as Store;

interface ReplicaOptions {
  readonly onCall?: OnCall;
  readonly onLedgerCall?: OnCall;
  readonly everyMs?: number;
  readonly retentionMs?: number;
  readonly balanceLow?: readonly Money[];
  readonly renewalsDays?: number;
  readonly clock?: Clock;
}

/** An account at the upstream, and replicas with one SQLite journal that watch it. */
export async function createAccount(names: readonly DomainName[]) {
  const time = createSimulatedClock();
  const folder = await newFolder('events');
  const connect = () => openEventJournal(join(folder, 'journal.db'));
  const journal = await connect();
  const opened = [journal.close];
  onTestFinished(async () => {
    for (const close of opened.toReversed()) await close();
    await rm(folder, { recursive: true });
  });
  /** What the upstream lists. */
  const rows = new Map(names.map((name) => [name, rowOf(name)]));
  /** The balances by currency, and the prices by TLD, such as `RENEWAL 1 10.0000 USD`. */
  const balances = new Map<string, string>();
  const prices = new Map<string, readonly string[]>();
  const errors: unknown[] = [];
  const otherCalls: string[] = [];
  let calls = 0;
  let list = async () => {};
  let uuids = 0;
  const randomness = {
    fraction: () => 0,
    uuid() {
      uuids += 1;
      return `id-${String(uuids).padStart(6, '0')}`;
    },
  };

  return {
    time,
    rows,
    errors,
    journal,
    balances,
    prices,
    /** The calls other than `getdomainlist`, in their order. */
    otherCalls,
    calls: () => calls,
    /**
     * Lets `ms` pass with the process suspended until the last `awakeMs`. A replica polls every ten seconds: events that
     * are due before that time are found once, at its begin.
     */
    async passSuspended(ms: number, awakeMs = hourMs): Promise<void> {
      time.advance(ms - awakeMs);
      await time.pass(awakeMs);
    },
    /** Sets what the next lists do before they are sent. */
    onList(work: () => Promise<void>): void {
      list = work;
    },
    change(name: DomainName, changes: Partial<DomainDetails>): void {
      rows.set(name, rowOf(name, { ...rows.get(name), ...changes }));
    },
    /** The upstream no longer has the domain, and the background reads have found this. */
    async remove(name: DomainName): Promise<void> {
      rows.delete(name);
      await journal.ledger.markListed(account, [name], false);
      await journal.ledger.remove(account, name, time.clock.now());
    },
    /** Starts the publisher of events of a replica. */
    async startPublisher(onCall: OnCall = executeAtOnce): Promise<Publisher> {
      const own = await connect();
      opened.push(own.close);
      return new Publisher({
        ...{ store: intercept<EventStore>(own.events, onCall), account, clock: time.clock },
        ...{ isEnabled: true, onError: (error) => errors.push(error) },
      });
    },
    async startReplica(options: ReplicaOptions = {}) {
      const { onCall = executeAtOnce, onLedgerCall = executeAtOnce } = options;
      const { everyMs = intervalMs, retentionMs = 90 * dayMs, clock = time.clock } = options;
      const { balanceLow = [], renewalsDays = 0 } = options;
      const own = await connect();
      opened.push(own.close);
      const api = {
        async getdomainlist() {
          calls += 1;
          await list();
          return { domains: [...rows.values()], totalCount: rows.size };
        },
        async resellerdetails() {
          otherCalls.push('resellerdetails');
          return readBalances(balances);
        },
        async tldlist() {
          otherCalls.push('tldlist');
          const tlds = [...prices].map(([name, texts]) => ({ name, prices: texts.map(readPrice) }));
          // A row without a name cannot be read.
          const named = tlds.filter(({ name }) => name !== '');
          const hasEveryRow = named.length === tlds.length;
          return { tlds: named, rowCount: tlds.length, hasEveryRow };
        },
      } as unknown as DomainApi;
      const store = intercept(own.ledger, onLedgerCall);
      const ledger = createLedger({
        store,
        account,
        clock,
        onDue: () => undefined,
        onError: () => undefined,
      });
      const revision = new CacheRevision();
      const snapshot = createSnapshot({ api, clock, revision, maxAgeMs: minuteMs, ledger });
      const watcher = new Watcher({
        onRenewalsCovered: () => undefined,
        journal: own,
        store: intercept<EventStore>(own.events, onCall),
        writes: own.domainWrites,
        ...{ api, ledger, snapshot, account, clock, randomness },
        ...{ everyMs, retentionMs, expiryDays: [30, 7], balanceLow, renewalsDays, quietWindowMs },
        onError: (error) => errors.push(error),
      });
      return {
        ledger,
        snapshot,
        writeLog: createWriteLog({
          ...{ store: own.domainWrites, events: own.events, account, clock, randomness },
          ...{ isEnabled: true, onEvent: () => undefined },
          onError: (error) => errors.push(error),
        }),
        async close() {
          await watcher.close();
          snapshot.close();
        },
      };
    },
    events: (): Promise<readonly EventRecord[]> => journal.events.list(account, { limit: 100_000 }),
    /** The events without the facts that differ between runs. */
    async facts() {
      const found = await journal.events.list(account, { limit: 100_000 });
      return found.map(({ type, subject, before, after }) => [type, subject, before, after]);
    },
    /** The source and the caller of each event. */
    async causes() {
      const found = await journal.events.list(account, { limit: 100_000 });
      return found.map(({ type, source, caller }) => [type, source, caller]);
    },
  };
}

/** Lets a test fail, delay or end the calls of a store. */
export function createSwitch() {
  let failing = (_method: string): boolean => false;
  const calls: string[] = [];
  const onCall: OnCall = async (method, execute) => {
    calls.push(method);
    if (failing(method)) throw new Fault('JOURNAL_UNAVAILABLE');
    return execute();
  };
  return {
    onCall,
    calls,
    /** Methods that fail until this is called again. */
    fail(...methods: readonly string[]): void {
      failing = (method) => methods.includes(method);
    },
  };
}

/** An account with one replica that has stored the first states. */
export async function startWatched(names: readonly DomainName[] = [a, b, c]) {
  const upstream = await createAccount(names);
  const { onCall, ...journal } = createSwitch();
  const { onCall: onLedgerCall, ...ledger } = createSwitch();
  const replica = await upstream.startReplica({ onCall, onLedgerCall });
  await upstream.time.pass(secondMs);
  return { ...upstream, replica, journalCalls: journal, ledgerCalls: ledger };
}
