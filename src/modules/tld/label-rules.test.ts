import { expect, test } from 'vitest';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { labelFault } from './label-rules.ts';

const tld = (minLength: number | Fault, maxLength: number | Fault) =>
  ({ name: 'com', minLength, maxLength }) as TldDetails;
const faultOf = (length: number, of: TldDetails) => {
  const label = 'a'.repeat(length);
  return labelFault(parseDomainName(`${label}.com`), label, of);
};

test.each([
  [2, true],
  [3, false],
  [5, false],
  [6, true],
])('a label of %i characters under a TLD of 3 to 5 is refused: %s', (length, isRefused) => {
  expect(faultOf(length, tld(3, 5)) !== null).toBe(isRefused);
});

test('the refusal reports both bounds', () => {
  const fault = faultOf(2, tld(3, 5));

  expect(fault?.message).toBe('A name under .com has 3 to 5 characters; "aa" has 2.');
  expect([fault?.code, fault?.facts]).toEqual(['INVALID_INPUT', { minimum: 3, maximum: 5 }]);
});

test('bounds that cannot be read are those of DNS', () => {
  const odd = new Fault('UPSTREAM_PROTOCOL');

  expect(faultOf(1, tld(odd, odd))).toBeNull();
  expect(faultOf(63, tld(odd, odd))).toBeNull();
});
