import { describe, expect, test } from 'vitest';
import { problems } from '../../../test/support/modules/purchase-tenant.ts';
import { anonymous } from '../../kernel/caller.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { createChecks } from '../mutation/checks.ts';
import { checkKey, domainBusy, justBought, keyConflict } from './idempotency.ts';

describe('an idempotency key', () => {
  const check = (idempotencyKey: string | null | undefined, header: string | null) => {
    const checks = createChecks();
    const key = checkKey(
      checks,
      { idempotencyKey, dryRun: false },
      { caller: anonymous, idempotencyKey: header },
    );
    return { key, problems: problems({ errors: checks.faults }) };
  };

  test.each([
    ['none', null, null, null],
    ['none', undefined, null, null],
    ['the one of the input', ' key-1 ', null, 'key-1'],
    ['the one of the header', null, ' key-1 ', 'key-1'],
    ['the one of both', ' key-1', 'key-1 ', 'key-1'],
    ['a single character', 'k', null, 'k'],
    ['200 characters', `${'k'.repeat(200)} `, null, 'k'.repeat(200)],
    ['a whole surrogate pair', '\u{1F600}', null, '\u{1F600}'],
  ])('is %s', (_case, input, header, key) => {
    expect(check(input, header)).toEqual({ key, problems: [] });
  });

  test('allows for the text that the gateway appends', () => {
    const checks = createChecks();
    const check = (length: number) =>
      checkKey(
        checks,
        { idempotencyKey: 'k'.repeat(length), dryRun: false },
        { caller: anonymous, idempotencyKey: null },
        6,
      );

    expect(check(194)).toHaveLength(194);
    expect(check(195)).toBeNull();
    expect(checks.faults[0]?.message).toBe(
      '"idempotencyKey" is text of 1 to 194 characters, such as a UUID.',
    );
  });

  test.each([
    ['empty', '', null],
    ['blank', ' ', null],
    ['blank in the header', null, ' '],
    ['of 201 characters', 'k'.repeat(201), null],
    ['with a control character', 'key\u00071', null],
    ['with an unpaired surrogate', 'key\uD83D', null],
    ['another one than in the header', 'key-1', 'key-2'],
    ['empty while the header has one', '', 'key-1'],
  ])('that is %s is refused', (_case, input, header) => {
    expect(check(input, header)).toEqual({ key: null, problems: ['INVALID_INPUT idempotencyKey'] });
  });
});

describe('a refusal because of another purchase', () => {
  const purchase = { id: 'id-1', caller: 'shop', domain: 'maple.com' } as PurchaseRecord;
  const shop = { ...anonymous, name: 'shop', scopes: new Set([]) };
  const other = { ...shop, name: 'other' };

  test.each([
    ['that was just bought', justBought, 'ALREADY_OWNED domain'],
    ['with the same key', keyConflict, 'IDEMPOTENCY_CONFLICT idempotencyKey'],
    ['that is open', domainBusy, 'IDEMPOTENCY_CONFLICT domain'],
  ])('%s names the purchase to its own caller only', (_case, refuse, problem) => {
    const [own, foreign] = [refuse(purchase, shop), refuse(purchase, other)];

    expect(problems({ errors: [own, foreign] })).toEqual([problem, problem]);
    expect([own.facts, foreign.facts]).toEqual([{ purchaseId: 'id-1' }, {}]);
  });

  test('with the same key shows the domain to its own caller only', () => {
    expect(keyConflict(purchase, shop).message).toContain('maple.com');
    expect(keyConflict(purchase, other).message).not.toContain('maple.com');
  });

  test('that is open tells whether the caller can read it', () => {
    expect(domainBusy(purchase, shop).message).not.toBe(domainBusy(purchase, other).message);
  });
});
