import type { Database } from './database.ts';

export interface HostingGroup {
  readonly id: string;
  readonly user: string;
  readonly hostingGroupName: string;
  readonly hostingGroupDescription: string;
  readonly hostingGroupImage: string;
  readonly updatedAtMs: number;
}

/** The data of the Account API: tokens, carts, hosting groups, logs. A user is the username of a reseller. */
export function createHostingStore({ all, get, run }: Database) {
  const selectGroups =
    'SELECT id, user, name AS hostingGroupName, description AS hostingGroupDescription, image AS hostingGroupImage, updated_at AS updatedAtMs FROM hosting_groups';
  type FoundGroup = HostingGroup | undefined;

  return {
    userOf: (token: string) =>
      get('SELECT user FROM tokens WHERE token = ?', token)?.user as string | undefined,
    /** Begins a session; it ends the previous one of the user. */
    beginSession(token: string, user: string): void {
      run('DELETE FROM tokens WHERE user = ?', user);
      run('INSERT INTO tokens (token, user) VALUES (?, ?)', token, user);
    },
    endToken: (token: string) => run('DELETE FROM tokens WHERE token = ?', token),
    addCart: (id: string, user: string, items: readonly object[], total: number, atMs: number) =>
      run(
        'INSERT INTO carts (id, user, details, total, created_at) VALUES (?, ?, ?, ?, ?)',
        ...[id, user, JSON.stringify(items), total, atMs],
      ),
    carts: () =>
      all('SELECT * FROM carts ORDER BY rowid').map(({ details, created_at, ...row }) => ({
        ...row,
        cartDetails: JSON.parse(String(details)),
        createdAt: iso(created_at),
      })),
    group: (user: string, id: string) =>
      get(`${selectGroups} WHERE user = ? AND id = ?`, user, id) as FoundGroup,
    latestGroup: (user: string) =>
      get(
        `${selectGroups} WHERE user = ? ORDER BY updated_at DESC, rowid DESC LIMIT 1`,
        user,
      ) as FoundGroup,
    groups: () => all(`${selectGroups} ORDER BY rowid`),
    saveGroup: (group: HostingGroup) =>
      run(
        `INSERT INTO hosting_groups (id, user, name, description, image, updated_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
         image = excluded.image, updated_at = excluded.updated_at`,
        ...[group.id, group.user, group.hostingGroupName, group.hostingGroupDescription],
        ...[group.hostingGroupImage, group.updatedAtMs],
      ),
    removeGroup: (id: string) => run('DELETE FROM hosting_groups WHERE id = ?', id),
    log: (user: string, atMs: number, text: string) =>
      run('INSERT INTO logs (user, at, text) VALUES (?, ?, ?)', user, atMs, text),
    clearLogs: (user: string) => run('DELETE FROM logs WHERE user = ?', user),
    logs: () =>
      all('SELECT * FROM logs ORDER BY id').map(({ at, ...row }) => ({ ...row, at: iso(at) })),
  };
}

const iso = (ms: unknown) => new Date(Number(ms)).toISOString();
