import { describe, expect, test } from 'vitest';
import { createChecks } from '../../../src/modules/mutation/checks.ts';
import {
  type ContactInput,
  contactToWire,
  withUpperCaseCountry,
} from '../../../src/modules/registration/contact-input.ts';
import { ada } from '../../support/ada.ts';
import { problems } from './tenant.ts';

type Address = ContactInput['address'];
type Changes = Partial<Omit<ContactInput, 'address'> & Address>;

/** Ada, with other members of herself or of her address. */
function check(changes: Changes) {
  const { line1, line2, city, state, zipCode, country } = { ...ada.address, ...changes } as Address;
  const address = { line1, line2, city, state, zipCode, country };
  const checks = createChecks();
  const wire = contactToWire(checks, ['input', 'registrant'], { ...ada, ...changes, address });
  return { wire, problems: problems({ errors: checks.faults }) };
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
    ['firstName', 'FirstName'],
    ['city', 'City'],
  ])('has a %s of at most 255 characters, without control characters', (field, member) => {
    const longest = 'a'.repeat(255);

    expect(check({ [field]: ` ${longest} ` }).wire).toMatchObject({ [member]: longest });
    for (const text of [`${longest}a`, 'a\nb', 'a\u0007b']) {
      expect(check({ [field]: text }).problems).toHaveLength(1);
    }
  });

  test.each<[Changes, string]>([
    [{ firstName: ' ' }, 'firstName'],
    [{ lastName: '' }, 'lastName'],
    [{ line1: '' }, 'address line1'],
    [{ city: ' ' }, 'address city'],
    [{ company: 'a\nb' }, 'company'],
    [{ line2: 'a\nb' }, 'address line2'],
    [{ state: 'a\nb' }, 'address state'],
    [{ zipCode: 'a\nb' }, 'address zipCode'],
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
    ['of 14 digits', '+49 30123456789012', 'DE', '30123456789012', 49],
  ])('%s is split', (_case, phone, country, Phone, PhoneCountryCode) => {
    expect(check({ phone, country }).wire).toMatchObject({ Phone, PhoneCountryCode });
  });

  test.each([
    ['that is too short', '+49 1', 'DE'],
    ['of 15 digits', '+49 301234567890123', 'DE'],
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

  expect(withUpperCaseCountry(contact)).toEqual(ada);
});
