import type { Database } from './database.ts';

export interface CartItem {
  readonly description: string;
  readonly quantity: number;
  readonly price: number;
  readonly total: number;
  readonly productType: string;
}

export interface HostingGroup {
  readonly id: string;
  readonly user: string;
  readonly hostingGroupName: string;
  readonly hostingGroupDescription: string;
  readonly hostingGroupImage: string;
  readonly updatedAtMs: number;
}

type Row = Readonly<Record<string, unknown>>;

/** What the Account API keeps: tokens, carts, hosting groups, logs. A user is a reseller's username. */
export interface HostingStore {
  userOf(token: string): string | undefined;
  /** Begins a session; the session that the user had ends. */
  beginSession(token: string, user: string): void;
  endToken(token: string): void;
  addCart(id: string, user: string, items: readonly CartItem[], total: number, atMs: number): void;
  carts(): readonly Row[];
  group(user: string, id: string): HostingGroup | undefined;
  latestGroup(user: string): HostingGroup | undefined;
  saveGroup(group: HostingGroup): void;
  removeGroup(id: string): void;
  groups(): readonly HostingGroup[];
  log(user: string, atMs: number, text: string): void;
  clearLogs(user: string): void;
  logs(): readonly Row[];
}

export function createHostingStore(database: Database): HostingStore {
  const group =
    'id, user, name AS hostingGroupName, description AS hostingGroupDescription, image AS hostingGroupImage, updated_at AS updatedAtMs';
  const sql = {
    userOf: database.prepare('SELECT user FROM tokens WHERE token = ?'),
    endSession: database.prepare('DELETE FROM tokens WHERE user = ?'),
    addToken: database.prepare('INSERT INTO tokens (token, user) VALUES (?, ?)'),
    endToken: database.prepare('DELETE FROM tokens WHERE token = ?'),
    addCart: database.prepare(
      'INSERT INTO carts (id, user, details, total, created_at) VALUES (?, ?, ?, ?, ?)',
    ),
    carts: database.prepare('SELECT * FROM carts ORDER BY rowid'),
    group: database.prepare(`SELECT ${group} FROM hosting_groups WHERE user = ? AND id = ?`),
    latest: database.prepare(
      `SELECT ${group} FROM hosting_groups WHERE user = ? ORDER BY updated_at DESC, rowid DESC LIMIT 1`,
    ),
    groups: database.prepare(`SELECT ${group} FROM hosting_groups ORDER BY rowid`),
    saveGroup: database.prepare(
      `INSERT INTO hosting_groups (id, user, name, description, image, updated_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
       image = excluded.image, updated_at = excluded.updated_at`,
    ),
    removeGroup: database.prepare('DELETE FROM hosting_groups WHERE id = ?'),
    log: database.prepare('INSERT INTO logs (user, at, text) VALUES (?, ?, ?)'),
    clearLogs: database.prepare('DELETE FROM logs WHERE user = ?'),
    logs: database.prepare('SELECT * FROM logs ORDER BY id'),
  };

  return {
    userOf: (token) => sql.userOf.get(token)?.user as string | undefined,
    beginSession(token, user) {
      sql.endSession.run(user);
      sql.addToken.run(token, user);
    },
    endToken: (token) => void sql.endToken.run(token),
    addCart: (id, user, items, total, atMs) =>
      void sql.addCart.run(id, user, JSON.stringify(items), total, atMs),
    carts: () =>
      sql.carts.all().map(({ details, created_at, ...row }) => ({
        ...row,
        cartDetails: JSON.parse(String(details)),
        createdAt: iso(created_at),
      })),
    group: (user, id) => sql.group.get(user, id) as unknown as HostingGroup | undefined,
    latestGroup: (user) => sql.latest.get(user) as unknown as HostingGroup | undefined,
    groups: () => sql.groups.all().map((row) => ({ ...row })) as unknown as HostingGroup[],
    saveGroup: (one) =>
      void sql.saveGroup.run(
        one.id,
        one.user,
        one.hostingGroupName,
        one.hostingGroupDescription,
        one.hostingGroupImage,
        one.updatedAtMs,
      ),
    removeGroup: (id) => void sql.removeGroup.run(id),
    log: (user, atMs, text) => void sql.log.run(user, atMs, text),
    clearLogs: (user) => void sql.clearLogs.run(user),
    logs: () => sql.logs.all().map(({ at, ...row }) => ({ ...row, at: iso(at) })),
  };
}

const iso = (ms: unknown) => new Date(Number(ms)).toISOString();
