import { afterEach, beforeEach } from 'vitest';
import type { Journal } from '../../src/persistence/store.ts';

/** An empty store of its own, to which a test may connect as often as it likes. */
export interface JournalStore {
  connect(): Promise<Journal>;
  /** Statements behind the journal's back. */
  execute(sql: string): Promise<void>;
  /** Every connection is closed before. */
  remove(): Promise<void>;
}

/** A new store for each test around it, whose connections are closed at its end. */
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
    async connect(): Promise<Journal> {
      const connected = await store.connect();
      open.push(connected);
      return connected;
    },
    execute: (sql: string): Promise<void> => store.execute(sql),
  };
}
