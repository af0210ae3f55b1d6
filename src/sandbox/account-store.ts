import type { Database } from './database.ts';

export interface Reseller {
  /** Ours, for references. */
  readonly id: number;
  /** What `resellerdetails` shows; can be -1. */
  readonly shownId: number;
  readonly username: string;
  readonly name: string;
  readonly currency: string;
}

/** Fields as `registerdomain` takes them. */
export interface ContactFields {
  readonly FirstName: string;
  readonly LastName: string;
  readonly Company: string;
  readonly EMail: string;
  readonly AddressLine1: string;
  readonly AddressLine2: string;
  readonly City: string;
  readonly State: string;
  readonly ZipCode: string;
  readonly Country: string;
  readonly Phone: string;
  readonly PhoneCountryCode: string;
}

/** Resellers with their logins, and the contacts they keep. */
export interface AccountStore {
  login(username: string, password: string): Reseller | undefined;
  byUsername(username: string): Reseller | undefined;
  byId(id: number): Reseller | undefined;
  addReseller(reseller: Reseller, password: string): void;
  addContact(reseller: number, fields: ContactFields): number;
  contact(id: number): ContactFields | undefined;
  /** The oldest contact of the account, which an incoming transfer gets. */
  defaultContact(reseller: number): number;
}

export function createAccountStore(database: Database): AccountStore {
  const reseller = 'id, shown_id AS shownId, username, name, currency';
  const sql = {
    login: database.prepare(
      `SELECT ${reseller} FROM resellers WHERE username = ? AND password = ?`,
    ),
    byUsername: database.prepare(`SELECT ${reseller} FROM resellers WHERE username = ?`),
    byId: database.prepare(`SELECT ${reseller} FROM resellers WHERE id = ?`),
    addReseller: database.prepare(
      'INSERT INTO resellers (id, shown_id, username, name, currency, password) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    addContact: database.prepare('INSERT INTO contacts (reseller, fields) VALUES (?, ?)'),
    contact: database.prepare('SELECT fields FROM contacts WHERE id = ?'),
    defaultContact: database.prepare('SELECT min(id) AS id FROM contacts WHERE reseller = ?'),
  };

  return {
    login: (username, password) =>
      sql.login.get(username, password) as unknown as Reseller | undefined,
    byUsername: (username) => sql.byUsername.get(username) as unknown as Reseller | undefined,
    byId: (id) => sql.byId.get(id) as unknown as Reseller | undefined,
    addReseller: ({ id, shownId, username, name, currency }, password) =>
      void sql.addReseller.run(id, shownId, username, name, currency, password),
    addContact: (owner, fields) =>
      Number(sql.addContact.run(owner, JSON.stringify(fields)).lastInsertRowid),
    contact(id) {
      const row = sql.contact.get(id);
      return row && (JSON.parse(String(row.fields)) as ContactFields);
    },
    defaultContact: (owner) => Number(sql.defaultContact.get(owner)?.id ?? 0),
  };
}
