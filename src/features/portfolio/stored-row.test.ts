import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault, notCached } from '../../kernel/faults.ts';
import { storedFault } from '../../kernel/stored-json.ts';
import { type DomainDetails, domainRow } from '../../upstream/domain-api/shapes.ts';
import { fromStoredRow, toStoredRow } from './stored-row.ts';
import { rowOf } from './test/known-portfolio.ts';

const secret = 'SECRET-7f3a';
const odd = fc.jsonValue();
const time = fc.constantFrom('2026-01-31T12:00:00', '2025-06-01T00:00:00.1234567', '');
const contact = fc.oneof(fc.record({ ID: fc.integer({ min: 0 }) }), fc.constant([]), odd);

/** A row of the upstream in which any member can be one that has no value in the graph. */
const wireRow = fc.record({
  DomainName: fc.constant('example.com'),
  ID: fc.oneof(fc.integer(), odd),
  AuthCode: fc.constant(secret),
  LockStatus: fc.oneof(fc.constantFrom('true', 'false'), odd),
  PrivacyProtectionStatus: fc.oneof(fc.boolean(), odd),
  IsChildNameServer: fc.oneof(fc.boolean(), odd),
  NameServers: fc.oneof(fc.array(fc.string()), odd),
  ChildNameServers: fc.oneof(fc.array(fc.record({ ns: fc.string(), ip: fc.string() })), odd),
  Additional: fc.oneof(
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$time', '$fault')), fc.string()),
    odd,
  ),
  Status: fc.oneof(fc.constantFrom('Active', 'PendingTransferDeclined'), odd),
  Dates: fc.oneof(
    fc.record({ Start: time, Expiration: time, RemainingDays: fc.oneof(fc.integer(), odd) }),
    odd,
  ),
  Contacts: fc.oneof(
    fc.record({
      ...{ Registrant: contact, Administrative: contact, Technical: contact, Billing: contact },
    }),
    odd,
  ),
});

/** The members of a row, with faults as plain data, because equal errors can differ in their facts. */
const plain = (value: unknown): unknown => {
  if (value instanceof Fault) return { fault: storedFault(value) };
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
};

test('a row is the same after it was stored, with its faults and times and without its auth code', () => {
  fc.assert(
    fc.property(wireRow, (wire) => {
      const row = domainRow(JSON.parse(JSON.stringify(wire))) as DomainDetails;
      const text = toStoredRow(row);

      const read = fromStoredRow(text);

      expect(text).not.toContain(secret);
      expect(read.authCode).toBe(notCached);
      expect(plain(read)).toEqual(plain({ ...row, authCode: notCached }));
    }),
  );
});

test('every member of a fault is the same after it was stored', () => {
  const status = new Fault('LOCKED', {
    ...{ message: 'The domain is locked.', executed: 'NO', retryable: true },
    facts: { since: new Date('2026-01-31T12:00:00.007Z') },
    path: ['input', 'name'],
    upstream: { code: 'API_1_ERROR', message: 'Locked.' },
  });

  const read = fromStoredRow(toStoredRow({ ...rowOf(parseDomainName('a.com')), status }));

  expect(read.status).toBeInstanceOf(Fault);
  expect(plain(read.status)).toEqual(plain(status));
  expect(read.registeredAt).toEqual(new Date('2025-01-31T12:00:00Z'));
});
