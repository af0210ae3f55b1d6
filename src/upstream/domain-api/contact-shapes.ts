import { Fault } from '../../kernel/faults.ts';
import {
  blankAsNull,
  field,
  fieldsOf,
  isObject,
  keyValues,
  type Members,
  map,
  mapOf,
  optionalText,
  type Read,
  succeeded,
  upstreamId,
} from '../wire/read.ts';

/** `{ID}`; `[]`, `""`, null or absent without a contact. */
const contactReference = blankAsNull(mapOf(({ ID }) => upstreamId(ID)));

/** The four contacts of a domain, by their member on the wire. */
const contactsAs = <T>(read: Read<T>, label: string) =>
  fieldsOf({
    registrant: { wire: 'Registrant', read, label },
    administrative: { wire: 'Administrative', read, label },
    technical: { wire: 'Technical', read, label },
    billing: { wire: 'Billing', read, label },
  });

export const contactReferences = blankAsNull(mapOf(contactsAs(contactReference, 'a contact id')));

export type ContactRole = keyof NonNullable<ReturnType<typeof contactReferences>>;

export const everyRole = <T>(value: T): Record<ContactRole, T> => ({
  registrant: value,
  administrative: value,
  technical: value,
  billing: value,
});

/** One field, because a number without its country code is a different number. */
const phone = blankAsNull(
  mapOf((members) => {
    const number = optionalText(members.Number);
    const countryCode = optionalText(members.CountryCode);
    if (number === undefined || countryCode === undefined) return undefined;
    return number === null ? null : { number, countryCode };
  }),
);

const address = blankAsNull(
  mapOf(
    fieldsOf({
      line1: { wire: 'Line1', read: optionalText },
      line2: { wire: 'Line2', read: optionalText },
      line3: { wire: 'Line3', read: optionalText },
      city: { wire: 'City', read: optionalText },
      state: { wire: 'State', read: optionalText },
      zipCode: { wire: 'ZipCode', read: optionalText },
      country: { wire: 'Country', read: optionalText },
    }),
  ),
);

const readNumbers = field(
  'Phone',
  blankAsNull(
    mapOf(fieldsOf({ phone: { wire: 'Phone', read: phone }, fax: { wire: 'Fax', read: phone } })),
  ),
);

const readContactFields = fieldsOf({
  upstreamId: { wire: 'ID', read: upstreamId },
  status: { wire: 'Status', read: optionalText },
  type: { wire: 'Type', read: optionalText },
  authCode: { wire: 'AuthCode', read: optionalText },
  firstName: { wire: 'FirstName', read: optionalText },
  lastName: { wire: 'LastName', read: optionalText },
  company: { wire: 'Company', read: optionalText },
  email: { wire: 'EMail', read: optionalText },
  address: { wire: 'Address', read: address },
  additional: { wire: 'Additional', read: blankAsNull(keyValues) },
});

function readContact(members: Members) {
  const numbers = readNumbers(members.Phone);
  const { phone: phoneNumber, fax } =
    numbers instanceof Error ? { phone: numbers, fax: numbers } : numbers;
  return { ...readContactFields(members), phone: phoneNumber, fax };
}

export type ContactDetails = ReturnType<typeof readContact>;

/** Whether there is no value in it, such as in an address whose parts are all null. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' && !(value instanceof Fault) && Object.values(value).every(isEmpty));

/** Null without a value: `Status` and `Type` alone describe no person. */
const contactOrNull: Read<ContactDetails | null> = blankAsNull((value) => {
  const members = map(value);
  const contact = members && readContact(members);
  return contact && isEmpty({ ...contact, status: null, type: null }) ? null : contact;
});

const readContacts = contactsAs(contactOrNull, 'a contact');

/** A role that the reply lacks is null. Null for a reply without any contacts. */
export const contactsReply = succeeded(({ data }) => {
  const members = isObject(data) ? blankAsNull(map)(data.contacts) : undefined;
  if (!members || Object.keys(members).length > 0) return members && readContacts(members);
  return null;
});
