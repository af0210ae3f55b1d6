import { storageName } from '../session/session.ts';
import { createStored } from '../shared/stored.ts';
import type { ContactInput } from './documents.ts';

/** A contact, field by field as the form has it. */
export interface Fields {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly line1: string;
  readonly city: string;
  readonly zipCode: string;
  readonly country: string;
}

/** Filled in, since this is a sandbox. A real shop begins with empty fields. */
const sample: Fields = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+49 30 123456',
  line1: 'Musterweg 1',
  city: 'Berlin',
  zipCode: '10115',
  country: 'DE',
};

/** The typed contact, until the tab is closed. */
export const typedContact = createStored(sessionStorage, storageName('contact'), sample);

export function contactOf({ firstName, lastName, email, phone, ...address }: Fields): ContactInput {
  return { firstName, lastName, email, phone, address };
}
