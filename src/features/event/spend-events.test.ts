import { expect, test } from 'vitest';
import { createSimulatedClock, dayMs, hourMs } from '../../../test/support/simulated-clock.ts';
import { money } from '../../kernel/money.ts';
import type { LimitScope } from '../../kernel/spend-limits.ts';
import type { NewEvent } from './log.ts';
import { createSpendEvents } from './spend-events.ts';

/** The events of two replicas, as each stores them. */
function createReplicas() {
  const time = createSimulatedClock();
  const stored: NewEvent[] = [];
  const [one, other] = ['one', 'other'].map(() =>
    createSpendEvents({
      store: { append: async (_account, event) => void stored.push(event) },
      journal: {} as never,
      account: 'reseller-1',
      clock: time.clock,
      nearPercent: 80,
      onError(error) {
        throw error;
      },
    }),
  );
  if (!one || !other) throw new Error('A replica is missing.');
  return { time, stored, one, other };
}

const breach = (scope: LimitScope, currency: string) =>
  [
    {
      limit: 'PER_DAY',
      scope,
      allowed: money('20', currency),
      spent: money('15', currency),
    },
  ] as const;

test('a limit that refuses purchases is one event for each scope, key, currency and UTC day, whichever replica stores it', () => {
  const { time, stored, one, other } = createReplicas();
  const refuse = (name: string, scope: LimitScope, currency: string, by = one) =>
    by.refused({ name }, breach(scope, currency), money('10', currency));

  refuse('shop', 'GATEWAY', 'USD');
  refuse('shop', 'GATEWAY', 'EUR');
  refuse('shop', 'KEY', 'USD');
  refuse('office', 'KEY', 'USD');
  refuse('office', 'GATEWAY', 'USD');
  time.advance(hourMs / 60);
  refuse('shop', 'KEY', 'USD', other);
  time.advance(dayMs);
  refuse('shop', 'GATEWAY', 'USD');

  const ids = stored.map(({ id }) => id);
  const [gateway, euros, shop, office, again, ofReplica, nextDay] = ids;
  expect(new Set([gateway, euros, shop, office, nextDay]).size).toBe(5);
  expect([again, ofReplica]).toEqual([gateway, shop]);
  expect(stored.map(({ caller, subject }) => [caller, subject])).toEqual([
    [null, 'USD'],
    [null, 'EUR'],
    ['shop', 'USD'],
    ['office', 'USD'],
    [null, 'USD'],
    ['shop', 'USD'],
    [null, 'USD'],
  ]);
});
