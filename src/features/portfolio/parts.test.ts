import { expect, test } from 'vitest';
import { createTenant } from '../../../test/support/modules/purchase-tenant.ts';
import type { Key } from '../../scope/parts.ts';
import type { Scope } from '../../scope/scope.ts';
import { portfolio, trackedDomains } from './service.ts';

test.each(
  [portfolio, trackedDomains].map((key) => [key.name, key as Key<Scope, unknown>] as const),
)('the service %s is created once, which reads nothing', async (_name, key) => {
  const scope = (await createTenant()).request();

  expect(scope.use(key)).toBe(scope.use(key));
  expect(scope.hasReadUncached).toBe(false);
});
