import type { FieldCost } from './field-cost.ts';
import { mutationCosts } from './mutation.ts';
import { nestedCosts } from './nested.ts';
import { queryCosts } from './query.ts';
import { subscriptionCosts } from './subscription.ts';

/** The costs of all fields that cause upstream calls. */
export const fieldCosts: readonly FieldCost[] = [
  ...queryCosts,
  ...mutationCosts,
  ...subscriptionCosts,
  ...nestedCosts,
];
