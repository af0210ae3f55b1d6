import type { Storage as Kept } from '@graphiql/toolkit';

/**
 * The browser's storage, apart for each kind of surroundings: a tab of the sandbox must not open over a live account.
 * Headers hold keys and tokens, so none of them is ever written.
 */
export const createStorage = (storage: Storage, surroundings: string): Kept => {
  const prefix = `${surroundings}:`;
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

/** Tabs and history are JSON, and have the headers of each query beside it. */
function withoutHeaders(name: string, value: string): string {
  if (!/(?:tabState|queries|favorites)$/.test(name)) return value;
  // The hash of a tab is made of its headers, too.
  const kept = (member: string, one: unknown) => (/^(?:headers|hash)$/.test(member) ? null : one);
  return JSON.stringify(JSON.parse(value, kept));
}
