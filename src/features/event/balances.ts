import type { Money } from '../../kernel/money.ts';
import type { Randomness } from '../../lib/clock.ts';
import { balanceIn } from '../../modules/balance/balance.ts';
import { type Comparison, changeOf, fromUpstream } from './comparison.ts';

interface BalanceOptions {
  /** One for each currency. */
  readonly thresholds: readonly Money[];
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/** The last balance that was read. */
interface BalanceState {
  readonly amount: string;
  readonly isLow: boolean;
}

/** Finds the balances that fell below their thresholds, also with the first read. */
export const createBalanceComparison = ({
  thresholds,
  randomness,
}: BalanceOptions): Comparison => ({
  async find({ states, now, balances }) {
    if (thresholds.length === 0) return [];
    const read = await balances();
    const at = now();
    return thresholds.flatMap(({ amount: threshold, currency }) => {
      const balance = balanceIn(read, currency);
      // A balance that cannot be read is no event.
      if (!balance) return [];
      const subject = `balance:${currency}`;
      const known = states.get(subject);
      const before: BalanceState | null = known === undefined ? null : JSON.parse(known);
      const isLow = balance.amount.compare(threshold) < 0;
      const after: BalanceState = { amount: String(balance.amount), isLow };
      return changeOf(subject, known, after, () =>
        isLow && !before?.isLow
          ? [
              {
                ...fromUpstream,
                id: randomness.uuid(),
                type: 'BALANCE_LOW',
                at,
                subject: currency,
                before: before?.amount ?? null,
                after: after.amount,
              },
            ]
          : [],
      );
    });
  },
});
