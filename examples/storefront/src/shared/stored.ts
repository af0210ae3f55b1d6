import { useSyncExternalStore } from 'react';

/** A value that survives a reload and ends with the tab. */
export interface Stored<Value> {
  get(): Value;
  set(change: (value: Value) => Value): void;
  subscribe(listener: () => void): () => void;
}

/** The value under `name` in `sessionStorage`; `initial` when there is none. */
export function createStored<Value>(name: string, initial: Value): Stored<Value> {
  let value = read(name) ?? initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      value = change(value);
      sessionStorage.setItem(name, JSON.stringify(value));
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function read(key: string): Value | null {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? 'null');
    } catch {
      return null;
    }
  }
}

export const useStored = <Value>({ subscribe, get }: Stored<Value>): Value =>
  useSyncExternalStore(subscribe, get);
