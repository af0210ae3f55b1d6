import { afterEach, beforeEach } from 'vitest';
import type { Journal } from '../../src/persistence/journal.ts';
import type { Table } from '../../src/persistence/table.ts';

/** An empty store that accepts any number of connections. */
export interface JournalStore {
  connect(tables?: readonly Table[]): Promise<Journal>;
  /** Executes statements without the journal. */
  execute(sql: string): Promise<void>;
  /** All connections must be closed. */
  remove(): Promise<void>;
}

/** A new store for each test, whose connections are closed after it. */
export function useStore(createStore: () => Promise<JournalStore>) {
  let store: JournalStore;
  let open: Journal[];

  beforeEach(async () => {
    open = [];
    store = await createStore();
  });

  afterEach(async () => {
    for (const connected of open) await connected.close();
    await store.remove();
  });

  return {
    async connect(tables?: readonly Table[]): Promise<Journal> {
      const connected = await store.connect(tables);
      open.push(connected);
      return connected;
    },
    execute: (sql: string): Promise<void> => store.execute(sql),
  };
}
