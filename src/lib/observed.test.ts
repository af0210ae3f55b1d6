import { expect, test } from 'vitest';
import { observed } from './observed.ts';

test('each call of a method of an object or of its members is reported, and nothing else', () => {
  let calls = 0;
  const store = {
    name: 'purchases',
    none: null,
    add: (one: number, other: number) => one + other,
    jobs: {
      count: 3,
      double() {
        return this.count * 2;
      },
    },
  };
  const { name, none, add, jobs } = observed(store, () => {
    calls += 1;
  });
  expect([name, none, jobs.count, calls]).toEqual(['purchases', null, 3, 0]);

  expect(add(1, 2)).toBe(3);
  expect(calls).toBe(1);
  expect(jobs.double()).toBe(6);
  expect(calls).toBe(2);
});
