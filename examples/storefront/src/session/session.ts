/** Who is signed in. The token itself is in a cookie that no script can read. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** Whether it is of the reseller. The token of any other account is bound to a customer. */
  readonly isStaff: boolean;
}

interface Session {
  /** Null for a visitor. */
  readonly account: Account | null;
  /** ISO 8601. */
  readonly expiresAt: string | null;
  /** Whether the account pays its orders with a card. */
  readonly paysByCard: boolean;
  /** The demo signs in to any of them. */
  readonly accounts: readonly Account[];
}

const visitor: Session = { account: null, expiresAt: null, paysByCard: false, accounts: [] };

const read = async (): Promise<Session> => {
  const response = await fetch('/session');
  return response.ok ? response.json() : visitor;
};

/** It never changes while the page is loaded: each sign-in and sign-out loads the page again, without the data of before. */
export const { account, expiresAt, paysByCard, accounts } = await read().catch(() => visitor);

export const isStaff = account?.isStaff === true;

/** Other tabs load their pages again too, so that none of them buys for another customer. */
const tabsKey = 'session-changed';

const reload = (hash: string) => {
  location.hash = hash;
  location.reload();
};

async function change(method: 'POST' | 'DELETE', hash: string, body: object): Promise<boolean> {
  const response = await fetch('/session', {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!response?.ok) return false;
  localStorage.setItem(tabsKey, new Date().toISOString());
  reload(hash);
  return true;
}

/** Resolves to false when it is refused or the shop cannot be reached. `hash`: the page to continue with. */
export const signIn = (id: string, hash: string): Promise<boolean> =>
  change('POST', hash, { account: id });

/** Removes what this browser has stored for the account, then ends the session. */
export function signOut(): Promise<boolean> {
  for (const key of Object.keys(localStorage)) {
    if (key.endsWith(storageName(''))) localStorage.removeItem(key);
  }
  sessionStorage.clear();
  return change('DELETE', '#/', {});
}

/** A name in a storage of the browser that no other account uses. */
export const storageName = (name: string): string => `${name} of ${account?.id ?? 'visitor'}`;

/** Loads the page again when the session ends, or changes in another tab. */
export function watchSession(): void {
  addEventListener('storage', ({ key }) => key === tabsKey && location.reload());
  if (expiresAt === null) return;
  const end = () => reload('#/sign-in?ended=true');
  const remainingMs = new Date(expiresAt).getTime() - Date.now();
  // A timer of a browser has 31 bits.
  setTimeout(end, Math.min(Math.max(0, remainingMs), 2 ** 31 - 1));
}
