import { beforeEach, describe, expect, test } from 'vitest';
import { account, minute, name } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { isLong } from '../../../../test/support/long.ts';
import type { RecordedOperation } from '../../../kernel/recorder.ts';
import { type AuditStore, createAuditStore, type NewAuditEntry } from '../store.ts';
import { auditEntriesTable, auditLogsTable } from '../table.ts';

const tables = [auditLogsTable, auditEntriesTable];

describeStore('the audit log', (createStore, isPostgres) => {
  const { connect, execute } = useStore(createStore);
  const open = async () => createAuditStore((await connect(tables)).database);
  let audit: AuditStore;

  beforeEach(async () => {
    audit = await open();
  });

  const operationOf = (changes: Partial<RecordedOperation> = {}): RecordedOperation => ({
    ...{ operation: 'setNameServers', domain: name('a.com'), caller: 'shop', customer: null },
    ...{ tenant: 'default', requestId: 'r1', address: null, input: 'an input' },
    ...changes,
  });
  const begins = (at: number, changes?: Partial<RecordedOperation>): NewAuditEntry => ({
    ...{ at: minute(at), operation: operationOf(changes), end: null },
  });
  const ends = (at: number, begun: number, outcome = 'OK'): NewAuditEntry => ({
    ...{ at: minute(at), begun, end: { outcome, upstreamCalls: 1 } },
  });
  /** Entries at these minutes, of which each is a row of its own. */
  const fill = async (count: number) => {
    for (let at = 1; at <= count; at += 1) {
      await audit.append(account, [begins(at, { requestId: `r${at}` })]);
    }
  };
  const positions = async (filter = {}) =>
    (await audit.list(account, { filter, limit: 100 })).map(({ position }) => position);
  const flaw = async () => (await audit.verify(account)).flaw;

  test('an operation has the outcome that was stored after it, and its members completely', async () => {
    const refused = operationOf({
      ...{ operation: 'authcode.read', domain: null, caller: null, customer: 'north' },
      ...{ address: '192.0.2.1', requestId: 'r2', input: null },
    });
    expect(await audit.append(account, [begins(1)])).toEqual([1]);
    const added = [
      {
        at: minute(2),
        operation: refused,
        end: { outcome: 'FORBIDDEN', upstreamCalls: null, refusals: 2 },
      },
      ends(3, 1),
      begins(4, { requestId: 'r4' }),
    ];
    expect(await audit.append(account, added)).toEqual([2, 3, 4]);

    const { input: _none, ...shown } = refused;
    const { input: _hashed, ...write } = operationOf();
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const open = { ...{ endedAt: null, outcome: null, upstreamCalls: null, refusals: null }, hash };
    expect(await audit.list(account, { limit: 10 })).toEqual([
      {
        ...{ ...write, requestId: 'r4', inputHash: hash, position: 4, startedAt: minute(4) },
        ...open,
      },
      {
        ...{ ...shown, inputHash: null, position: 2, startedAt: minute(2), endedAt: minute(2) },
        ...{ outcome: 'FORBIDDEN', upstreamCalls: null, refusals: 2, hash },
      },
      {
        ...{ ...write, inputHash: hash, position: 1, startedAt: minute(1), endedAt: minute(3) },
        ...{ outcome: 'OK', upstreamCalls: 1, refusals: null, hash },
      },
    ]);
    expect(await audit.count(account, {})).toBe(3);
    expect(await audit.list('reseller-2', { limit: 10 })).toEqual([]);
  });

  test('equal inputs of an operation have equal hashes, in one account', async () => {
    await audit.append(account, [
      ...[begins(1), begins(2), begins(3, { input: 'another' })],
      begins(4, { operation: 'syncDomain' }),
    ]);
    await audit.append('reseller-2', [begins(1)]);

    const hashesOf = async (of: string) =>
      (await audit.list(of, { limit: 10, fromEnd: true })).map(({ inputHash }) => inputHash);
    const [fourth, third, second, first] = await hashesOf(account);
    const [other] = await hashesOf('reseller-2');
    expect(second).toBe(first);
    expect(new Set([first, third, fourth, other]).size).toBe(4);
  });

  test('is filtered by each condition, and read in pages', async () => {
    await audit.append(account, [
      begins(1, { caller: 'crm', customer: 'north' }),
      begins(2, { domain: name('b.com') }),
      begins(3, { operation: 'syncDomain' }),
      begins(4),
      ends(5, 4, 'LOCKED'),
    ]);

    expect(await positions({ caller: 'crm' })).toEqual([1]);
    expect(await positions({ customer: 'north' })).toEqual([1]);
    expect(await positions({ domain: name('b.com') })).toEqual([2]);
    expect(await positions({ operation: 'syncDomain' })).toEqual([3]);
    expect(await positions({ outcome: 'LOCKED' })).toEqual([4]);
    expect(await positions({ at: { from: minute(3) } })).toEqual([4, 3]);
    expect(await positions({ at: { until: minute(3) } })).toEqual([2, 1]);
    expect(await positions({ caller: 'crm', outcome: 'LOCKED' })).toEqual([]);
    expect(await audit.count(account, { at: { from: minute(2), until: minute(4) } })).toBe(2);
    const page = async (place: object) =>
      (await audit.list(account, { limit: 2, ...place })).map(({ position }) => position);
    expect(await page({})).toEqual([4, 3]);
    expect(await page({ after: 3 })).toEqual([2, 1]);
    expect(await page({ before: 1, fromEnd: true })).toEqual([3, 2]);
  });

  test('entries that several connections append at once have one place each, and the chain is intact', async () => {
    const stores = [audit, await open(), await open()];

    const appended = await Promise.all(
      stores.flatMap((store, of) =>
        Array.from({ length: 10 }, (_, at) =>
          store.append(account, [begins(at, { requestId: `${of} ${at}` }), begins(at)]),
        ),
      ),
    );

    const places = appended.flat().sort((one, other) => one - other);
    expect(places).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect(await audit.verify(account)).toMatchObject({ position: 60, flaw: null });
  });

  // The drivers share these statements.
  describe.runIf(isLong || !isPostgres)('verify', () => {
    const [only, second] = [`account = '${account}'`, `account = '${account}' and position = 2`];

    test('accepts an audit log that is empty or was only appended to', async () => {
      expect(await audit.verify(account)).toMatchObject({ position: 0, flaw: null });
      await fill(3);
      const [{ hash } = { hash: '' }] = await audit.list(account, { limit: 1 });

      expect(await audit.verify(account)).toEqual({
        ...{ position: 3, hash, deletedUntil: 0, flaw: null },
      });
    });

    test.each([
      ['is removed', 'delete from audit_entries where position = 2', 2, 'is missing'],
      ['is removed at the end', 'delete from audit_entries where position = 3', 3, 'is missing'],
      ['is removed with all others', `delete from audit_entries where ${only}`, 1, 'is missing'],
      ['is changed', `update audit_entries set caller = 'crm' where ${second}`, 2, 'was changed'],
      [
        'changes its place',
        `update audit_entries set position = 9 where ${second};
            update audit_entries set position = 2 where position = 3;
            update audit_entries set position = 3 where position = 9`,
        2,
        'was changed',
      ],
      [
        'is later than the last one',
        `update audit_logs set position = 2,
            hash = (select entry.hash from audit_entries entry where entry.${second}) where ${only}`,
        3,
        'is later than the last one',
      ],
      [
        'has no last one',
        `delete from audit_logs where ${only}; delete from audit_entries where position = 3`,
        1,
        'is later than the last one',
      ],
    ])('finds an entry that %s', async (_what, change, position, reason) => {
      await fill(3);
      await execute(change);

      expect(await flaw()).toEqual({ position, reason });
    });

    test('finds an audit log that ends before a row which was known, or has another one there', async () => {
      await fill(3);
      const { position, hash } = await audit.verify(account);
      const flawFor = async (known: { position: number; hash: string }) =>
        (await audit.verify(account, known)).flaw;

      await fill(2);
      expect(await flawFor({ position, hash })).toBeNull();
      expect(await flawFor({ position, hash: 'another' })).toEqual({
        ...{ position: 3, reason: 'is not the one with this hash' },
      });
      await execute(`delete from audit_entries where position > 2;
          update audit_logs set position = 2,
            hash = (select entry.hash from audit_entries entry where entry.${second}) where ${only}`);
      expect(await flaw()).toBeNull();
      expect(await flawFor({ position, hash })).toEqual({ position: 3, reason: 'is missing' });
    });

    test.each([0, -1])(
      'a row that is added at %i is no entry and no end of one',
      async (position) => {
        await fill(2);
        const copy = (begun: string) =>
          execute(`insert into audit_entries
            (account, position, at, begun, operation, tenant, outcome, previous_hash, hash)
            select account, ${position}, at, ${begun}, operation, tenant, 'NOT_FOUND', previous_hash, hash
            from audit_entries entry where entry.${second}`);
        await copy('null');
        expect(await positions()).toEqual([2, 1]);
        expect(await audit.count(account, {})).toBe(2);
        await execute(`delete from audit_entries where position = ${position}`);
        await copy('1');
        expect((await audit.list(account, { limit: 9 })).map(({ outcome }) => outcome)).toEqual([
          ...[null, null],
        ]);
        expect(await positions({ outcome: 'NOT_FOUND' })).toEqual([]);
      },
    );

    test('finds a last entry that is another one than was written', async () => {
      await fill(2);
      await execute(`update audit_logs set hash = 'of another entry' where ${only}`);

      expect(await flaw()).toEqual({ position: 2, reason: 'is not the entry that was written' });
    });
  });

  // The drivers share these statements.
  describe.runIf(isLong || !isPostgres)('entries before a time', () => {
    test('are deleted, and the rest can be verified', async () => {
      await fill(5);

      expect(await audit.deleteBefore(account, minute(4))).toBe(false);

      expect(await positions()).toEqual([5, 4]);
      expect(await audit.verify(account)).toMatchObject({ deletedUntil: 3, flaw: null });
      expect((await audit.verify(account, { position: 3, hash: 'another' })).flaw).toEqual({
        ...{ position: 3, reason: 'is not the one with this hash' },
      });
      await audit.append(account, [begins(6)]);
      expect(await audit.verify(account)).toMatchObject({ position: 6, flaw: null });
      await execute('delete from audit_entries where position = 4');
      expect(await flaw()).toEqual({ position: 4, reason: 'is missing' });
    });

    test('can be all, and no place is used again', async () => {
      await fill(2);

      await audit.deleteBefore(account, minute(9));

      expect(await audit.append(account, [begins(10)])).toEqual([3]);
      expect(await flaw()).toBeNull();
      await audit.deleteBefore(account, minute(5));
      await audit.deleteBefore('reseller-2', minute(20));
      expect(await positions()).toEqual([3]);
    });

    test('are deleted in parts', async () => {
      const many = Array.from({ length: 100 }, () => begins(1));
      for (let part = 0; part < 6; part += 1) await audit.append(account, many);

      expect(await audit.deleteBefore(account, minute(2))).toBe(true);
      expect(await audit.count(account, {})).toBe(100);
      expect(await audit.deleteBefore(account, minute(2))).toBe(false);
      expect(await audit.count(account, {})).toBe(0);
    });
  });
});
