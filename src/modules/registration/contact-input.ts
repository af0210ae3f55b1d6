import { GraphQLCountryCode, GraphQLEmailAddress } from 'graphql-scalars';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { quoted } from '../../lib/quoted.ts';
import type { ContactInputWire } from '../../upstream/domain-api/operations.ts';
import { accepts, type Checks } from '../mutation/checks.ts';

/** A person or company as a caller writes it. */
export interface ContactInput {
  readonly firstName: string;
  readonly lastName: string;
  readonly company?: string | null | undefined;
  readonly email: string;
  /** As people write it: `+49 30 123456`, or national when the country is the address's. */
  readonly phone: string;
  readonly address: {
    readonly line1: string;
    readonly line2?: string | null | undefined;
    readonly city: string;
    readonly state?: string | null | undefined;
    readonly zipCode?: string | null | undefined;
    /** ISO 3166-1 alpha-2, in any case. */
    readonly country: string;
  };
}

/** Two spellings of a country are one input. */
export const withUpperCaseCountry = (contact: ContactInput): ContactInput => ({
  ...contact,
  address: { ...contact.address, country: contact.address.country.trim().toUpperCase() },
});

const longestText = 255;

/** The contact in the upstream's spelling; records everything that is wrong with it, with its path. */
export function contactToWire(
  checks: Checks,
  path: readonly string[],
  { address, ...person }: ContactInput,
): ContactInputWire | null {
  const text = (field: readonly string[], value: string, isNeeded = true) =>
    checks.check([...path, ...field], () => plainText(field.at(-1) ?? '', value, isNeeded)) ?? '';
  const country = checks.check([...path, 'address', 'country'], () => countryCode(address.country));
  // Without its country a national number can't be read, which is no second fault.
  const isReadable = country !== null || person.phone.includes('+');
  const phone = isReadable
    ? checks.check([...path, 'phone'], () => splitPhone(person.phone, country))
    : null;
  const wire = {
    FirstName: text(['firstName'], person.firstName),
    LastName: text(['lastName'], person.lastName),
    Company: text(['company'], person.company ?? '', false),
    EMail: checks.check([...path, 'email'], () => emailAddress(person.email)) ?? '',
    AddressLine1: text(['address', 'line1'], address.line1),
    AddressLine2: text(['address', 'line2'], address.line2 ?? '', false),
    City: text(['address', 'city'], address.city),
    State: text(['address', 'state'], address.state ?? '', false),
    ZipCode: text(['address', 'zipCode'], address.zipCode ?? '', false),
    Country: country ?? '',
  };
  return phone && { ...wire, Phone: phone.number, PhoneCountryCode: phone.countryCode };
}

/** An ISO 3166-1 alpha-2 code in upper case. @throws Fault `INVALID_INPUT` */
function countryCode(text: string): string {
  const code = text.trim().toUpperCase();
  if (accepts(GraphQLCountryCode, code)) return code;
  throw invalidInput(`${quoted(text)} is not a country code such as "DE" (ISO 3166-1).`);
}

const longestEmail = 254;

/** One e-mail address, surrounding blanks removed. @throws Fault `INVALID_INPUT` */
function emailAddress(text: string): string {
  const email = text.trim();
  const host = email.slice(email.lastIndexOf('@') + 1);
  // The scalar also accepts `ada@localhost`, which no registry delivers to.
  const isAddress =
    accepts(GraphQLEmailAddress, email) && isDomainName(host) && email.length <= longestEmail;
  if (isAddress) return email;
  throw invalidInput('"email" must be one address such as "ada@example.com".');
}

function plainText(name: string, value: string, isNeeded: boolean): string {
  const text = value.trim();
  if (isNeeded && text === '') throw invalidInput(`"${name}" must not be empty.`);
  if (text.length > longestText) {
    throw invalidInput(
      `"${name}" has at most ${longestText} characters; this one has ${text.length}.`,
    );
  }
  if (/\p{Cc}/u.test(text))
    throw invalidInput(`"${name}" must not hold line breaks or control characters.`);
  return text;
}

/** EPP takes a country code of 1 to 3 digits and at most 14 digits after it (RFC 5733 §2.5). */
const longestNumber = 14;

function splitPhone(value: string, country: string | null) {
  const defaultCountry = country && isSupportedCountry(country) ? country : undefined;
  const phone = parsePhoneNumberFromString(value, defaultCountry);
  if (!phone?.isPossible() || phone.nationalNumber.length > longestNumber) {
    throw invalidInput(
      '"phone" cannot be read; write it with its country code, such as "+49 30 123456".',
    );
  }
  return { number: phone.nationalNumber, countryCode: Number(phone.countryCallingCode) };
}
