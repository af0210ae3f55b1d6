import { expect, test } from 'vitest';
import { Fault } from './faults.ts';
import { Decimal, money } from './money.ts';
import {
  faultOfStored,
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
