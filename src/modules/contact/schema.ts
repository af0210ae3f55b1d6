import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { DomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault, type FieldResult, unwrap } from '../../kernel/faults.ts';
import { domainOfKey } from '../../kernel/ids.ts';
import { knownBy, secret, valueType } from '../../kernel/schema-extensions.ts';
import { lazy } from '../../lib/lazy.ts';
import { phoneNumbers } from '../../lib/packages.cjs';
import { builder, needs } from '../../schema/builder.ts';
import { costs, noEntities } from '../../schema/cost.ts';
import {
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { fieldsBelow, fieldsIn } from '../../schema/look-ahead.ts';
import { NodeRef, nodeId } from '../../schema/node.ts';
import { KeyValueRef } from '../../schema/values.ts';
import type { Scope } from '../../scope/scope.ts';
import type {
  ContactDetails,
  ContactRole,
  DomainDetails,
} from '../../upstream/domain-api/shapes.ts';
import { gate } from '../mutation/gate.ts';
import type { ContactInput } from './contact-input.ts';
import { contactReads, type People } from './loader.ts';

/** A contact of a domain. The number comes with the domain; all else takes `getcontacts`, called where it is needed. */
interface Contact {
  readonly domain: DomainName;
  readonly role: ContactRole;
  readonly upstreamId: FieldResult<number | null>;
  /** The contact in the reply of `getcontacts`; absent before that call. */
  readonly details?: FieldResult<ContactDetails>;
}

/** The contact of a role; null when the domain has none, a fault when the reply lacks it. */
function personOf(
  people: People,
  { role, upstreamId }: Contact,
): FieldResult<ContactDetails | null> {
  const details = people?.[role] ?? null;
  if (details !== null || (people && upstreamId === null)) return details;
  return new Fault('UPSTREAM_PROTOCOL', {
    message: `The registrar returned no ${role} contact.`,
    executed: 'NO',
  });
}

const roles = {
  REGISTRANT: { value: 'registrant', description: 'Registrant: the holder of the domain.' },
  ADMINISTRATIVE: { value: 'administrative', description: 'Administrative contact.' },
  TECHNICAL: { value: 'technical', description: 'Technical contact.' },
  BILLING: { value: 'billing', description: 'Billing contact.' },
} as const satisfies Record<string, { value: ContactRole; description: string }>;

const ContactRoleRef = builder.enumType('ContactRole', {
  description: 'Role of a contact for its domain.',
  values: roles,
});

type Phone = Exclude<NonNullable<ContactDetails['phone']>, Error>;

const callingCodes = lazy(() => {
  const { getCountries, getCountryCallingCode } = phoneNumbers();
  return new Set<string>(getCountries().map((country) => getCountryCallingCode(country)));
});

/** `+` and 15 digits; the parser accepts more. */
const maxE164Length = 16;

/** Some registrars write the country code or `0` before the national number, or `00` before either. */
function e164(countryCode: string, number: string): string | null {
  const code = countryCode.replace(/\D/g, '').replace(/^0+/, '');
  // The parser throws for any other code.
  if (!callingCodes().has(code)) return null;
  const phone = phoneNumbers().parsePhoneNumberFromString(number.replace(/^\s*00/, '+'), {
    defaultCallingCode: code,
    extract: false,
  });
  if (!phone?.isValid() || phone.countryCallingCode !== code) return null;
  return phone.number.length <= maxE164Length ? phone.number : null;
}

const PhoneNumberRef = builder.objectRef<Phone>('PhoneNumber').implement({
  description: 'A telephone or fax number.',
  extensions: valueType,
  fields: (t) => ({
    ...nullableFields(t, 'String', {
      countryCode: 'Country calling code without `+`, such as `49`; null when the number has none.',
    }),
    ...requiredFields(t, 'String', { number: 'The national number.' }),
    e164: t.string({
      description:
        'The number in E.164 form, such as `+4930123456`, without an extension; null without a country code, and when the two are no valid number.',
      resolve: ({ countryCode, number }) => e164(countryCode ?? '', number),
    }),
  }),
});

type Address = Exclude<ContactDetails['address'], Error>;

const AddressRef = builder.objectRef<Address>('Address').implement({
  description: 'A postal address. A part that is empty at the registrar is null.',
  extensions: valueType,
  fields: (t) =>
    nullableFields(t, 'String', {
      line1: 'Street and number.',
      line2: 'Second line.',
      line3: 'Third line.',
      city: 'City.',
      state: 'State or province.',
      zipCode: 'Postal code.',
      country: "Usually ISO 3166-1 alpha-2; the registrar sometimes sends the country's name.",
    }),
});

/** The fields that the domain includes; all others need `getcontacts`. */
const free: ReadonlySet<string> = new Set(['__typename', 'id', 'role', 'upstreamId']);

const asksForMore = (nodes: readonly FieldNode[], info: GraphQLResolveInfo): boolean =>
  nodes.some(({ selectionSet }) =>
    fieldsIn(selectionSet?.selections, info).some(({ name }) => !free.has(name.value)),
  );

/** Whether something below these fields of the type `DomainContacts` takes `getcontacts`. */
export const asksForPeople = (nodes: readonly FieldNode[], info: GraphQLResolveInfo): boolean =>
  [...fieldsBelow(nodes, info).values()].some((contact) => asksForMore(contact, info));

/** The `extensions` of what does not come with the domain. */
const costsContacts = costs((count, _args, { contacts }) => {
  if (contacts) count.contacts(contacts);
  return noEntities;
});

/** The options of a field for a member that `getcontacts` returns. As a rule its reply is at hand. */
const fromDetails = <Name extends keyof ContactDetails>(name: Name) => ({
  extensions: costsContacts,
  resolve(contact: Contact, _args: object, { use }: Scope) {
    type MemberValue = Exclude<ContactDetails[Name], Fault>;
    const read = (person: FieldResult<ContactDetails | null>) => {
      const details = unwrap(person);
      return details && unwrap(details[name] as FieldResult<MemberValue>);
    };
    if (contact.details !== undefined) return read(contact.details);
    return use(contactReads)
      .load(contact.domain)
      .then((people) => read(personOf(people, contact)));
  },
});

const needsContacts = 'Calls: one `getcontacts` per domain, for all of its contacts together.';

const ContactRef = builder.objectRef<Contact>('Contact').implement({
  description: `A contact of a domain: a person or company. The registrar cannot change the contacts of a registered domain. ${needsContacts} \`id\`, \`role\` and \`upstreamId\` cause no call.`,
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(
      t,
      'Contact',
      ({ domain, role }: Contact) => `${domain}/${role}`,
      'Opaque and stable: built from the domain and the role.',
    ),
    ...nullableFields(t, 'Int', {
      upstreamId:
        'Number of the contact at the registrar; several roles may share one. Calls: none.',
    }),
    ...requiredFields(t, ContactRoleRef, { role: 'Role of the contact for the domain.' }),
    firstName: t.string({ description: 'First name.', ...fromDetails('firstName') }),
    lastName: t.string({ description: 'Last name.', ...fromDetails('lastName') }),
    company: t.string({ description: 'Company.', ...fromDetails('company') }),
    email: t.string({ description: 'E-mail address.', ...fromDetails('email') }),
    phone: t.field({ type: PhoneNumberRef, description: 'Telephone.', ...fromDetails('phone') }),
    fax: t.field({ type: PhoneNumberRef, description: 'Fax.', ...fromDetails('fax') }),
    address: t.field({
      type: AddressRef,
      description: 'Postal address.',
      ...fromDetails('address'),
    }),
    type: t.string({
      description: 'Raw type, such as `EuContact`; it depends on the role only.',
      ...fromDetails('type'),
    }),
    status: t.string({
      description: 'Raw status; only null has been seen.',
      ...fromDetails('status'),
    }),
    authCode: t.string({
      ...needs('authcode:read'),
      description: 'Auth code of the contact, if the registry uses one. A secret.',
      extensions: secret,
      resolve: (contact, _args, scope) =>
        scope.recorder.read('authcode.read', contact.domain, async () => {
          await scope.use(gate).requireForAuthCodes(contact.domain);
          return fromDetails('authCode').resolve(contact, {}, scope);
        }),
    }),
    additional: t.field({
      type: [KeyValueRef],
      description: 'Further attributes, as the registrar names them.',
      ...fromDetails('additional'),
    }),
  }),
});

