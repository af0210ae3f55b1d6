import { describe, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import { problems } from '../../../test/support/modules/purchase-tenant.ts';
import { money } from '../../kernel/money.ts';
import { createChecks } from '../../modules/mutation/checks.ts';
import {
  type RegistrationValues,
  StoredValues,
} from '../../modules/purchase/registration-values.ts';
import { toPurchase } from './quoted-lines.ts';

const maxPrice = money('5', 'USD');
const line = { domain: 'maple.com', period: 2, acceptPremium: true, maxPrice };
const eve = { ...ada, firstName: 'Eve' };
const hosts = ['ns1.example.net'];
const defaults: RegistrationValues = { registrant: { fields: ada }, nameServers: hosts };
const storedWith = (inherited: RegistrationValues) =>
  new StoredValues({
    ...{ inherited, defaults: new Map(), hints: { registrant: '', nameServers: '' } },
    named: () => ada,
  });
const given = (contact: object, field = 'registrant') => ({ contact, path: [field, 'fields'] });
const purchase = (register: object, of: RegistrationValues = defaults) => {
  const checks = createChecks();
  const found = toPurchase(checks, { registration: { ...line, ...register } }, storedWith(of));
  return { found, problems: problems({ errors: checks.faults }) };
};

describe('the purchase of a line', () => {
  test('has the values of the defaults, and those of a registration without them', () => {
    expect(purchase({}).found).toEqual({
      kind: 'REGISTRATION',
      input: {
        ...{ ...line, registrant: given(ada), nameServers: hosts, contact: null },
        ...{ privacyProtected: false, transferLocked: true, dryRun: false },
      },
    });
  });

  test('has the values of the line before those of the defaults', () => {
    const of = {
      ...defaults,
      contact: { fields: ada },
      privacyProtected: false,
      transferLocked: true,
    };
    const own = {
      ...{
        registrant: { fields: eve },
        contact: { fields: eve },
        nameServers: ['ns9.example.net'],
      },
      ...{ privacyProtected: true, transferLocked: false },
    };

    expect(purchase(own, of).found?.input).toMatchObject({
      ...own,
      ...{ registrant: given(eve), contact: given(eve, 'contact') },
    });
  });

  test('has the defaults where the line has no value', () => {
    const of = {
      ...defaults,
      contact: { fields: eve },
      privacyProtected: true,
      transferLocked: false,
    };

    expect(purchase({}, of).found?.input).toMatchObject({
      ...{ contact: given(eve, 'contact'), privacyProtected: true, transferLocked: false },
    });
  });

  test.each([
    [{ registrant: { fields: ada } }, ['INVALID_INPUT nameServers']],
    [{ nameServers: hosts }, ['INVALID_INPUT registrant']],
    [{}, ['INVALID_INPUT registrant', 'INVALID_INPUT nameServers']],
  ])('is refused when defaults %o have no value that it needs', (of, missing) => {
    expect(purchase({}, of)).toEqual({ found: null, problems: missing });
  });

  test('is a transfer without the values of registrations', () => {
    const transfer = { domain: 'maple.com', period: 1, authCode: 'Auth-1', maxPrice };

    expect(toPurchase(createChecks(), { transfer }, storedWith(defaults))).toEqual({
      kind: 'TRANSFER',
      input: { ...transfer, dryRun: false },
    });
  });
});
