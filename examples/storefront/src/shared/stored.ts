import { useSyncExternalStore } from 'react';

/** A value that survives a reload. */
export interface Stored<Value> {
  get(): Value;
  /** @throws when the browser cannot store it; the value is unchanged then. */
  set(change: (value: Value) => Value): void;
  subscribe(listener: () => void): () => void;
}

/**
 * The value under `name`; `initial` when there is none.
 *
 * `sessionStorage` ends with the tab. All tabs share `localStorage`, and each shows the changes of the others.
 */
export function createStored<Value>(storage: Storage, name: string, initial: Value): Stored<Value> {
  let value = read();
  const listeners = new Set<() => void>();
  const show = (now: Value) => {
    value = now;
    for (const listener of listeners) listener();
  };
  addEventListener('storage', (event) => {
    if (event.storageArea === storage && event.key === name) show(read());
  });
  return {
    get: () => value,
    set(change) {
      // Another tab may have changed it a moment ago.
      const changed = change(read());
      storage.setItem(name, JSON.stringify(changed));
      show(changed);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function read(): Value {
    try {
      return JSON.parse(storage.getItem(name) ?? 'null') ?? initial;
    } catch {
      return initial;
    }
  }
}

export const useStored = <Value>({ subscribe, get }: Stored<Value>): Value =>
  useSyncExternalStore(subscribe, get);
