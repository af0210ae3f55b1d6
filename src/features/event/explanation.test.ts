import { describe, expect, test } from 'vitest';
import { minute } from '../../../test/persistence/claims.ts';
import { a, b } from '../../../test/support/modules/event-rows.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { causeOfAddition, createExplanations } from './explanation.ts';
import type { EventType } from './log.ts';
import type { DomainWrite } from './write-store.ts';

const write = (at: number, changes: Partial<DomainWrite> = {}): DomainWrite => ({
  ...{ id: `write-${at}`, domain: a, field: 'privacyProtected', value: 'true', at: minute(at) },
  ...{ caller: 'shop', ...changes },
});
const difference = (after: string | null, type: EventType = 'PRIVACY_CHANGED') => ({
  ...{ type, before: null, after },
});
const sourceOf = (writes: readonly DomainWrite[], found: ReturnType<typeof difference>, name = a) =>
  createExplanations(writes).causeOf(name, found).source;

describe('a write', () => {
  test.each<[string, Partial<DomainWrite>, ReturnType<typeof difference>, string]>([
    ['of the value', {}, difference('true'), 'GATEWAY'],
    ['of another value', { value: 'false' }, difference('true'), 'UPSTREAM'],
    ['of a value that is gone', {}, difference(null), 'UPSTREAM'],
    ['of another domain', { domain: b }, difference('true'), 'UPSTREAM'],
    ['of another field', { field: 'transferLocked' }, difference('true'), 'UPSTREAM'],
    [
      'of the same hosts',
      { field: 'nameServers', value: 'b.net a.net' },
      difference('a.net b.net', 'NAME_SERVERS_CHANGED'),
      'GATEWAY',
    ],
    [
      'of fewer hosts',
      { field: 'nameServers', value: 'b.net' },
      difference('a.net b.net', 'NAME_SERVERS_CHANGED'),
      'UPSTREAM',
    ],
    ['that is a sync', { field: 'sync', value: null }, difference(null), 'GATEWAY'],
  ])('%s', (_what, changes, found, source) => {
    expect(sourceOf([write(1, changes)], found)).toBe(source);
  });

  test('that is later than the one that set the value may cause a later difference', () => {
    const explanations = createExplanations([write(1), write(2), write(3, { value: 'false' })]);

    expect(explanations.causeOf(a, difference('true')).source).toBe('GATEWAY');
    expect(explanations.spent(() => false)).toEqual(['write-1', 'write-2']);
    expect(explanations.spent(({ id }) => id === 'write-3')).toHaveLength(3);
  });
});

describe('a purchase', () => {
  const purchase = (state: PurchaseRecord['state'], at: number) =>
    ({ id: `purchase-${at}`, state, caller: 'shop', claimedAt: minute(at) }) as PurchaseRecord;

  test.each<[PurchaseRecord['state'], number, Date | null, string | null]>([
    ['SUCCEEDED', 5, null, 'purchase-5'],
    ['IN_PROGRESS', 5, minute(4), 'purchase-5'],
    ['SUCCEEDED', 5, minute(5), null],
    ['SUCCEEDED', 5, minute(6), null],
    ['FAILED', 5, null, null],
    ['HELD', 5, null, null],
  ])(
    'that is %s at minute %i adds a domain that was removed at %s: %s',
    (state, at, removedAt, id) => {
      expect(causeOfAddition([purchase(state, at)], removedAt).purchaseId).toBe(id);
    },
  );

  test('that is the last one adds the domain', () => {
    const purchases = [purchase('SUCCEEDED', 1), purchase('SUCCEEDED', 2), purchase('FAILED', 3)];

    expect(causeOfAddition(purchases, null)).toEqual({
      ...{ source: 'GATEWAY', caller: 'shop', purchaseId: 'purchase-2' },
    });
  });
});
