import type { Refusal } from '../graph/error-text.ts';
import { createStored } from '../shared/stored.ts';
import type { ContactInput } from './documents.ts';

/** Who will hold the domains, field by field as the form has them. */
export interface Registrant {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly line1: string;
  readonly city: string;
  readonly zipCode: string;
  readonly country: string;
}

/** Filled in, since this is a sandbox. */
export const registrant = createStored<Registrant>(sessionStorage, 'registrant', {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+49 30 123456',
  line1: 'Musterweg 1',
  city: 'Berlin',
  zipCode: '10115',
  country: 'DE',
});

export function contactOf({
  firstName,
  lastName,
  email,
  phone,
  ...address
}: Registrant): ContactInput {
  return { firstName, lastName, email, phone, address };
}

/** Whether an error is about the contact of all lines. */
export const isOfRegistrant = ({ path }: Refusal): boolean => path?.includes('registrant') ?? false;