export const DomainContactsRef = builder.objectRef<DomainDetails>('DomainContacts').implement({
  description:
    'The four contacts of a domain; null for a role without a contact. A contact with a number that `getcontacts` does not return has errors at its fields.',
  fields: (t) => {
    const contacts = Object.values(roles).map(({ value: role, description }) => {
      const field = t.field({
        type: ContactRef,
        description,
        resolve: ({ name, contactIds }, _args, { use }, info) => {
          const contact = { domain: name, role, upstreamId: contactIds[role] };
          if (!asksForMore(info.fieldNodes, info)) return contact;
          return use(contactReads)
            .load(name)
            .then(
              (people) => {
                const details = personOf(people, contact);
                return details && { ...contact, details };
              },
              (error) => ({ ...contact, details: asFault(error) }),
            );
        },
      });
      return [role, field] as const;
    });
    return Object.fromEntries(contacts);
  },
});

/** What the key of a contact names; null when no id of ours has such a key. */
export function readContactKey(key: string): Pick<Contact, 'domain' | 'role'> | null {
  const [host = '', role] = key.split('/');
  const domain = domainOfKey(host);
  const known = Object.values(roles).find(({ value }) => value === role);
  return domain && known ? { domain, role: known.value } : null;
}

const optionalText = <Shape>(textOf: (shape: Shape) => string | null | undefined) => ({
  nullable: true as const,
  resolve: (shape: Shape) => textOf(shape) || null,
});

