import { expect, test } from 'vitest';
import { isOpen, purchaseStates } from './purchase-states.ts';

test('a purchase is open until it has succeeded, failed or become UNKNOWN', () => {
  const open = purchaseStates.filter((state) => isOpen({ state }));

  expect(open).toEqual(['CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS']);
});
