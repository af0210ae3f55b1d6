import type { Caller } from '../../kernel/caller.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { requestHook } from '../../scope/scope.ts';
import type { ContactInput } from '../contact/contact-input.ts';
import { type Checks, createChecks } from '../mutation/checks.ts';

/** A contact of a purchase: its fields, or a member that a feature adds. Exactly one member is set. */
export interface ContactChoice {
  readonly fields?: ContactInput | null | undefined;
}

/** The values of a registration that a client may leave out. */
export interface RegistrationValues {
  readonly nameServers?: readonly string[] | null | undefined;
  readonly registrant?: ContactChoice | null | undefined;
  /** Default: the contact of the defaults, or the registrant. */
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

/** What a registration has where its input has nothing; null for no default. */
interface RegistrationDefaults {
  /** The registrant and the contact. @throws Fault when it cannot be read */
  readonly contact: (() => ContactInput) | null;
  readonly nameServers: readonly string[] | null;
  readonly privacyProtected: boolean | null;
  readonly transferLocked: boolean | null;
}

type DefaultsByCustomer = ReadonlyMap<string | null, RegistrationDefaults>;

/** The contacts and defaults that a feature stores for registrations. */
export interface ValueStore {
  /** Reads the contacts that these choices name, and returns each by its choice. @throws Fault for one that the caller does not see */
  contactsOf(choices: readonly ContactChoice[]): Promise<(choice: ContactChoice) => ContactInput>;
  /** The defaults of these customers that have any; null is the reseller, whose defaults are those of all customers. */
  defaultsOf(customers: readonly (string | null)[]): Promise<DefaultsByCustomer>;
  /** How else a client can give a value that is missing. */
  readonly hints: { readonly registrant: string; readonly nameServers: string };
}

const unknownContact = (): never => {
  throw new Fault('NOT_FOUND', { message: 'There is no such contact.' });
};

/** Stores nothing by default. */
export const valueStore = requestHook<ValueStore>('valueStore', {
  byDefault: () => ({
    contactsOf: async () => unknownContact,
    defaultsOf: async () => new Map(),
    hints: { registrant: '', nameServers: '' },
  }),
});

interface StoreDeps {
  readonly valueStore: ValueStore;
  readonly caller: Pick<Caller, 'customer'>;
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
 * Reads the contacts that registrations name, and the defaults of their customer where they leave something out: once each, and
 * nothing that no registration needs. `inherited` has the values that they share.
 */
export async function readStoredValues(
  { valueStore: store, caller }: StoreDeps,
  values: readonly CustomerValues[],
  inherited: RegistrationValues = {},
): Promise<StoredValues> {
  const named = await store.contactsOf(choicesOf([...values, inherited]));
  const owners = values.map(({ customer }) => caller.customer ?? customer ?? null);
  const defaults = values.some((one) => lacksSome(one, inherited))
    ? await store.defaultsOf([...new Set([null, ...owners])])
    : new Map();
  return new StoredValues({ named, defaults, inherited, hints: store.hints });
}

/** The named contacts that the caller sees, without defaults. */
export async function readNamedContacts(
  { valueStore: { contactsOf, hints } }: StoreDeps,
  values: readonly RegistrationValues[],
): Promise<StoredValues> {
  const named = await contactsOf(choicesOf(values));
  return new StoredValues({ named, defaults: new Map(), inherited: {}, hints });
}

const choicesOf = (values: readonly RegistrationValues[]): readonly ContactChoice[] =>
  values.flatMap((one) => contactFields.flatMap((field) => one[field] ?? []));

/** The member of a choice that is set. */
const memberOf = (choice: ContactChoice): string =>
  Object.entries(choice).find(([, value]) => (value ?? null) !== null)?.[0] ?? 'fields';

interface ReadValues {
  /** @throws Fault for a contact that the caller does not see */
  readonly named: (choice: ContactChoice) => ContactInput;
  readonly defaults: DefaultsByCustomer;
  readonly inherited: RegistrationValues;
  readonly hints: ValueStore['hints'];
}

/** The stored contacts and defaults that some registrations need. */
export class StoredValues {
  readonly #read: ReadValues;

  constructor(read: ReadValues) {
    this.#read = read;
  }

  /** The contact that the input names; null, with the fault recorded, for one that the caller does not see. */
  contactOf(checks: Checks, field: ContactField, choice: ContactChoice): GivenContact | null {
    const path = [field, memberOf(choice)];
    return checks.check(['input', ...path], () => ({
      contact: choice.fields ?? this.#read.named(choice),
      path,
    }));
  }

  /**
   * All values of a registration. An absent one is that of the order, of the defaults of its customer, of those of the
   * reseller, or of the gateway, in this order. Null, with the faults recorded, where one that it needs is missing; faults of the
   * values of the order are recorded with the order.
   */
  complete(checks: Checks, values: CustomerValues): WholeValues & { readonly isWhole: boolean } {
    const { defaults, inherited, hints } = this.#read;
    const shared = createChecks();
    const ofCustomer = defaults.get(values.customer ?? null);
    const ofReseller = defaults.get(null);
    const defaultOf = <Name extends keyof RegistrationDefaults>(name: Name) =>
      ofCustomer?.[name] ?? ofReseller?.[name] ?? null;
    const take = (field: ContactField): GivenContact | null => {
      const [own, ofOrder] = [values[field], inherited[field]];
      if (own) return this.contactOf(checks, field, own);
      if (ofOrder) return this.contactOf(shared, field, ofOrder);
      const contact = defaultOf('contact');
      if (!contact) return null;
      return checks.check(['input', field], () => ({ contact: contact(), path: [field] }));
    };
    const registrant = take('registrant');
    const contact = take('contact');
    const nameServers = values.nameServers ?? inherited.nameServers ?? defaultOf('nameServers');
    const has = (field: ContactField) =>
      Boolean(values[field] ?? inherited[field] ?? defaultOf('contact'));
    if (!has('registrant')) {
      checks.add(missing('registrant', `send its "fields"${hints.registrant}`));
    }
    if (!nameServers) {
      checks.add(missing('nameServers', `send 1 to 13 host names${hints.nameServers}`));
    }
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

const missing = (name: string, advice: string): Fault =>
  invalidInput(`"${name}" is missing; ${advice}.`, { path: ['input', name] });
