import type { Database } from './database.ts';

export interface Reseller {
  /** Ours, for references. */
  readonly id: number;
  /** The id in `resellerdetails`; can be -1. */
  readonly shownId: number;
  readonly username: string;
  readonly name: string;
  readonly currency: string;
}

/** The fields of a contact as `registerdomain` takes them. */
export const contactFields = [
  ...(['FirstName', 'LastName', 'Company', 'EMail', 'AddressLine1', 'AddressLine2'] as const),
  ...(['City', 'State', 'ZipCode', 'Country', 'Phone', 'PhoneCountryCode'] as const),
] as const;

export type ContactFields = Readonly<Record<(typeof contactFields)[number], string>>;

/** Resellers with their logins, and their contacts. */
export function createAccountStore({ get, run }: Database) {
  const select =
    'SELECT id, shown_id AS shownId, username, name, currency FROM resellers WHERE username = ?';
  type Found = Reseller | undefined;

  return {
    login: (username: string, password: string) =>
      get(`${select} AND password = ?`, username, password) as Found,
    byUsername: (username: string) => get(select, username) as Found,
    addReseller: ({ id, shownId, username, name, currency }: Reseller, password: string) =>
      run(
        'INSERT INTO resellers (id, shown_id, username, name, currency, password) VALUES (?, ?, ?, ?, ?, ?)',
        ...[id, shownId, username, name, currency, password],
      ),
    /** Returns its id. */
    addContact: (reseller: number, fields: ContactFields) =>
      run(
        'INSERT INTO contacts (reseller, fields) VALUES (?, ?)',
        reseller,
        JSON.stringify(fields),
      ),
    contact(id: number): ContactFields | undefined {
      const row = get('SELECT fields FROM contacts WHERE id = ?', id);
      return row && JSON.parse(String(row.fields));
    },
    /** The oldest contact of the account, which an incoming transfer gets. */
    defaultContact: (reseller: number) =>
      Number(get('SELECT min(id) AS id FROM contacts WHERE reseller = ?', reseller)?.id ?? 0),
  };
}
