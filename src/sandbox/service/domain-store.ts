import type { SQLOutputValue } from 'node:sqlite';
import type { Database, Row } from './database.ts';

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
const orNull =
  <Value>(read: (stored: SQLOutputValue) => Value) =>
  (stored: SQLOutputValue) =>
    stored === null ? null : read(stored);

const text = (name: string): Column<string> => ({ name, read: String, write: same });
const number = (name: string): Column<number> => ({ name, read: Number, write: same });
const flag = (name: string): Column<boolean> => ({
  name,
  read: (stored) => stored === 1,
  write: Number,
});
const json = <Value>(name: string): Column<Value> => ({
  name,
  read: (stored) => JSON.parse(String(stored)),
  write: JSON.stringify,
});

/** The columns of a domain besides `id`; database.ts creates them. */
const columns = {
  reseller: number('reseller'),
  /** Lower-case ASCII. */
  name: text('name'),
  status: text('status'),
  /** The status at the registry when it differs from the account: one EPP status. */
  registryStatus: { name: 'registry_status', read: orNull(String), write: same<string | null> },
  authCode: text('auth_code'),
  locked: flag('locked'),
  privacy: flag('privacy'),
  /** Instants are epoch milliseconds. */
  startAt: number('start_at'),
  /** When this account registered it or received it by transfer. */
  heldSince: number('held_since'),
  expiresAt: number('expires_at'),
  /** When the life cycle changes it next; null for never. */
  nextAt: { name: 'next_at', read: orNull(Number), write: same<number | null> },
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

export function createDomainStore({ all, get, run }: Database) {
  const placeholders = columnNames.map(() => '?').join(', ');
  const insert = `INSERT INTO domains (${columnNames.join(', ')}) VALUES (${placeholders})`;
  const update = `UPDATE domains SET ${columnNames.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
  const found = (row: Row | undefined) => row && readRow(row);

  return {
    /** The account's record, in any state. */
    find: (reseller: number, name: string) =>
      found(get('SELECT * FROM domains WHERE name = ? AND reseller = ?', name, reseller)),
    /** The record of the account that has the name now. */
    holder: (name: string) =>
      found(
        get(
          `SELECT * FROM domains WHERE name = ? AND status NOT IN ${lostStates}
           ORDER BY status = 'WaitingForIncomingTransfer' LIMIT 1`,
          name,
        ),
      ),
    /** The records of all accounts. */
    everywhere: (name: string) => all('SELECT * FROM domains WHERE name = ?', name).map(readRow),
    /** Whether any record says that the name is registered, here or elsewhere. */
    isKnown: (name: string) =>
      get(`SELECT 1 FROM domains WHERE name = ? AND status NOT IN ${freeStates} LIMIT 1`, name) !==
      undefined,
    /** At most `limit` records with an id above `afterId`, by id. */
    list: (reseller: number, limit: number, afterId = 0) =>
      all(
        'SELECT * FROM domains WHERE reseller = ? AND id > ? ORDER BY id LIMIT ?',
        ...[reseller, afterId, limit],
      ).map(readRow),
    count: (reseller: number) =>
      Number(get('SELECT count(*) AS count FROM domains WHERE reseller = ?', reseller)?.count),
    due: (nowMs: number) =>
      all('SELECT * FROM domains WHERE next_at IS NOT NULL AND next_at <= ? LIMIT 1000', nowMs).map(
        readRow,
      ),
    /** Adds a record; it replaces an older one of the same account and name. */
    add(domain: NewDomain): void {
      run('DELETE FROM domains WHERE name = ? AND reseller = ?', domain.name, domain.reseller);
      run(insert, ...values(domain));
    },
    /** Adds records whose names are new; much faster than `add` for each. */
    addAll(domains: Iterable<NewDomain>): void {
      for (const domain of domains) run(insert, ...values(domain));
    },
    save: (domain: DomainRecord) => run(update, ...values(domain), domain.id),
    remove: ({ id }: DomainRecord) => run('DELETE FROM domains WHERE id = ?', id),
  };
}

const readRow = (row: Row): DomainRecord =>
  Object.fromEntries([
    ['id', row.id],
    ...columnEntries.map(([member, { name, read }]) => [member, read(row[name] ?? null)]),
  ]) as DomainRecord;

/** In the order of `columnNames`. */
const values = (domain: NewDomain) =>
  columnEntries.map(([member, { write }]) => write(Reflect.get(domain, member)));
