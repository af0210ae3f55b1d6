import { useSyncExternalStore } from 'react';

/** The fragment of the address: `#/portfolio?state=ACTIVE`. */
export interface Route {
  /** Such as `/portfolio`; `/` is the search. */
  readonly path: string;
  readonly parameters: URLSearchParams;
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [, query = ''] = hash.split('?');
  return { path: pathOf(hash), parameters: new URLSearchParams(query) };
}

const pathOf = (hash: string): string => hash.slice(1).split('?')[0] || '/';

/** Stores parameters of the page at `path` in the address for a reload, without an entry in the browser's history. */
export function rememberParameters(path: string, values: Readonly<Record<string, string>>): void {
  // The browser may have left the page since it was rendered.
  if (pathOf(location.hash) !== path) return;
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  history.replaceState(null, '', `#${path}${query && `?${query}`}`);
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** The address of the page of a domain; `name` in any spelling. */
export const domainAddress = (name: string): string => `#/domain/${encodeURIComponent(name)}`;

/** The address of the page of a transfer; `key` is that of its purchase. */
export const transferAddress = (key: string): string => `#/transfers/${encodeURIComponent(key)}`;
