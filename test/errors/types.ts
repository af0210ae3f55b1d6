import { features } from '../../src/features/index.ts';
import { type FaultCode, faults } from '../../src/kernel/faults.ts';

/** The types with facts of their own, written by hand to check the column of `faults`. */
const ownTypes: Readonly<Partial<Record<FaultCode, string>>> = {
  PERIOD_OUT_OF_RANGE: 'PeriodOutOfRange',
  INSUFFICIENT_FUNDS: 'InsufficientFunds',
  MAX_PRICE_EXCEEDED: 'MaxPriceExceeded',
  PREMIUM_NOT_ACCEPTED: 'PremiumNotAccepted',
  SPEND_LIMIT_EXCEEDED: 'SpendLimitExceeded',
  PURCHASES_STOPPED: 'PurchasesStopped',
  LOCKED: 'DomainLocked',
  IDEMPOTENCY_CONFLICT: 'IdempotencyConflict',
  OUTCOME_UNKNOWN: 'OutcomeUnknown',
};

const ofFeatures = new Map<string, string>(
  features.flatMap(({ faults: rows = {} }) =>
    Object.entries(rows).map(([code, { type }]) => [code, type] as const),
  ),
);

/** The types of features with facts of their own, of which their tests have a case. */
export const typesOfFeatures = new Set(
  [...ofFeatures.values()].filter((type) => type !== 'PlainError'),
);

/** The type that shows a code. */
export const typeOf = (code: FaultCode): string =>
  ownTypes[code] ?? ofFeatures.get(code) ?? 'PlainError';

export const codes = Object.keys(faults) as readonly FaultCode[];
