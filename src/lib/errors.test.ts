import { expect, test } from 'vitest';
import { Fault } from '../kernel/faults.ts';
import { withoutStack } from './errors.ts';

const { stackTraceLimit } = Error;

test('an error that is created without a stack has its name and message only', () => {
  expect(withoutStack(() => new TypeError('It is wrong.')).stack).toBe('TypeError: It is wrong.');
});

test('later errors have a stack, also when the creation throws', () => {
  const create = () => {
    throw new RangeError('It cannot be created.');
  };
  expect(() => withoutStack(create)).toThrow(RangeError);

  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  expect(new Error('It is a bug.').stack).toContain(import.meta.filename);
});

test('a fault has no stack, and errors after it have one', () => {
  expect(new Fault('NOT_FOUND', { message: 'It is gone.' }).stack).toBe('Fault: It is gone.');
  expect(new Error('It is a bug.').stack).toContain(import.meta.filename);
});
