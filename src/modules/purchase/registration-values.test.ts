import { expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import { Fault } from '../../kernel/faults.ts';
import { createChecks } from '../mutation/checks.ts';
import {
  type RegistrationValues,
  readNamedContacts,
  readStoredValues,
  type ValueStore,
} from './registration-values.ts';

const choice = { fields: ada };
const flags = { privacyProtected: false, transferLocked: true };
const whole = { nameServers: ['ns1.example.net'], registrant: choice, contact: choice, ...flags };

/** A store without contacts and with these defaults of customers, and the customers whose defaults were read. */
function open(defaults: Awaited<ReturnType<ValueStore['defaultsOf']>> = new Map()) {
  const read: (readonly (string | null)[])[] = [];
  const valueStore: ValueStore = {
    async contactsOf(choices) {
      return () => {
        throw new Fault('NOT_FOUND', { message: `One of ${choices.length}.` });
      };
    },
    async defaultsOf(customers) {
      read.push(customers);
      return defaults;
    },
    hints: { registrant: ', or store one', nameServers: '' },
  };
  return { read, deps: { valueStore, caller: { customer: null } } };
}

test.each(Object.keys(whole))('defaults are read for a registration without %s', async (name) => {
  const { deps, read } = open();

  await readStoredValues(deps, [whole, { ...whole, customer: 'acme' }]);
  expect(read).toEqual([]);
  await readStoredValues(deps, [{ ...whole, [name]: null, customer: 'acme' }]);
  expect(read).toEqual([[null, 'acme']]);
});

test('a value of the order is one of the registration', async () => {
  const { deps, read } = open();

  await readStoredValues(deps, [{ contact: choice }], { ...whole, contact: null });
  expect(read).toEqual([]);
});

test('a caller that is bound to a customer has the defaults of this customer', async () => {
  const { deps, read } = open();

  await readStoredValues({ ...deps, caller: { customer: 'acme' } }, [{ customer: 'rival' }]);
  expect(read).toEqual([[null, 'acme']]);
});

test('the default of a customer comes before that of the reseller, and after the value of the order', async () => {
  const none = { contact: null, nameServers: null, privacyProtected: null, transferLocked: null };
  const defaults = new Map([
    ['acme', { ...none, nameServers: ['ns1.acme.example'], transferLocked: false }],
    [null, { ...none, contact: () => ada, nameServers: ['ns1.shop.example'] }],
  ]);
  const stored = await readStoredValues(open(defaults).deps, [{}], { privacyProtected: true });

  expect(stored.complete(createChecks(), { customer: 'acme' })).toEqual({
    nameServers: ['ns1.acme.example'],
    registrant: { contact: ada, path: ['registrant'] },
    contact: { contact: ada, path: ['contact'] },
    ...{ privacyProtected: true, transferLocked: false, isWhole: true },
  });
});

test('a contact that is not found is a fault at the member that names it', async () => {
  const checks = createChecks();
  const named: RegistrationValues['registrant'] = { fields: null, ...{ other: 'unknown' } };
  const stored = await readNamedContacts(open().deps, [{ registrant: named }, whole]);

  expect(stored.contactOf(checks, 'registrant', named)).toBeNull();
  expect(stored.contactOf(checks, 'contact', choice)).toEqual({
    ...{ contact: ada, path: ['contact', 'fields'] },
  });
  expect(checks.faults).toMatchObject([
    { message: 'One of 3.', inputPath: ['input', 'registrant', 'other'] },
  ]);
});

test('a missing value has the hint of the store', async () => {
  const checks = createChecks();
  const stored = await readStoredValues(open().deps, [{}]);

  expect(stored.complete(checks, {}).isWhole).toBe(false);
  expect(checks.faults.map(({ message }) => message)).toEqual([
    '"registrant" is missing; send its "fields", or store one.',
    '"nameServers" is missing; send 1 to 13 host names.',
  ]);
});
