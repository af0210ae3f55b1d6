import { type Kysely, sql } from 'kysely';
import type { NewEvent } from '../../src/features/event/log.ts';
import type { LedgerStore } from '../../src/features/portfolio/ledger-store.ts';
import type { JournalTables } from '../../src/persistence/tables.ts';
import { createReplace, type Mutant, type Replacement, withMethods } from './replacements.ts';

// As `mutants.ts`: this file must not load a module of the gateway.

interface Modules {
  'src/features/event/compare.ts': typeof import('../../src/features/event/compare.ts');
  'src/features/event/explanation.ts': typeof import('../../src/features/event/explanation.ts');
  'src/features/portfolio/ledger.ts': typeof import('../../src/features/portfolio/ledger.ts');
  'src/features/event/store.ts': typeof import('../../src/features/event/store.ts');
  'src/persistence/journal.ts': typeof import('../../src/persistence/journal.ts');
  'src/persistence/leases.ts': typeof import('../../src/persistence/leases.ts');
  'src/features/portfolio/ledger-store.ts': typeof import('../../src/features/portfolio/ledger-store.ts');
}

type Database = Kysely<JournalTables & import('../../src/features/event/table.ts').EventTables>;
type Events = ReturnType<Modules['src/features/event/store.ts']['createEventStore']>;

const replace = createReplace<Modules>();
const mutant = (name: string, ...replacements: Replacement[]): Mutant => ({ name, replacements });

const withEvents = (change: (events: Events, db: Database) => Partial<Events>) =>
  replace('src/features/event/store.ts', 'createEventStore', (create) => (db) => {
    const events = create(db);
    return withMethods('events', events, change(events, db as Database));
  });

const withLedgerStore = (change: (store: LedgerStore) => Partial<LedgerStore>) =>
  replace('src/features/portfolio/ledger-store.ts', 'createLedgerStore', (create) => (db) => {
    const store = create(db);
    return withMethods('ledgerStore', store, change(store));
  });

const leaseUnchecked = replace(
  'src/persistence/leases.ts',
  'ownsLease',
  () => () => sql<boolean>`1 = 1`,
);

/** Changes the events that a process stored before it ended, before this one publishes them. */
const beforeFirstPublish = (change: (db: Database) => Promise<unknown>) =>
  withEvents((events, db) => {
    let isFirst = true;
    return {
      async publish(...call) {
        // A failure of the journal is no bug.
        if (isFirst) await change(db).catch(() => undefined);
        isFirst = false;
        return events.publish(...call);
      },
    };
  });

const settled = new WeakMap<Database, Set<string>>();
/** The purchases that a process has settled. */
const settledIn = (db: Database): Set<string> => {
  const ids = settled.get(db) ?? new Set();
  settled.set(db, ids);
  return ids;
};

let newIds = 0;
const newId = () => {
  newIds += 1;
  return `new-${newIds}`;
};

/** Typical bugs of the known domains and of events. */
export const portfolioMutants: readonly Mutant[] = [
  mutant(
    'state-of-a-slow-owner-overwrites-a-newer-one',
    leaseUnchecked,
    withEvents((events) => ({
      async change(account, owner, changes) {
        const stored = await events.watched(account, null, 1_000);
        const seen = new Map(stored.map((one) => [one.subject, one.seen]));
        const forced = changes.map((one) => ({ ...one, before: seen.get(one.subject) ?? null }));
        return events.change(account, owner, forced);
      },
    })),
  ),
  mutant(
    'outbox-dropped-after-a-crash',
    beforeFirstPublish((db) => db.deleteFrom('outbox').execute()),
  ),
  mutant(
    'event-id-that-is-new-after-a-restart',
    beforeFirstPublish(async (db) => {
      const rows = await db.selectFrom('outbox').select(['number', 'events']).execute();
      for (const { number, events } of rows) {
        const found: readonly NewEvent[] = [JSON.parse(events)].flat();
        const renamed = JSON.stringify(found.map((event) => ({ ...event, id: newId() })));
        await db
          .updateTable('outbox')
          .set({ events: renamed })
          .where('number', '=', number)
          .execute();
      }
    }),
  ),
  mutant(
    'position-that-is-used-again-after-a-deletion',
    withEvents((_events, db) => ({
      async deleteBefore(account, time) {
        await db
          .deleteFrom('events')
          .where('account', '=', account)
          .where('at', '<', time.toISOString())
          .execute()
          .catch(() => undefined);
        return false;
      },
    })),
  ),
  mutant(
    'page-that-begins-with-the-cursor',
    withEvents((events) => ({
      list: (account, { after, ...page }) =>
        events.list(account, { ...page, ...(after !== undefined && { after: after - 1 }) }),
    })),
  ),
  mutant(
    'unreadable-field-taken-for-a-change',
    replace(
      'src/features/event/compare.ts',
      'stateOf',
      (stateOf) => (row, _before, comparing) => stateOf(row, null, comparing),
    ),
  ),
  mutant(
    'any-write-taken-for-the-cause',
    replace('src/features/event/explanation.ts', 'createExplanations', (create) => (writes) => {
      const explanations = create(writes);
      return {
        ...explanations,
        causeOf(domain, difference) {
          const write = writes.find((one) => one.domain === domain);
          return write
            ? { source: 'GATEWAY', caller: write.caller, purchaseId: null }
            : explanations.causeOf(domain, difference);
        },
      };
    }),
  ),
  mutant(
    'purchase-that-another-process-settled-has-no-event',
    replace('src/persistence/journal.ts', 'createJournal', (create) => (db) => {
      const journal = create(db);
      return withMethods('journal', journal, {
        async move(id, ...transition) {
          settledIn(db as Database).add(id);
          return journal.move(id, ...transition);
        },
      });
    }),
    withEvents((events, db) => ({
      async publish(...call) {
        const own = JSON.stringify([...settledIn(db)]);
        // A failure of the journal is no bug.
        await sql`delete from outbox
          where events ->> 'purchaseId' not in (select value from json_each(${own}))`
          .execute(db)
          .catch(() => undefined);
        return events.publish(...call);
      },
    })),
  ),
  mutant(
    'domain-removed-after-one-missing-read',
    withLedgerStore((store) => ({
      saveMissing: async (account, name, { at }) => void (await store.remove(account, name, at)),
    })),
  ),
  mutant(
    'absence-in-the-list-taken-for-removal',
    replace('src/features/portfolio/ledger.ts', 'createLedger', (create) => (options) => {
      const ledger = create(options);
      return withMethods('ledger', ledger, {
        async names() {
          const known = await options.store.known(options.account, null, 100_000);
          return new Set(known.filter(({ unlisted }) => !unlisted).map(({ name }) => name));
        },
      });
    }),
  ),
  mutant(
    'known-domain-hidden-by-the-list-of-another-replica',
    replace('src/features/portfolio/ledger.ts', 'createLedger', (create) => (options) => {
      const ledger = create(options);
      let last = new Set<string>();
      return withMethods('ledger', ledger, {
        async record(names) {
          const before = last;
          last = new Set(names);
          const recorded = await ledger.record(names);
          const leftOut = recorded.leftOut.filter(
            ({ name, unlisted }) => unlisted || before.has(name),
          );
          return { ...recorded, leftOut };
        },
      });
    }),
  ),
  mutant(
    'reads-that-are-not-counted',
    withLedgerStore(() => ({ countTaken: async () => 0 })),
  ),
];
