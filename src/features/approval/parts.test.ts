import { expect, test } from 'vitest';
import { gate } from '../../modules/mutation/gate.ts';
import { approvals } from './parts.ts';
import { createRuledTenant } from './test/ruled-tenant.ts';

test('the service is created once, which reads nothing', async () => {
  const scope = (await createRuledTenant()).request();

  expect(scope.use(approvals)).toBe(scope.use(approvals));
  expect(scope.hasReadUncached).toBe(false);
});

test('each update of a subscription needs its own approval for an auth code', async () => {
  const { use, beginUpdate } = (await createRuledTenant()).request();
  const before = use(gate);

  beginUpdate();

  expect(use(gate)).not.toBe(before);
});