const AddressFieldsRef = builder.objectRef<ContactInput['address']>('AddressFields').implement({
  description: 'A postal address as it was saved.',
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      line1: 'Street and number.',
      city: 'City.',
      country: 'ISO 3166-1 alpha-2.',
    }),
    line2: t.string({ description: 'Second line.', ...optionalText(({ line2 }) => line2) }),
    state: t.string({ description: 'State or province.', ...optionalText(({ state }) => state) }),
    zipCode: t.string({ description: 'Postal code.', ...optionalText(({ zipCode }) => zipCode) }),
  }),
});

export const ContactFieldsRef = builder.objectRef<ContactInput>('ContactFields').implement({
  description: 'A person or company as it was saved: the fields of `ContactInput`.',
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      firstName: 'First name.',
      lastName: 'Last name.',
      email: 'E-mail address.',
      phone: 'Telephone number.',
    }),
    company: t.string({ description: 'Company.', ...optionalText(({ company }) => company) }),
    ...requiredFields(t, AddressFieldsRef, { address: 'Postal address.' }),
  }),
});

const AddressInputRef = builder.inputType('AddressInput', {
  description: 'A postal address.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      line1: 'Street and number.',
      city: 'City.',
      country: 'ISO 3166-1 alpha-2, such as `DE`; any case.',
    }),
    ...optionalInputs(t, 'String', {
      line2:
        'Second line. For the registrant it is appended to the first line, because the registrar has one line; both have at most 253 characters together.',
      state: 'State or province, if the country has them.',
      zipCode: 'Postal code of at most 16 characters, if the country has them.',
    }),
  }),
});

export const ContactInputRef = builder.inputType('ContactInput', {
  description:
    'A person or company. Validated before any upstream call. A text has at most 255 characters, without line breaks and invisible characters, and is sent in Unicode NFC.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      firstName: 'First name.',
      lastName:
        'Last name; the first name again for a person with one name. Both have at most 254 characters together.',
      email:
        'One e-mail address, ASCII before the `@`. The domain may be in Unicode, and is sent in ASCII (A-labels).',
      phone:
        'Telephone number in any common spelling, such as `+49 30 123456`. Without `+` it is a national number of `address.country`.',
    }),
    ...optionalInputs(t, 'String', { company: 'Company.' }),
    ...requiredInputs(t, AddressInputRef, { address: 'Postal address.' }),
  }),
});
