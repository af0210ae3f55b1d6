import {
  flag,
  instant,
  json,
  nullable,
  type RowsOf,
  table,
  text,
  textOrEmpty,
} from '../../persistence/table.ts';

/** The contacts with a name, of a customer or of the reseller. */
export const contactProfilesTable = table(
  'contact_profiles',
  {
    id: text,
    /** Null for one of the reseller. */
    customer: textOrEmpty,
    /** Unique among the profiles of its owner. */
    name: text,
    createdAt: instant,
    updatedAt: instant,
  },
  {
    // `contact` is JSON, or that JSON encrypted.
    hidden: { account: text, contact: text },
    key: 'account, id',
    unique: { by_name: '(account, customer, name)' },
  },
);

/** What a purchase has where its input has nothing; null for no default. Those of the reseller are the defaults of all customers. */
export const purchaseDefaultsTable = table(
  'purchase_defaults',
  {
    nameServers: nullable(json<readonly string[]>()),
    privacyProtected: nullable(flag),
    transferLocked: nullable(flag),
  },
  {
    // A profile that was deleted is no default.
    hidden: { account: text, customer: textOrEmpty, profileId: nullable(text) },
    key: 'account, customer',
  },
);

export type ProfileTables = RowsOf<typeof contactProfilesTable | typeof purchaseDefaultsTable>;
