import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { newFolder } from '../../../../test/support/folder.ts';
import { createSimulatedClock } from '../../../../test/support/simulated-clock.ts';
import { type DomainName, parseDomainName } from '../../../kernel/domain-name.ts';
import { Fault } from '../../../kernel/faults.ts';
import { CacheRevision } from '../../../lib/lazy.ts';
import type { CallOptions } from '../../../upstream/client/operation.ts';
import type { DomainApi } from '../../../upstream/domain-api/domain-api.ts';
import { type DomainDetails, domainRow } from '../../../upstream/domain-api/shapes.ts';
import { createBackgroundReads } from '../background-reads.ts';
import { createLedger } from '../ledger.ts';
import type { LedgerStore } from '../ledger-store.ts';
import type { Portfolio } from '../portfolio.ts';
import { createSnapshot } from '../snapshot.ts';
import { type LedgerJournal, openLedgerJournal } from './journal.ts';

export const account = 'reseller-1';
export const listMaxAgeMs = 60_000;

export const numbered = (count: number): readonly DomainName[] =>
  Array.from({ length: count }, (_, at) =>
    parseDomainName(`name-${String(at).padStart(3, '0')}.com`),
  );

const membersOf = (name: DomainName, status: string) => ({
  ...{ DomainName: name, ID: 1, Status: status, NameServers: [] },
  Dates: { Start: '2025-01-31T12:00:00', Expiration: '2027-01-31T12:00:00', RemainingDays: 365 },
});

/** A row as the upstream sends it. */
export function rowOf(name: DomainName, status = 'Active'): DomainDetails {
  const row = domainRow({ ...membersOf(name, status), AuthCode: 'secret' });
  if (!row) throw new Error(`${name} has no row.`);
  return row;
}

interface ProcessOptions {
  readonly perMinute?: number;
  readonly maxAgeMs?: number;
  readonly isWatched?: boolean;
  /** Changes the methods of the store. */
  readonly store?: (store: LedgerStore) => LedgerStore;
  /** How far the wall clock of the process is ahead. */
  readonly aheadMs?: number;
}

/** One account with an upstream that lists a part of it, and processes that share one journal. */
export function useKnownPortfolio() {
  let folder: string;
  let time: ReturnType<typeof createSimulatedClock>;
  let journals: LedgerJournal[];
  let closings: (() => Promise<void>)[];
  /** The domains of the account, with their status. */
  let owned: Map<DomainName, string>;
  let listed: Set<DomainName>;
  /** The upstream fails for these. */
  let failing: Map<DomainName, Error>;
  let listFailure: Error | null;
  let reads: { readonly name: DomainName; readonly atMs: number }[];
  let lists: number;
  /** How long a call takes. */
  let callMs: { list: number; details: number };
  let errors: unknown[];

  beforeEach(async () => {
    folder = await newFolder('ledger');
    time = createSimulatedClock();
    [journals, closings, reads, errors] = [[], [], [], []];
    [owned, listed, failing] = [new Map(), new Set(), new Map()];
    lists = 0;
    listFailure = null;
    callMs = { list: 0, details: 0 };
  });

  afterEach(async () => {
    for (const close of closings) await close();
    for (const journal of journals) await journal.close();
    await rm(folder, { recursive: true });
  });

  const waitCall = async (ms: number, { signal }: CallOptions) => {
    signal?.throwIfAborted();
    if (ms > 0) await time.clock.wait(ms, signal);
  };
  const api = {
    async getdomainlist(_request: object, options: CallOptions) {
      lists += 1;
      const names = [...listed].filter((name) => owned.has(name));
      const totalCount = owned.size;
      await waitCall(callMs.list, options);
      if (listFailure) throw listFailure;
      const rows = names.map((name) => rowOf(name, owned.get(name)));
      const { rowSink } = options;
      if (!rowSink) return { domains: rows, totalCount };
      rowSink.begin(domainRow);
      for (const row of rows) {
        const members = membersOf(row.name, String(row.status));
        const digest = JSON.stringify(members);
        if (!rowSink.takeKnown(digest)) await rowSink.take(row, members, digest);
      }
      return { domains: [], totalCount };
    },
    async getdetails({ domain }: { domain: DomainName }, options: CallOptions) {
      reads.push({ name: domain, atMs: time.clock.monotonicMs() });
      const status = owned.get(domain);
      await waitCall(callMs.details, options);
      const failure = failing.get(domain);
      if (failure) throw failure;
      if (status === undefined) throw new Fault('NOT_FOUND');
      return rowOf(domain, status);
    },
  } as unknown as DomainApi;

  const open = async (): Promise<LedgerJournal> => {
    const journal = await openLedgerJournal(join(folder, 'journal.db'));
    journals.push(journal);
    return journal;
  };

  return {
    open,
    /** A gateway process. Its background reads have begun. */
    async start(owner = 'one', { store: change, ...options }: ProcessOptions = {}) {
      const { perMinute = 60, maxAgeMs = listMaxAgeMs, aheadMs = 0, isWatched = false } = options;
      const journal = await open();
      const store = change?.(journal.ledger) ?? journal.ledger;
      const clock = {
        ...time.clock,
        now: () => new Date(time.clock.now().getTime() + aheadMs),
      };
      const revision = new CacheRevision();
      const onError = (error: unknown) => void errors.push(error);
      let wake = (): void => undefined;
      const ledger = createLedger({ store, account, clock, onDue: () => wake(), onError });
      const snapshot = createSnapshot({ api, clock, revision, maxAgeMs, ledger });
      const background = createBackgroundReads({
        ...{ store, ledger, snapshot, api, account, clock, owner, perMinute, onError },
        isWatched,
      });
      wake = background.wake;
      const close = async () => {
        await background.close();
        snapshot.close();
      };
      closings.push(close);
      return { journal, store, ledger, snapshot, background, revision, close };
    },
    /** The account has these domains; the list has those of the second argument. */
    own(names: readonly DomainName[], inList: readonly DomainName[] = []): void {
      owned = new Map(names.map((name) => [name, 'Active']));
      listed = new Set(inList);
    },
    setStatus: (name: DomainName, status: string) => void owned.set(name, status),
    lose: (name: DomainName) => void owned.delete(name),
    list: (name: DomainName, isListed = true) =>
      void (isListed ? listed.add(name) : listed.delete(name)),
    fail: (name: DomainName, failure: Error | null = new Fault('UPSTREAM_UNAVAILABLE')) =>
      void (failure ? failing.set(name, failure) : failing.delete(name)),
    failList: (failure: Error | null) => {
      listFailure = failure;
    },
    slow: (ms: Partial<typeof callMs>) => {
      callMs = { ...callMs, ...ms };
    },
    pass: (ms: number) => time.pass(ms),
    now: () => time.clock.now(),
    /** The waits of all processes that have not ended. */
    waits: () => time.waits(),
    clock: () => time.clock,
    /** The names that were read by `getdetails` since the last call of this function, in order. */
    takeReads: (): readonly DomainName[] => reads.splice(0).map(({ name }) => name),
    /** When each read began. */
    readTimes: () => reads.map(({ atMs }) => atMs),
    lists: () => lists,
    errors: () => errors,
  };
}

export const statusOf = ({ index }: Portfolio, name: DomainName) =>
  index.find(name)?.status ?? null;
