import type { Kysely } from 'kysely';
import type { Fault, FieldResult } from '../../kernel/faults.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { FilteredPage } from '../../lib/pages.ts';
import { createSeal, SealError, type TextSeal } from '../../lib/sealed-text.ts';
import { type FilterOf, is, listOf, meets, oneOf } from '../../persistence/lists.ts';
import { allOf } from '../../persistence/results.ts';
import type { GivenOf, RecordOf } from '../../persistence/table.ts';
import { type Database, type JournalTables, rowsOf, timeText } from '../../persistence/tables.ts';
import { reading, unavailable, writing } from '../../persistence/unavailable.ts';
import { settings, stored } from '../../scope/tenant.ts';
import { profileSettings } from './settings.ts';
import { contactProfilesTable, type ProfileTables, purchaseDefaultsTable } from './table.ts';

/** A contact with a name, of a customer or of the reseller. */
export interface ContactProfile extends RecordOf<typeof contactProfilesTable> {
  /** JSON; a fault when it is encrypted and the gateway does not have the key. */
  readonly contact: FieldResult<string>;
}

export interface NewContactProfile {
  /** Not used when its owner has a profile of this name, which is replaced. */
  readonly id: string;
  readonly customer: string | null;
  readonly name: string;
  readonly contact: string;
}

export interface PurchaseDefaults extends RecordOf<typeof purchaseDefaultsTable> {
  readonly profile: ContactProfile | null;
}

/** Absent members are not changed, null ends a default. */
type DefaultChanges = Omit<GivenOf<typeof purchaseDefaultsTable>, 'account' | 'customer'>;

/** The owner and the name of a profile. The list has this order, the profiles of the reseller first. */
type ProfilePosition = Pick<ContactProfile, 'customer' | 'name'>;

const conditions = {
  /** Null for profiles of the reseller. */
  customer: (customer: string | null) => is('customer')(ownerText(customer)),
};

type ProfileFilter = FilterOf<typeof conditions>;

export type ProfilePage = FilteredPage<ProfilePosition, ProfileFilter>;

type ContactProfileRow = ProfileTables['contact_profiles'];

type ProfileDatabase = Kysely<JournalTables & ProfileTables>;

const ownerText = (customer: string | null): string => customer ?? '';

/** The contact profiles of an account, and the defaults of its purchases. `seal` encrypts the contacts. */
export function createProfileStore(database: Database, seal: TextSeal) {
  const db = database.$extendTables<ProfileTables>();
  return {
    byIds: (account: string, ids: readonly string[]) =>
      reading(() => {
        const some = profiles(db, account).where(oneOf('id')(ids));
        return allOf(some.selectAll(), (row) => profileOf(seal, row));
      }),
    ...listOf(db, {
      order: {
        columns: ['customer', 'name'],
        valuesOf: ({ customer, name }: ProfilePosition) => [ownerText(customer), name],
      },
      rows: (account, condition) => profiles(db, account).where(condition),
      selected: (some) => some.selectAll(),
      meets: (filter: ProfileFilter) => meets(conditions, filter),
      indexed: () => ['customer'],
      itemOf: (row) => profileOf(seal, row),
    }),
    /** Adds profiles, or replaces the contacts of those that exist. No two of them have one owner and name. */
    save: (account: string, all: readonly NewContactProfile[], at: Date) =>
      writing(() => save(db, seal, account, all, at)),
    /** Changes the name and the contact of a profile; null when it does not exist, or its owner has another one of this name. */
    replace: (account: string, profile: NewContactProfile, at: Date) =>
      writing(() => replace(db, seal, account, profile, at)),
    /** Deletes a profile. Defaults that name it have none then. */
    remove: (account: string, id: string) =>
      writing(async () => {
        const profile = db.deleteFrom('contact_profiles').where((eb) => eb.and({ account, id }));
        await profile.execute();
      }),
    /** The defaults of these owners that have any; null is the reseller, whose defaults are those of all customers. */
    defaultsOf: (account: string, owners: readonly (string | null)[]) =>
      reading(() => readDefaults(db, seal, account, owners)),
    setDefaults: (account: string, customer: string | null, changes: DefaultChanges) =>
      writing(async () => {
        const row = purchaseDefaultsTable.row({ ...changes, account, customer });
        await db
          .insertInto('purchase_defaults')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account', 'customer']).doUpdateSet(row))
          .execute();
      }),
  };
}

