import { transferCode } from '../purchases/shop.ts';
import { input, type Row, With } from './row.ts';
import {
  contact,
  dollar,
  flags,
  lines,
  other,
  otherHosts,
  person,
  registration,
  transfer,
  values,
} from './values.ts';

const euros = { amount: '900', currency: 'EUR' };
const choices = { registrant: other, contact: other, nameServers: otherHosts, ...flags };
const limits = { maxPrice: dollar, maxCost: dollar };
const register = { domain: '$-a.xyz', ...values, idempotencyKey: 'key-$' };
const premium = { domain: 'casino.cc', ...values, idempotencyKey: 'key-$', dryRun: true };
const move = { domain: 'outside-$.co.uk', authCode: transferCode, idempotencyKey: 'key-$' };
/** A transfer without a price cannot be above a limit. */
const freeLimits = { maxPrice: euros, maxCost: euros };
const placed = { idempotencyKey: 'order-$', lines };
const byDefaults = { idempotencyKey: 'order-$', lines: [{ registration: { domain: '$-b.xyz' } }] };
/** Of the order that runs before: line 0 has contacts of its own, line 1 those of the order, and line 2 is a transfer. */
const retried = {
  by: { key: 'first-$' },
  idempotencyKey: 'retry-$',
  registrant: person,
  contact: person,
  lines: [
    { position: 1 },
    { position: 0, registrant: person, contact: person },
    { position: 2, authCode: transferCode },
  ],
};

/** By input type. Each field has a value that changes the outcome. */
export const purchaseRows: Readonly<Record<string, Row>> = {
  RegisterDomainInput: input('registerDomain', register, {
    ...{ ...choices, ...limits, domain: '$-other.xyz', period: 2, dryRun: true },
    ...{ idempotencyKey: 'other-$', acceptPremium: new With({ input: premium }, true) },
  }),
  ContactChoiceInput: input('registerDomain', register, { fields: other.fields, profile: 'none' }, [
    'registrant',
  ]),
  ContactInput: input(
    'registerDomain',
    { ...register, registrant: { fields: contact } },
    {
      ...{ firstName: 'Augusta', lastName: 'King', company: 'Other', email: 'other@example.com' },
      ...{ phone: '+44 20 7946 0000', address: { ...contact.address, city: 'Bath' } },
    },
    ['registrant', 'fields'],
  ),
  AddressInput: input(
    'registerDomain',
    { ...register, registrant: { fields: contact } },
    {
      line1: 'Way 2',
      line2: 'Room 9',
      city: 'Bath',
      state: 'Avon',
      zipCode: 'BA1 1AA',
      country: 'IE',
    },
    ['registrant', 'fields', 'address'],
  ),
  MoneyInput: input(
    'registerDomain',
    { ...register, maxPrice: { amount: '900', currency: 'USD' } },
    { amount: '1', currency: 'EUR' },
    ['maxPrice'],
  ),
  TransferDomainInput: input('transferDomain', move, {
    ...{ ...freeLimits, domain: 'outside-other-$.co.uk', authCode: 'Wrong', period: 2 },
    ...{ customer: 'acme', dryRun: true, idempotencyKey: 'other-$' },
  }),
  LookupInput: input(
    'cancelOrder',
    { id: 'none' },
    { id: new With({ input: { key: 'none' } }, 'none'), key: 'none' },
  ),
  PlaceOrderInput: input('placeOrder', placed, {
    ...{ idempotencyKey: 'other-$', lines: [{ transfer }], maxTotal: [dollar] },
    maxTotalCost: [dollar],
    defaults: new With({ input: byDefaults }, values),
    onFailure: new With(
      {
        input: {
          ...placed,
          lines: [...lines, { registration: { ...registration, domain: 'a b' } }],
        },
      },
      'STOP',
    ),
  }),
  OrderDefaultsInput: input('placeOrder', { ...byDefaults, defaults: values }, choices, [
    'defaults',
  ]),
  OrderLineInput: input(
    'placeOrder',
    placed,
    { registration: { ...registration, period: 2 }, transfer },
    [...['lines', '0']],
  ),
  RegistrationLineInput: input(
    'placeOrder',
    placed,
    {
      ...{ ...choices, ...limits, domain: '$-other.xyz', period: 2 },
      acceptPremium: new With(
        {
          input: {
            ...placed,
            lines: [{ registration: { ...registration, domain: 'casino.cc' } }, { transfer }],
          },
        },
        true,
      ),
    },
    ['lines', '0', 'registration'],
  ),
  TransferLineInput: input(
    'placeOrder',
    placed,
    {
      ...{ ...freeLimits, domain: 'outside-other-$.co.uk', authCode: 'Wrong', period: 2 },
      customer: 'acme',
    },
    ['lines', '1', 'transfer'],
  ),
  RetryOrderInput: input('retryOrder', retried, {
    ...{ by: { key: 'none' }, idempotencyKey: 'again-$', registrant: other, contact: other },
    ...{ maxTotal: [dollar], maxTotalCost: [dollar], lines: [] },
  }),
  RetryLineInput: input(
    'retryOrder',
    retried,
    { registrant: other, contact: other, position: 99, authCode: 'Wrong' },
    ['lines', '0'],
  ),
};
