import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Database } from './database.ts';

/** A child host of the domain with its single address; an empty address is rendered as `[]`. */
export interface Glue {
  readonly ns: string;
  readonly ip: string;
  /** Epoch milliseconds from which the account's view shows it; absent: always. */
  readonly visibleAt?: number;
}

interface Column<Value> {
  readonly name: string;
  readonly read: (stored: SQLOutputValue) => Value;
  write(value: Value): string | number | null;
}

const same = <Value>(value: Value): Value => value;
const text = (name: string): Column<string> => ({ name, read: String, write: same });
const textOrNull = (name: string): Column<string | null> => ({
  name,
  read: (stored) => (stored === null ? null : String(stored)),
  write: same,
});
const number = (name: string): Column<number> => ({ name, read: Number, write: same });
const numberOrNull = (name: string): Column<number | null> => ({
  name,
  read: (stored) => (stored === null ? null : Number(stored)),
  write: same,
});
const flag = (name: string): Column<boolean> => ({
  name,
  read: (stored) => stored === 1,
  write: Number,
});
const json = <Value>(name: string): Column<Value> => ({
  name,
  read: (stored) => JSON.parse(String(stored)),
  write: (value) => JSON.stringify(value),
});

/** The columns of a domain besides `id`; schema.ts creates them. */
const columns = {
  reseller: number('reseller'),
  /** Lower-case ASCII. */
  name: text('name'),
  status: text('status'),
  /** The status at the registry when it differs from the account: one EPP status. */
  registryStatus: textOrNull('registry_status'),
  authCode: text('auth_code'),
  locked: flag('locked'),
  privacy: flag('privacy'),
  /** Instants are epoch milliseconds. */
  startAt: number('start_at'),
  /** When this account registered it or received it by transfer. */
  heldSince: number('held_since'),
  expiresAt: number('expires_at'),
  /** When the life cycle changes it next; null for never. */
  nextAt: numberOrNull('next_at'),
  nameServers: json<readonly string[]>('name_servers'),
  glue: json<readonly Glue[]>('glue'),
  additional: json<Readonly<Record<string, string>>>('additional'),
  registrant: number('registrant'),
  administrative: number('administrative'),
  billing: number('billing'),
  technical: number('technical'),
};

export type NewDomain = {
  readonly [Member in keyof typeof columns]: ReturnType<(typeof columns)[Member]['read']>;
};

export interface DomainRecord extends NewDomain {
  readonly id: number;
}

const columnEntries: readonly (readonly [string, Column<unknown>])[] = Object.entries(columns);
const columnNames = columnEntries.map(([, { name }]) => name);

/** The states in which the name is free again. */
const freeStates = "('Deleted', 'PreRegistirationFail')";
/** The states in which this account does not have the domain. */
const lostStates =
  "('Deleted', 'PreRegistirationFail', 'TransferredOut', 'TransferRejectedFromOpposed', 'TransferCancelledFromClient')";

export interface DomainStore {
  /** The account's record, in any state. */
  find(reseller: number, name: string): DomainRecord | undefined;
  /** The record of the account that has the name now. */
  holder(name: string): DomainRecord | undefined;
  /** Every account's record of the name. */
  everywhere(name: string): readonly DomainRecord[];
  /** Whether any record says that the name is registered, here or elsewhere. */
  isKnown(name: string): boolean;
  /** By id, at most `limit`, of those with an id above `afterId`. */
  list(reseller: number, limit: number, afterId?: number): readonly DomainRecord[];
  count(reseller: number): number;
  due(nowMs: number): readonly DomainRecord[];
  /** Adds a record; it replaces an older one of the same account and name. */
  add(domain: NewDomain): void;
  /** Adds records whose names are new; much faster than `add` for each. */
  addAll(domains: Iterable<NewDomain>): void;
  save(domain: DomainRecord): void;
  remove(domain: DomainRecord): void;
}

export function createDomainStore(database: Database): DomainStore {
  const sql = {
    find: database.prepare('SELECT * FROM domains WHERE name = ? AND reseller = ?'),
    holder: database.prepare(
      `SELECT * FROM domains WHERE name = ? AND status NOT IN ${lostStates} ORDER BY status = 'WaitingForIncomingTransfer' LIMIT 1`,
    ),
    everywhere: database.prepare('SELECT * FROM domains WHERE name = ?'),
    isKnown: database.prepare(
      `SELECT 1 FROM domains WHERE name = ? AND status NOT IN ${freeStates} LIMIT 1`,
    ),
    list: database.prepare(
      'SELECT * FROM domains WHERE reseller = ? AND id > ? ORDER BY id LIMIT ?',
    ),
    count: database.prepare('SELECT count(*) AS count FROM domains WHERE reseller = ?'),
    due: database.prepare(
      'SELECT * FROM domains WHERE next_at IS NOT NULL AND next_at <= ? LIMIT 1000',
    ),
    remove: database.prepare('DELETE FROM domains WHERE id = ?'),
    removeName: database.prepare('DELETE FROM domains WHERE name = ? AND reseller = ?'),
    add: database.prepare(
      `INSERT INTO domains (${columnNames.join(', ')}) VALUES (${columnNames.map(() => '?').join(', ')})`,
    ),
    save: database.prepare(
      `UPDATE domains SET ${columnNames.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ),
  };
  const one = (statement: StatementSync, ...values: (string | number)[]) => {
    const row = statement.get(...values);
    return row && readRow(row);
  };
  const many = (statement: StatementSync, ...values: (string | number)[]) =>
    statement.all(...values).map(readRow);

  return {
    find: (reseller, name) => one(sql.find, name, reseller),
    holder: (name) => one(sql.holder, name),
    everywhere: (name) => many(sql.everywhere, name),
    isKnown: (name) => sql.isKnown.get(name) !== undefined,
    list: (reseller, limit, afterId = 0) => many(sql.list, reseller, afterId, limit),
    count: (reseller) => Number(sql.count.get(reseller)?.count),
    due: (nowMs) => many(sql.due, nowMs),
    add(domain) {
      sql.removeName.run(domain.name, domain.reseller);
      sql.add.run(...values(domain));
    },
    addAll(domains) {
      for (const domain of domains) sql.add.run(...values(domain));
    },
    save: (domain) => void sql.save.run(...values(domain), domain.id),
    remove: (domain) => void sql.remove.run(domain.id),
  };
}

const readRow = (row: Record<string, SQLOutputValue>): DomainRecord =>
  Object.fromEntries([
    ['id', row.id],
    ...columnEntries.map(([member, { name, read }]) => [member, read(row[name] ?? null)]),
  ]) as DomainRecord;

/** In the order of `columnNames`. */
const values = (domain: NewDomain) =>
  columnEntries.map(([member, { write }]) => write(Reflect.get(domain, member)));
