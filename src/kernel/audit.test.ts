import { expect, test } from 'vitest';
import { type AuditLine, createAudited } from './audit.ts';
import { Fault } from './faults.ts';

const who = { caller: 'shop', tenant: 'acme', requestId: 'r1' };

function start() {
  const lines: AuditLine[] = [];
  return { lines, audited: createAudited((line) => lines.push(line), who) };
}

test('the audit of an action that ends has its subject, its sender and its outcome', async () => {
  const { lines, audited } = start();

  expect(await audited('authcode.read', 'a.com', () => 'the code')).toBe('the code');
  await audited(
    'registerDomain',
    null,
    () => 'PENDING',
    (state) => state,
  );

  expect(lines).toEqual([
    { ...who, audit: 'authcode.read', subject: 'a.com', outcome: 'OK' },
    { ...who, audit: 'registerDomain', subject: null, outcome: 'PENDING' },
  ]);
});

test.each([
  [new Fault('NOT_FOUND'), 'NOT_FOUND'],
  [new TypeError('a bug'), 'INTERNAL'],
])('the audit of an action that fails with %s has the outcome %s', async (error, outcome) => {
  const { lines, audited } = start();

  await expect(audited('contacts.read', 'a.com', () => Promise.reject(error))).rejects.toBe(error);

  expect(lines).toMatchObject([{ outcome }]);
});
