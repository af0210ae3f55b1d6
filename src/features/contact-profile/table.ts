import type { Table } from '../../persistence/table.ts';

/** `customer` is empty for a profile of the reseller, so that one index makes all names unique. `contact` is JSON, or that JSON encrypted. */
export const contactProfilesTable: Table = {
  name: 'contact_profiles',
  steps: [
    [
      `create table if not exists contact_profiles (
        account text not null, id text not null, customer text not null, name text not null,
        contact text not null, created_at text not null, updated_at text not null,
        constraint contact_profiles_pkey primary key (account, id))`,
      `create unique index if not exists contact_profiles_by_name
        on contact_profiles (account, customer, name)`,
    ],
  ],
};

/** `customer` is empty for the defaults of all customers. A null column is no default, and a profile that was deleted is none. */
export const purchaseDefaultsTable: Table = {
  name: 'purchase_defaults',
  steps: [
    [
      `create table if not exists purchase_defaults (
        account text not null, customer text not null, profile_id text, name_servers text,
        privacy_protected integer, transfer_locked integer,
        constraint purchase_defaults_pkey primary key (account, customer))`,
    ],
  ],
};
