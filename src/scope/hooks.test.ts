import { expect, test } from 'vitest';
import { anonymous } from '../kernel/caller.ts';
import { money } from '../kernel/money.ts';
import { CacheRevision } from '../lib/lazy.ts';
import { retailPrices } from './hooks.ts';
import { Scope } from './scope.ts';
import { Tenant, type TenantFacts } from './tenant.ts';

const tenantOf = (mayBeReal: boolean) =>
  new Tenant({ mayBeReal, revision: new CacheRevision() } as TenantFacts);

test('without a feature customers pay the cost of a sandbox, and nothing of a real registrar has a price', () => {
  const [sandbox, real] = [false, true].map((mayBeReal) => tenantOf(mayBeReal).use(retailPrices));
  const item = { tld: 'com', operation: 'RENEWAL', period: 1, premium: false } as const;

  expect(sandbox).toMatchObject({ missing: null });
  expect(sandbox?.current()).toBeNull();
  expect(real?.missing).toContain('"prices:cost"');
  expect(real?.current()).toMatchObject({ isEmpty: true });
  expect(real?.current()?.retail(item, money('1', 'USD'), new Date(0))).toBe('NO_PRICES');
});

test.each([
  [true, [], true],
  [true, ['prices:cost'], false],
  [false, [], false],
] as const)(
  'costs of a registrar that may be real, %s, are hidden from a caller with %j: %s',
  (mayBeReal, scopes, hidden) => {
    const request = {
      ...{ requestId: 'one', accountToken: null, idempotencyKey: null },
      caller: { ...anonymous, scopes: new Set(scopes) },
      signal: () => new AbortController().signal,
    };

    expect(new Scope(tenantOf(mayBeReal), request).hidesCosts).toBe(hidden);
  },
);
