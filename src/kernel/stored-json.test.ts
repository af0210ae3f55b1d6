import { describe, expect, test } from 'vitest';
import { Fault } from './faults.ts';
import { Decimal, money } from './money.ts';
import {
  faultOfStored,
  fingerprint,
  fromStoredJson,
  type StoredFault,
  storedFault,
  toStoredJson,
} from './stored-json.ts';

test('decimals stay exact, in every depth', () => {
  const price = money('0.123456789012', 'USD');
  const value = { price, list: [price.amount, null, 'text', 1.5, true], nothing: null };

  const read = fromStoredJson<typeof value>(toStoredJson(value));

  expect(read).toEqual(value);
  expect(read.price.amount).toBeInstanceOf(Decimal);
  expect(`${read.list[0]}`).toBe('0.123456789012');
});

const restore = (fault: Fault) =>
  faultOfStored(fromStoredJson<StoredFault>(toStoredJson(storedFault(fault))));
const membersOf = ({ code, message, facts, executed, retryable, inputPath, upstream }: Fault) => ({
  ...{ code, message, facts, executed, retryable, inputPath, upstream },
});

test.each([
  new Fault('UPSTREAM_TIMEOUT'),
  new Fault('UPSTREAM_REJECTED', {
    message: 'The registry refused it.',
    executed: 'YES',
    retryable: true,
    path: ['input', 'lines', '3'],
    upstream: { code: 'API_1_ERROR', message: 'No.' },
  }),
  new Fault('INSUFFICIENT_FUNDS', { facts: { required: money('5', 'USD'), minimum: 1 } }),
  new Fault('PURCHASES_STOPPED', { facts: { since: new Date(1_800_000_000_000), reason: 'Ada' } }),
])('a fault is the same after it was stored: $code', (fault) => {
  const restored = restore(fault);

  expect(restored).toBeInstanceOf(Fault);
  expect(membersOf(restored)).toEqual(membersOf(fault));
});

describe('the fingerprint of an input', () => {
  const amount = (text: string) => ({ price: { amount: Decimal.parse(text), currency: 'USD' } });

  test.each<[string, object, object]>([
    ['the order of its fields', { a: 1, b: 2, c: 3 }, { c: 3, a: 1, b: 2 }],
    ['absent, null and blank fields', { a: 1, b: null, c: ' ' }, { a: 1, d: undefined }],
    ['blanks around text', { a: ' x ' }, { a: 'x' }],
    ['zeros at the end of an amount', amount('10.50000000'), amount('10.5')],
    ['repetitions in a list', { a: ['x', 'y', 'x'] }, { a: ['x', 'y'] }],
    ['any of these in a nested object', { a: { b: 'x', c: '' } }, { a: { b: ' x' } }],
  ])('is independent of %s', (_case, one, other) => {
    expect(fingerprint('REGISTRATION', one)).toBe(fingerprint('REGISTRATION', other));
  });

  test.each<[string, object, object]>([
    ['a text', { a: 'x' }, { a: 'y' }],
    ['a field', { a: 'x' }, { b: 'x' }],
    ['an amount', amount('10.5'), amount('10.50001')],
    ['a number', { a: 1 }, { a: 2 }],
    ['a flag', { a: true }, { a: false }],
    ['false and nothing', { a: false }, {}],
    ['zero and nothing', { a: 0 }, {}],
    ['the order of a list', { a: ['x', 'y'] }, { a: ['y', 'x'] }],
    ['a nested field', { a: { b: 'x' } }, { a: { b: 'y' } }],
  ])('differs by %s', (_case, one, other) => {
    expect(fingerprint('REGISTRATION', one)).not.toBe(fingerprint('REGISTRATION', other));
  });

  test('differs by the kind of the purchase', { tags: ['I6'] }, () => {
    expect(fingerprint('REGISTRATION', {})).not.toBe(fingerprint('TRANSFER', {}));
  });

  test('is the same in every version, since the journal stores it', () => {
    const input = { nameServers: ['b', 'a', 'b'], domain: 'maple.com', ...amount('10.50') };

    expect(fingerprint('REGISTRATION', input)).toBe(
      '0339a39578cd2dd0c38bed22b43a5b8a894f74f35e728a7bdc13d8fcaeb5738d',
    );
  });
});
