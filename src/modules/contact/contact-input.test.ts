import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import { problems } from '../../../test/support/modules/purchase-tenant.ts';
import { createChecks } from '../mutation/checks.ts';
import { type ContactInput, canonicalContact, contactToWire } from './contact-input.ts';

type Address = ContactInput['address'];
type Changes = Partial<Omit<ContactInput, 'address'> & Address>;

/** Ada, with other members of herself or of her address. */
function convert(changes: Changes) {
  const { line1, line2, city, state, zipCode, country } = { ...ada.address, ...changes } as Address;
  const address = { line1, line2, city, state, zipCode, country };
  const checks = createChecks();
  const wire = contactToWire(checks, ['input', 'registrant'], { ...ada, ...changes, address });
  return { wire, faults: checks.faults };
}

function check(changes: Changes) {
  const { wire, faults } = convert(changes);
  return { wire, problems: problems({ errors: faults }) };
}

const adaOnWire = {
  FirstName: 'Ada',
  LastName: 'Lovelace',
  Company: '',
  EMail: 'ada@example.org',
  AddressLine1: 'Musterweg 1',
  AddressLine2: '',
  City: 'Berlin',
  State: '',
  ZipCode: '10115',
  Country: 'DE',
  Phone: '30123456',
  PhoneCountryCode: 49,
};

describe('a contact', () => {
  test('is sent in the spelling of the upstream, without surrounding blanks', () => {
    const whole = { company: ' Engines Ltd ', line2: ' Floor 2 ', state: ' BE ', country: ' de ' };

    expect(check({ zipCode: null })).toEqual({ wire: { ...adaOnWire, ZipCode: '' }, problems: [] });
    expect(check({ ...whole, firstName: ' Ada ', email: ' ada@example.org ' })).toEqual({
      wire: { ...adaOnWire, Company: 'Engines Ltd', AddressLine2: 'Floor 2', State: 'BE' },
      problems: [],
    });
  });

  test.each([
    ['company', 'Company'],
    ['line1', 'AddressLine1'],
    ['city', 'City'],
  ])('has a %s of at most 255 characters, without control characters', (field, member) => {
    const longest = 'a'.repeat(255);

    for (const text of [longest, '𠮷'.repeat(255)]) {
      expect(check({ [field]: ` ${text} ` }).wire).toMatchObject({ [member]: text });
    }
    for (const text of [`${longest}a`, 'a\nb', 'a\u0007b']) {
      expect(check({ [field]: text }).problems).toHaveLength(1);
    }
  });

  test.each<[Changes, string]>([
    [{ firstName: ' ' }, 'firstName'],
    [{ lastName: '' }, 'lastName'],
    // Its fault is the only one: an empty text adds nothing to the length of the other.
    [{ firstName: '', lastName: 'b'.repeat(255) }, 'firstName'],
    [{ line1: '' }, 'address line1'],
    [{ city: ' ' }, 'address city'],
    [{ company: 'a\nb' }, 'company'],
    [{ line2: 'a\nb' }, 'address line2'],
    [{ state: 'a\nb' }, 'address state'],
    [{ zipCode: 'a\nb' }, 'address zipCode'],
    [{ city: 'a\u2028b' }, 'address city'],
    [{ zipCode: '1'.repeat(17) }, 'address zipCode'],
    [{ firstName: 'a'.repeat(128), lastName: 'b'.repeat(127) }, 'lastName'],
    [{ line1: 'a'.repeat(127), line2: 'b'.repeat(127) }, 'address line2'],
    // Text that no reader sees, that turns other text, or that is no Unicode.
    [{ firstName: '\u200b' }, 'firstName'],
    [{ city: '\u2800 \u3164' }, 'address city'],
    [{ lastName: 'Qu\u202eill' }, 'lastName'],
    [{ lastName: 'Qu\u2067ill' }, 'lastName'],
    [{ company: 'Soft\u00adware' }, 'company'],
    [{ company: 'Ma\ufeffple' }, 'company'],
    [{ line2: 'Floor\u200d2' }, 'address line2'],
    [{ lastName: 'Love\u200clace' }, 'lastName'],
    [{ lastName: 'رضا\u200c' }, 'lastName'],
    [{ state: 'B\u{e0042}E' }, 'address state'],
    [{ firstName: 'Ada \ud83d' }, 'firstName'],
    [{ email: 'ada' }, 'email'],
    [{ phone: 'none' }, 'phone'],
    [{ country: 'XX', phone: '+49 30 123456' }, 'address country'],
    [{ country: '' }, 'address country'],
  ])('with %j is refused for that field', (changes, field) => {
    expect(check(changes).problems).toEqual([`INVALID_INPUT registrant ${field}`]);
  });

  test('reports every field that is wrong', () => {
    const wrong = check({ firstName: '', email: 'x', phone: '+1', country: 'XX', line1: '' });

    expect(wrong.wire).toBeNull();
    expect(wrong.problems.map((problem) => problem.split(' ').at(-1)).sort()).toEqual([
      'country',
      'email',
      'firstName',
      'line1',
      'phone',
    ]);
  });
});

test.each([
  ['Persian joiners', 'نیک\u200cنام'],
  ['Devanagari joiners', 'क्\u200dष'],
  ['a Japanese variant', '葛\u{e0100}城'],
  ['marks that no composed letter has', 'Q\u0301uill'],
])('%s between letters are sent', (_case, lastName) => {
  expect(check({ lastName })).toMatchObject({ wire: { LastName: lastName }, problems: [] });
});

