import type { Caller } from '../../kernel/caller.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { keyOfId } from '../../kernel/global-id.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { ContactProfile, PurchaseDefaults } from '../../persistence/profile-store.ts';
import type { ContactInput } from '../contact/contact-input.ts';
import { type Checks, createChecks } from '../mutation/checks.ts';

/** A contact of a purchase: a stored profile, or its fields. */
export type ContactChoice =
  | { readonly profile: string; readonly fields?: null | undefined }
  | { readonly profile?: null | undefined; readonly fields: ContactInput };

/** The values of a registration that a client may leave out. */
export interface RegistrationValues {
  readonly nameServers?: readonly string[] | null | undefined;
  readonly registrant?: ContactChoice | null | undefined;
  /** Default: the profile of the defaults, or the registrant. */
  readonly contact?: ContactChoice | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
}

/** A registration for a customer; null for the reseller. */
type CustomerValues = RegistrationValues & { readonly customer?: string | null | undefined };

/** The fields of a contact, and where the input has them, below `input`. */
export interface GivenContact {
  readonly contact: ContactInput;
  readonly path: readonly string[];
}

/** The values with which a domain is registered. Null for one whose fault is recorded; a contact that is null is the registrant. */
export interface WholeValues {
  readonly nameServers: readonly string[] | null;
  readonly registrant: GivenContact | null;
  readonly contact: GivenContact | null;
  readonly privacyProtected: boolean;
  readonly transferLocked: boolean;
}

const profileType = 'ContactProfile';

/** Whether a caller sees a profile. One that is bound to a customer sees those of this customer. */
export const seesProfile = (
  { customer }: Pick<Caller, 'customer'>,
  profile: Pick<ContactProfile, 'customer'>,
): boolean => customer === null || profile.customer === customer;

/** The contact of a profile. @throws Fault when it cannot be decrypted */
export function contactOfProfile({ contact }: Pick<ContactProfile, 'contact'>): ContactInput {
  if (contact instanceof Fault) throw contact;
  return JSON.parse(contact);
}

interface StoreDeps {
  readonly journal: Pick<Journal, 'profiles'>;
  readonly account: string;
  readonly caller: Caller;
}

export const contactFields = ['registrant', 'contact'] as const;
type ContactField = (typeof contactFields)[number];

const names = [
  'nameServers',
  'registrant',
  'contact',
  'privacyProtected',
  'transferLocked',
] as const satisfies readonly (keyof RegistrationValues)[];

const lacksSome = (one: RegistrationValues, inherited: RegistrationValues): boolean =>
  names.some((name) => (one[name] ?? inherited[name] ?? null) === null);

/**
 * Reads the profiles that registrations name, and the defaults of their customer where they leave something out: one statement
 * each, and none that no registration needs. `inherited` has the values that they share.
 */
export async function readStoredValues(
  deps: StoreDeps,
  values: readonly CustomerValues[],
  inherited: RegistrationValues = {},
): Promise<StoredValues> {
  const { profiles: store } = deps.journal;
  const { customer: own } = deps.caller;
  const profiles = await readProfiles(deps, [...values, inherited]);
  const owners = new Set([null, ...values.map(({ customer }) => own ?? customer ?? null)]);
  const defaults = values.some((one) => lacksSome(one, inherited))
    ? await store.defaultsOf(deps.account, [...owners])
    : new Map<string | null, PurchaseDefaults>();
  return new StoredValues(profiles, defaults, inherited);
}

/** The named profiles that the caller sees, without defaults. */
export async function readNamedProfiles(
  deps: StoreDeps,
  values: readonly RegistrationValues[],
): Promise<StoredValues> {
  return new StoredValues(await readProfiles(deps, values), new Map(), {});
}

