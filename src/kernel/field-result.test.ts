import { expect, test } from 'vitest';
import { Fault } from './faults.ts';
import { unwrap, valueOr } from './field-result.ts';

const bad = new Fault('UPSTREAM_PROTOCOL');

test.each([[0], [''], [null], [undefined], [false], [{ amount: 1 }]])(
  'unwrap and valueOr return the value %j',
  (value) => {
    expect(unwrap(value)).toBe(value);
    expect(valueOr<unknown, string>(value, 'fallback')).toBe(value);
  },
);

test('unwrap throws the fault of the field', () => {
  expect(() => unwrap(bad)).toThrow(bad);
});

test('valueOr returns the fallback for a fault', () => {
  expect(valueOr(bad, null)).toBeNull();
});
