import type { Storage as GraphiqlStorage } from '@graphiql/toolkit';

/**
 * The browser's storage, separate for each environment: a tab of the sandbox must not open over a live account.
 * It never stores headers, because they hold keys and tokens.
 */
export const createStorage = (storage: Storage, environment: string): GraphiqlStorage => {
  const prefix = `${environment}:`;
  const names = () => Object.keys(storage).filter((name) => name.startsWith(prefix));
  return {
    get length() {
      return names().length;
    },
    getItem: (name) => storage.getItem(prefix + name),
    setItem(name, value) {
      if (!/headers/i.test(name)) storage.setItem(prefix + name, withoutHeaders(name, value));
    },
    removeItem: (name) => storage.removeItem(prefix + name),
    clear() {
      for (const name of names()) storage.removeItem(name);
    },
  };
};

/** Tabs and history are JSON and contain the headers of each query. */
function withoutHeaders(name: string, value: string): string {
  if (!/(?:tabState|queries|favorites)$/.test(name)) return value;
  // The hash of a tab depends on its headers.
  const clear = (member: string, one: unknown) => (/^(?:headers|hash)$/.test(member) ? null : one);
  return JSON.stringify(JSON.parse(value, clear));
}