async function readProfiles(
  { journal, account, caller }: StoreDeps,
  values: readonly RegistrationValues[],
): Promise<ReadonlyMap<string, ContactProfile>> {
  const ids = values.flatMap((one) =>
    contactFields.flatMap((field) => {
      const id = one[field]?.profile;
      return (id && keyOfId(profileType, id)) ?? [];
    }),
  );
  const found = ids.length > 0 ? await journal.profiles.byIds(account, [...new Set(ids)]) : [];
  const visible = found.filter((profile) => seesProfile(caller, profile));
  return new Map(visible.map((profile) => [profile.id, profile]));
}

/** The profiles and defaults that some registrations need. */
export class StoredValues {
  readonly #profiles: ReadonlyMap<string, ContactProfile>;
  /** By customer; null for the reseller. */
  readonly #defaults: ReadonlyMap<string | null, PurchaseDefaults>;
  readonly #inherited: RegistrationValues;

  constructor(
    profiles: ReadonlyMap<string, ContactProfile>,
    defaults: ReadonlyMap<string | null, PurchaseDefaults>,
    inherited: RegistrationValues,
  ) {
    this.#profiles = profiles;
    this.#defaults = defaults;
    this.#inherited = inherited;
  }

  /** The contact that the input names; null, with the fault recorded, for a profile that the caller does not see. */
  contactOf(checks: Checks, field: ContactField, choice: ContactChoice): GivenContact | null {
    if (choice.fields) return { contact: choice.fields, path: [field, 'fields'] };
    const path = [field, 'profile'];
    return checks.check(['input', ...path], () => {
      const profile = this.#profiles.get(keyOfId(profileType, choice.profile ?? '') ?? '');
      if (!profile) throw new Fault('NOT_FOUND', { message: 'There is no such contact profile.' });
      return { contact: contactOfProfile(profile), path };
    });
  }

  /**
   * All values of a registration. An absent one is that of the order, of the defaults of its customer, of those of the
   * reseller, or of the gateway, in this order. Null, with the faults recorded, where one that it needs is missing; faults of the
   * values of the order are recorded with the order.
   */
  complete(checks: Checks, values: CustomerValues): WholeValues & { readonly isWhole: boolean } {
    const [inherited, shared] = [this.#inherited, createChecks()];
    const ofCustomer = this.#defaults.get(values.customer ?? null);
    const ofReseller = this.#defaults.get(null);
    const defaultOf = <Name extends keyof PurchaseDefaults>(name: Name) =>
      ofCustomer?.[name] ?? ofReseller?.[name] ?? null;
    const take = (field: ContactField): GivenContact | null => {
      const [own, ofOrder] = [values[field], inherited[field]];
      if (own) return this.contactOf(checks, field, own);
      if (ofOrder) return this.contactOf(shared, field, ofOrder);
      const profile = defaultOf('profile');
      if (!profile) return null;
      return checks.check(['input', field], () => ({
        contact: contactOfProfile(profile),
        path: [field],
      }));
    };
    const registrant = take('registrant');
    const contact = take('contact');
    const nameServers = values.nameServers ?? inherited.nameServers ?? defaultOf('nameServers');
    const has = (field: ContactField) =>
      Boolean(values[field] ?? inherited[field] ?? defaultOf('profile'));
    if (!has('registrant')) checks.add(missingRegistrant);
    if (!nameServers) checks.add(missingNameServers);
    const flag = (name: 'privacyProtected' | 'transferLocked', builtIn: boolean) =>
      values[name] ?? inherited[name] ?? defaultOf(name) ?? builtIn;
    return {
      ...{ nameServers, registrant, contact },
      privacyProtected: flag('privacyProtected', false),
      transferLocked: flag('transferLocked', true),
      isWhole: Boolean(registrant && nameServers && (contact || !has('contact'))),
    };
  }
}

const missingRegistrant = invalidInput(
  '"registrant" is missing; send its "fields" or a "profile", or set a default profile with "setDefaults".',
  { path: ['input', 'registrant'] },
);

const missingNameServers = invalidInput(
  '"nameServers" is missing; send 1 to 13 host names, or set default ones with "setDefaults".',
  { path: ['input', 'nameServers'] },
);
