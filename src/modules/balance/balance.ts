import { valueOr } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import { lazy } from '../../lib/lazy.ts';
import { perReads } from '../../scope/reads.ts';
import type { ResellerDetails } from '../../upstream/domain-api/shapes.ts';

export type Balances = Pick<ResellerDetails, 'balance' | 'balances'>;

/** The account's balance in a currency; null when the upstream does not report one. */
export const balanceIn = (
  { balance, balances }: Balances,
  currency: Money['currency'],
): Money | null =>
  [balance, ...valueOr(balances, [])]
    .map(({ money }) => valueOr(money, null))
    .find((money) => money?.currency === currency) ?? null;

/** Reads the account of the reseller, once. */
export const resellerRead = perReads(
  'resellerRead',
  ({ api, options }) => {
    const how = options();
    return lazy(() => api.resellerdetails({}, how));
  },
  (read) => read.reset(),
);
