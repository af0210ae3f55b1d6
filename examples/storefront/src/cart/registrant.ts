import { createStored } from '../shared/stored.ts';
import type { RegisterInput } from './documents.ts';

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
export const registrant = createStored<Registrant>('registrant', {
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
}: Registrant): RegisterInput['registrant'] {
  return { firstName, lastName, email, phone, address };
}