export type ProfileStore = ReturnType<typeof createProfileStore>;

function save(
  db: ProfileDatabase,
  seal: TextSeal,
  account: string,
  all: readonly NewContactProfile[],
  at: Date,
): Promise<readonly ContactProfile[]> {
  const values = all.map((profile) => ({
    ...contactProfilesTable.row({ account, id: profile.id, createdAt: at }),
    ...contentColumns(seal, account, profile, at),
  }));
  const saved = db
    .insertInto('contact_profiles')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['account', 'customer', 'name']).doUpdateSet(({ ref }) => ({
        contact: ref('excluded.contact'),
        updated_at: timeText(at),
      })),
    )
    .returningAll();
  return allOf(saved, (row) => profileOf(seal, row));
}

async function replace(
  db: ProfileDatabase,
  seal: TextSeal,
  account: string,
  profile: NewContactProfile,
  at: Date,
): Promise<ContactProfile | null> {
  const { id } = profile;
  const columns = contentColumns(seal, account, profile, at);
  const { customer, name } = columns;
  const row = await db
    .updateTable('contact_profiles')
    .where((eb) => eb.and({ account, id, customer }))
    .where(({ not, exists, selectFrom }) => {
      const ofName = selectFrom('contact_profiles as other').select('other.id');
      const owned = { 'other.account': account, 'other.customer': customer, 'other.name': name };
      return not(exists(ofName.where((eb) => eb.and(owned)).where('other.id', '<>', id)));
    })
    .set(columns)
    .returningAll()
    .executeTakeFirst();
  return row ? profileOf(seal, row) : null;
}

const profiles = (db: ProfileDatabase, account: string) => rowsOf(db, 'contact_profiles', account);

type Place = Pick<ContactProfileRow, 'account' | 'customer' | 'name'>;

/** The place of a text that is encrypted. A row keeps it when its contact is replaced. */
const placeOf = ({ account, customer, name }: Place) =>
  ['contact profile', account, customer, name] as const;

function contentColumns(
  seal: TextSeal,
  account: string,
  { customer, name, contact }: NewContactProfile,
  at: Date,
) {
  const content = contactProfilesTable.row({ customer, name, updatedAt: at });
  return { ...content, contact: seal.seal(contact, placeOf({ account, ...content })) };
}

const profileOf = (seal: TextSeal, row: ContactProfileRow): ContactProfile => ({
  ...contactProfilesTable.record(row),
  contact: contactOf(seal, row),
});

function contactOf(seal: TextSeal, row: ContactProfileRow): string | Fault {
  try {
    return seal.open(row.contact, placeOf(row));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const message = `The contact of this profile ${error.message}. The operator must set PROFILES_KEY to the key with which it was saved, or the profile must be saved again.`;
    return unavailable(error, { message, retryable: false });
  }
}

async function readDefaults(
  db: ProfileDatabase,
  seal: TextSeal,
  account: string,
  owners: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, PurchaseDefaults>> {
  const rows = await db
    .selectFrom('purchase_defaults as set')
    .leftJoin('contact_profiles as profile', (join) =>
      join.onRef('profile.account', '=', 'set.account').onRef('profile.id', '=', 'set.profile_id'),
    )
    .where('set.account', '=', account)
    .where('set.customer', 'in', owners.map(ownerText))
    .select(['set.customer as owner', 'name_servers', 'privacy_protected', 'transfer_locked'])
    .select(['profile.id', 'profile.customer', 'profile.name', 'profile.contact'])
    .select(['profile.created_at', 'profile.updated_at'])
    .execute();
  return new Map(
    rows.map(({ owner, ...row }) => [
      owner || null,
      {
        ...purchaseDefaultsTable.record(row),
        // All columns of a row that the join found are set.
        profile: row.id ? profileOf(seal, { ...row, account } as ContactProfileRow) : null,
      },
    ]),
  );
}

/** `key` has 32 bytes in base64; without it contacts are stored as text. */
export const profileSeal = (key: Secret | undefined): TextSeal =>
  createSeal(key ? Buffer.from(key.reveal(), 'base64') : null);

export const profileStore = stored('contactProfiles', (database, { use }) =>
  createProfileStore(database, profileSeal(profileSettings.of(use(settings)).PROFILES_KEY)),
);
