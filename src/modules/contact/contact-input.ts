import { GraphQLCountryCode, GraphQLEmailAddress } from 'graphql-scalars';
import { isDomainName, tryParseDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { phoneNumbers } from '../../lib/packages.cjs';
import { composed, quoted } from '../../lib/text.ts';
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

/** Text in the one form that is sent: composed (NFC), because registries compare bytes. */
const canonical = (text: string) => composed(text.trim());

const canonicalTexts = <Texts extends object>(texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, one]) => [
      name,
      typeof one === 'string' ? canonical(one) : one,
    ]),
  ) as Texts;

/** Two spellings of a text, a country or an e-mail address are one input. */
export function canonicalContact({ address, ...person }: ContactInput): ContactInput {
  const { country, ...lines } = address;
  return {
    ...canonicalTexts(person),
    email: withAsciiHost(canonical(person.email)),
    address: { ...canonicalTexts(lines), country: country.trim().toUpperCase() },
  };
}

/** The part with the last `@`, which is empty without one, and the part after it. */
function splitAddress(email: string): readonly [local: string, host: string] {
  const start = email.lastIndexOf('@') + 1;
  return [email.slice(0, start), email.slice(start)];
}

/** An e-mail address with A-labels; unchanged when its host is no domain name. */
function withAsciiHost(email: string): string {
  const [local, host] = splitAddress(email);
  return local + ((/\s|\.$/.test(host) ? null : tryParseDomainName(host)) ?? host);
}

// Lengths of RFC 5733, in characters of Unicode.
const maxTextLength = 255;
const maxZipCodeLength = 16;
const lengthOf = (text: string): number => [...text].length;

/** The contact in the upstream's spelling; records everything that is wrong with it, with its path. */
export function contactToWire(
  checks: Checks,
  path: readonly string[],
  contact: ContactInput,
): ContactInputWire | null {
  const { address, ...person } = canonicalContact(contact);
  const textOf =
    (parent: readonly string[]) =>
    (name: string, value: string, rules: TextRules = {}) =>
      checks.check([...parent, name], () => plainText(name, value, rules)) ?? '';
  const text = textOf(path);
  const addressText = textOf([...path, 'address']);
  const optional = { isOptional: true };
  const country = checks.check([...path, 'address', 'country'], () => countryCode(address.country));
  // Without its country a national number can't be read, which is no second fault.
  const isReadable = country !== null || person.phone.includes('+');
  const phone = isReadable
    ? checks.check([...path, 'phone'], () => splitPhone(person.phone, country))
    : null;
  const wire = {
    FirstName: text('firstName', person.firstName),
    LastName: text('lastName', person.lastName),
    Company: text('company', person.company ?? '', optional),
    EMail: checks.check([...path, 'email'], () => emailAddress(person.email)) ?? '',
    AddressLine1: addressText('line1', address.line1),
    AddressLine2: addressText('line2', address.line2 ?? '', optional),
    City: addressText('city', address.city),
    State: addressText('state', address.state ?? '', optional),
    ZipCode: addressText('zipCode', address.zipCode ?? '', {
      ...optional,
      longest: maxZipCodeLength,
    }),
    Country: country ?? '',
  };
  const { FirstName, LastName, AddressLine1, AddressLine2 } = wire;
  // A registry has one name for a person.
  checkTogether(checks, [...path, 'lastName'], 'firstName', `${FirstName} ${LastName}`.trim());
  checkTogether(
    checks,
    [...path, 'address', 'line2'],
    'line1',
    oneLine(AddressLine1, AddressLine2),
  );
  return phone && { ...wire, Phone: phone.number, PhoneCountryCode: phone.countryCode };
}

/** The one address line that the upstream has for a registrant. */
export const oneLine = (line1: string, line2: string | undefined) =>
  line2 ? `${line1}, ${line2}` : line1;

function checkTogether(
  checks: Checks,
  path: readonly string[],
  other: string,
  joined: string,
): void {
  checks.check(path, () => {
    const length = lengthOf(joined);
    if (length <= maxTextLength) return;
    throw invalidInput(
      `"${other}" and "${path.at(-1)}" are joined and have at most ${maxTextLength} characters together; these have ${length}.`,
    );
  });
}

/** The code, in upper case and without blanks, of ISO 3166-1 alpha-2. @throws Fault `INVALID_INPUT` */
function countryCode(code: string): string {
  if (accepts(GraphQLCountryCode, code)) return code;
  throw invalidInput(`${quoted(code)} is not a country code such as "DE" (ISO 3166-1).`);
}

const maxEmailLength = 254;

/** One e-mail address in canonical form. @throws Fault `INVALID_INPUT` */
function emailAddress(email: string): string {
  const [local, host] = splitAddress(email);
  if (/[^ -~]/.test(local)) {
    throw invalidInput(
      'The part of "email" before the "@" must be ASCII, as in "info@müller.example".',
    );
  }
  // The scalar also accepts `ada@localhost`, which no registry delivers to.
  const isAddress =
    accepts(GraphQLEmailAddress, email) && isDomainName(host) && email.length <= maxEmailLength;
  if (isAddress) return email;
  throw invalidInput('"email" must be one address such as "ada@example.com".');
}

interface TextRules {
  readonly isOptional?: boolean;
  /** In characters; default 255. */
  readonly longest?: number;
}

/** What no reader sees or what turns the direction of text; joiners between letters of scripts that need them excepted. */
const hidden =
  /(?!(?<=[\p{L}\p{M}])(?<!\p{Script=Latin})[\u200c\u200d]\p{L}|(?<=\p{L})\p{Variation_Selector})[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
const allHidden = new RegExp(hidden, 'gu');

function plainText(
  name: string,
  text: string,
  { isOptional = false, longest = maxTextLength }: TextRules,
): string {
  if (text.replace(allHidden, '').trim() === '') {
    if (isOptional) return '';
    const advice = name.endsWith('Name')
      ? '; for a person with one name, write that name in both fields'
      : '';
    throw invalidInput(`"${name}" must not be empty${advice}.`);
  }
  const length = lengthOf(text);
  if (length > longest) {
    throw invalidInput(`"${name}" has at most ${longest} characters; this one has ${length}.`);
  }
  if (!text.isWellFormed()) {
    throw invalidInput(`"${name}" is not valid Unicode: it contains an unpaired surrogate.`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    throw invalidInput(`"${name}" must not hold line breaks or control characters.`);
  const [invisible] = hidden.exec(text) ?? [];
  if (invisible !== undefined) {
    const point = Number(invisible.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');
    throw invalidInput(`"${name}" contains the invisible character U+${point}; remove it.`);
  }
  return text;
}

/** Digits of the country code and of the number together: `+49.30123456` has at most 17 characters (RFC 5733). */
const maxDigits = 15;

function splitPhone(value: string, country: string | null) {
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneNumbers();
  const defaultCountry = country && isSupportedCountry(country) ? country : undefined;
  const phone = parsePhoneNumberFromString(value, defaultCountry);
  const digits = `${phone?.countryCallingCode}${phone?.nationalNumber}`;
  if (!phone?.isPossible() || digits.length > maxDigits) {
    throw invalidInput(
      '"phone" cannot be read; write it with its country code, such as "+49 30 123456".',
    );
  }
  return { number: phone.nationalNumber, countryCode: Number(phone.countryCallingCode) };
}
