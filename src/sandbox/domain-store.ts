import type { StatementSync } from 'node:sqlite';
import type { Database } from './database.ts';

/** A host under the domain with its one address; an empty address is rendered as `[]`. */
export interface Glue {
  readonly ns: string;
  readonly ip: string;
  /** Epoch milliseconds from which the account's view shows it; absent: always. */
  readonly visibleAt?: number;
}

export interface DomainRecord {
  readonly id: number;
  readonly reseller: number;
  /** Lower-case ASCII. */
  readonly name: string;
  readonly status: string;
  /** What the registry says when that differs from the account: one EPP status. */
  readonly registryStatus: string | null;
  readonly authCode: string;
  readonly locked: boolean;
  readonly privacy: boolean;
  /** Instants are epoch milliseconds. */
  readonly startAt: number;
  /** When this account got it, by registration or transfer. */
  readonly heldSince: number;
  readonly expiresAt: number;
  /** When the life cycle moves it on; null for never. */
  readonly nextAt: number | null;
  readonly nameServers: readonly string[];
  readonly glue: readonly Glue[];
  readonly additional: Readonly<Record<string, string>>;
  readonly registrant: number;
  readonly administrative: number;
  readonly billing: number;
  readonly technical: number;
}

export type NewDomain = Omit<DomainRecord, 'id'>;

interface Row {
  readonly id: number;
  readonly reseller: number;
  readonly name: string;
  readonly status: string;
  readonly registry_status: string | null;
  readonly auth_code: string;
  readonly locked: number;
  readonly privacy: number;
  readonly start_at: number;
  readonly held_since: number;
  readonly expires_at: number;
  readonly next_at: number | null;
  readonly name_servers: string;
  readonly glue: string;
  readonly additional: string;
  readonly registrant: number;
  readonly administrative: number;
  readonly billing: number;
  readonly technical: number;
}

const columns = [
  'reseller',
  'name',
  'status',
  'registry_status',
  'auth_code',
  'locked',
  'privacy',
  'start_at',
  'held_since',
  'expires_at',
  'next_at',
  'name_servers',
  'glue',
  'additional',
  'registrant',
  'administrative',
  'billing',
  'technical',
];

/** The account states in which nobody has the name any more. */
const freeStates = "('Deleted', 'PreRegistirationFail')";
/** Those in which this account does not have it, or not yet again. */
const lostStates =
  "('Deleted', 'PreRegistirationFail', 'TransferredOut', 'TransferRejectedFromOpposed', 'TransferCancelledFromClient')";

export interface DomainStore {
  /** The account's record, in whatever state. */
  find(reseller: number, name: string): DomainRecord | undefined;
  /** The record of whichever account has the name now. */
  holder(name: string): DomainRecord | undefined;
  /** Every account's record of the name. */
  everywhere(name: string): readonly DomainRecord[];
  /** Whether any account's records say that the name is registered, here or elsewhere. */
  isKnown(name: string): boolean;
  /** By id, at most `limit`, of those with an id above `afterId`. */
  list(reseller: number, limit: number, afterId?: number): readonly DomainRecord[];
  count(reseller: number): number;
  due(nowMs: number): readonly DomainRecord[];
  /** Puts a record in, in the place of one that the account has lost. */
  add(domain: NewDomain): void;
  /** Puts records in whose names nobody has yet; a fraction of what `add` costs for each. */
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
      `INSERT INTO domains (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ),
    save: database.prepare(
      `UPDATE domains SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    ),
  };
  const one = (statement: StatementSync, ...values: (string | number)[]) => {
    const row = statement.get(...values);
    return row && readRow(row as unknown as Row);
  };
  const many = (statement: StatementSync, ...values: (string | number)[]) =>
    (statement.all(...values) as unknown as Row[]).map(readRow);

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

const readRow = (row: Row): DomainRecord => ({
  id: row.id,
  reseller: row.reseller,
  name: row.name,
  status: row.status,
  registryStatus: row.registry_status,
  authCode: row.auth_code,
  locked: row.locked === 1,
  privacy: row.privacy === 1,
  startAt: row.start_at,
  heldSince: row.held_since,
  expiresAt: row.expires_at,
  nextAt: row.next_at,
  nameServers: JSON.parse(row.name_servers) as string[],
  glue: JSON.parse(row.glue) as Glue[],
  additional: JSON.parse(row.additional) as Record<string, string>,
  registrant: row.registrant,
  administrative: row.administrative,
  billing: row.billing,
  technical: row.technical,
});

/** In the order of `columns`. */
const values = (domain: NewDomain) => [
  domain.reseller,
  domain.name,
  domain.status,
  domain.registryStatus,
  domain.authCode,
  Number(domain.locked),
  Number(domain.privacy),
  domain.startAt,
  domain.heldSince,
  domain.expiresAt,
  domain.nextAt,
  JSON.stringify(domain.nameServers),
  JSON.stringify(domain.glue),
  JSON.stringify(domain.additional),
  domain.registrant,
  domain.administrative,
  domain.billing,
  domain.technical,
];