test('a field that is optional and has only invisible characters is empty', () => {
  expect(check({ company: '\u200b \u2060', line2: ' \u2060 ' })).toEqual({
    wire: adaOnWire,
    problems: [],
  });
});

test('names and lines that fit together are sent whole', () => {
  const [firstName, line1] = ['a'.repeat(128), 'a'.repeat(127)];
  const [lastName, line2] = ['𠮷'.repeat(126), '𠮷'.repeat(126)];

  expect(check({ firstName, lastName, line1, line2 })).toMatchObject({
    ...{ wire: { LastName: lastName, AddressLine2: line2 }, problems: [] },
  });
});

test.each<[Changes, string]>([
  [
    { lastName: '' },
    '"lastName" must not be empty; for a person with one name, write that name in both fields.',
  ],
  [{ city: '' }, '"city" must not be empty.'],
  [
    { firstName: 'a'.repeat(128), lastName: 'b'.repeat(127) },
    '"firstName" and "lastName" are joined and have at most 255 characters together; these have 256.',
  ],
  [
    { line1: 'a'.repeat(127), line2: 'b'.repeat(127) },
    '"line1" and "line2" are joined and have at most 255 characters together; these have 256.',
  ],
  [{ company: 'Soft\u00adware' }, '"company" contains the invisible character U+00AD; remove it.'],
  [
    { email: 'ä@example.org' },
    'The part of "email" before the "@" must be ASCII, as in "info@müller.example".',
  ],
  [{ email: 'ada@mü ller.example' }, '"email" must be one address such as "ada@example.com".'],
  [{ email: 'müller.example' }, '"email" must be one address such as "ada@example.com".'],
])('%j is refused with a message that names the rule', (changes, message) => {
  expect(convert(changes).faults.map((fault) => fault.message)).toEqual([message]);
});

test.each([
  ['info@müller-demo.com', 'info@xn--mller-demo-9db.com'],
  [' Info@MÜLLER-Demo.com ', 'Info@xn--mller-demo-9db.com'],
  ['info@xn--mller-demo-9db.com', 'info@xn--mller-demo-9db.com'],
  ['кто@пример.рф', ''],
  ['info@пример.рф', 'info@xn--e1afmkfd.xn--p1ai'],
  ['info@mü ller.com', ''],
  ['info@m\u200büller.com', ''],
  ['info@example.org.', ''],
  ['info@ example.org', ''],
  ['@example.org', ''],
])('the e-mail address %s is sent as %j', (email, sent) => {
  expect(check({ email }).wire?.EMail).toBe(sent);
});

test.each([
  ['ada@example.org', true],
  [
    `ada@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(6)}`,
    true,
  ],
  [
    `ada@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(7)}`,
    false,
  ],
  ['ada@localhost', false],
  ['ada@example.org, bob@example.org', false],
  ['example.org', false],
  ['ada@@example.org', false],
])('the e-mail address %s is accepted: %s', (email, isAccepted) => {
  expect(check({ email }).wire?.EMail ?? '').toBe(isAccepted ? email : '');
});

describe('a telephone number', () => {
  test.each([
    ['with its country code', '+49 30 123456', 'DE', '30123456', 49],
    ['of the country of the address', '030 123456', 'DE', '30123456', 49],
    ['of another country', '+44 20 7946 0958', 'DE', '2079460958', 44],
    ['in a country without numbers of its own', '+49 30 123456', 'AQ', '30123456', 49],
    ['of 15 digits with its country code', '+49 3012345678901', 'DE', '3012345678901', 49],
  ])('%s is split', (_case, phone, country, Phone, PhoneCountryCode) => {
    expect(check({ phone, country }).wire).toMatchObject({ Phone, PhoneCountryCode });
  });

  test.each([
    ['that is too short', '+49 1', 'DE'],
    ['of 16 digits with its country code', '+49 30123456789012', 'DE'],
    ['without its country', '030 123456', 'AQ'],
    ['that is no number', 'call me', 'DE'],
  ])('%s is refused', (_case, phone, country) => {
    expect(check({ phone, country })).toEqual({
      ...{ wire: null, problems: ['INVALID_INPUT registrant phone'] },
    });
  });

  test('of an unknown country is no second fault, unless it has a country code', () => {
    expect(check({ phone: '030 123456', country: 'XX' }).problems).toHaveLength(1);
    expect(check({ phone: '+49 1', country: 'XX' }).problems).toHaveLength(2);
  });
});

test('a country is compared without case and blanks', () => {
  const contact = { ...ada, address: { ...ada.address, country: ' de ' } };

  expect(canonicalContact(contact)).toEqual(ada);
});

test('texts are compared and sent in one Unicode form, and e-mail hosts in ASCII', () => {
  const text = fc.string({ unit: 'grapheme-composite', maxLength: 12 });
  const host = fc.constantFrom('bücher.de', 'ÉCOLE.example', 'naïve.co.uk');
  fc.assert(
    fc.property(text, text, host, (firstName, city, at) => {
      const spelledIn = (form: 'NFC' | 'NFD', ascii: string) =>
        canonicalContact({
          ...{ ...ada, firstName: firstName.normalize(form), email: `ada@${ascii}` },
          address: { ...ada.address, city: ` ${city.normalize(form)} ` },
        });
      const one = spelledIn('NFC', domainToASCII(at));

      expect(spelledIn('NFD', at.normalize('NFD'))).toEqual(one);
      expect(canonicalContact(one)).toEqual(one);
    }),
  );
  expect(check({ firstName: 'Ame\u0301lie' }).wire?.FirstName).toBe('Am\u00e9lie');
});
