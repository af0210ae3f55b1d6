import { z } from 'zod';
import type { ContactFields } from '../service/store.ts';
import { Refusal, read } from './action.ts';
import { named, ownDomain } from './names.ts';

export const getContacts = read(named, ({ domain }, context) => {
  const { registrant, administrative, billing, technical } = ownDomain(context, domain);
  const show = (id: number, type: string) => {
    const contact = context.service.store.contacts.find({ id });
    if (!contact) throw new Refusal(402, 'Contact can not be read.');
    return contactView(id, contact.fields, type);
  };
  // The type follows the role and means nothing: one contact may show four types.
  const contacts = {
    Administrative: show(administrative, 'Contact'),
    Billing: show(billing, 'UkContact'),
    Registrant: show(registrant, 'EuContact'),
    Technical: show(technical, 'CoopContact'),
  };
  return { data: { contacts }, result: 'OK' };
});

const contactView = (id: number, fields: ContactFields, type: string) => ({
  ID: id,
  Status: null,
  Additional: [],
  Address: {
    Line1: fields.AddressLine1,
    Line2: fields.AddressLine2,
    Line3: '',
    State: fields.State,
    City: fields.City,
    Country: fields.Country,
    ZipCode: fields.ZipCode,
  },
  Phone: {
    Phone: { Number: fields.Phone, CountryCode: fields.PhoneCountryCode },
    Fax: { Number: '', CountryCode: '' },
  },
  AuthCode: '',
  FirstName: fields.FirstName,
  LastName: fields.LastName,
  Company: fields.Company,
  EMail: fields.EMail,
  Type: type,
});

/** A contact as `registerdomain` takes it: `AddressLine2` may be left out, the calling code may be text. */
export const contactInput = z.object({
  FirstName: z.string(),
  LastName: z.string(),
  Company: z.string().optional(),
  EMail: z.string(),
  AddressLine1: z.string(),
  AddressLine2: z.string().nullish(),
  City: z.string(),
  State: z.string().nullish(),
  ZipCode: z.string(),
  Country: z.string(),
  Phone: z.string(),
  PhoneCountryCode: z.union([z.int(), z.string().regex(/^\d+$/)]),
});

const rules: readonly [keyof ContactFields, RegExp][] = [
  ['FirstName', /\S/],
  ['LastName', /\S/],
  ['EMail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['AddressLine1', /\S/],
  ['City', /\S/],
  // Some countries have no postal codes.
  ['ZipCode', /^$|\S/],
  ['Country', /^[A-Z]{2}$/],
  ['Phone', /^\d{4,14}$/],
  ['PhoneCountryCode', /^[1-9]\d{0,2}$/],
];

/** @throws Refusal 400 with the message `Failed` for a member that the registry refuses. */
export function readContact(input: z.output<typeof contactInput>): ContactFields {
  const fields: ContactFields = {
    ...input,
    Company: input.Company ?? '',
    AddressLine2: input.AddressLine2 ?? '',
    State: input.State ?? '',
    PhoneCountryCode: String(input.PhoneCountryCode),
  };
  const broken = rules.find(([field, rule]) => !rule.test(fields[field]));
  if (broken) throw new Refusal(400, `Contact ${broken[0]} is not valid  `);
  return fields;
}
