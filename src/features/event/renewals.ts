import { dayMs } from '../../kernel/instant.ts';
import type { Randomness } from '../../lib/clock.ts';
import { balanceIn } from '../../modules/balance/balance.ts';
import { coveredDays, isCovered, renewalsWithin } from '../portfolio/renewals-due.ts';
import { type Comparison, changeOf, fromUpstream } from './comparison.ts';
import { storedRenewal } from './price-state.ts';

interface RenewalOptions {
  /** Days in which the renewals are due; 0 disables the comparison. */
  readonly days: number;
  /** Called in each comparison with the time until which the balances cover the renewals; null when that cannot be decided. */
  readonly onCovered: (until: Date | null) => void;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/** By currency: whether the balance covered the renewals when that was last decided. */
type Coverage = Readonly<Record<string, boolean>>;

const subject = 'renewals:covered';

/** Finds the currencies whose balance does not cover the renewals that are due, also with the first read. Prices are those of the daily list. */
export const createRenewalComparison = ({
  days,
  randomness,
  onCovered,
}: RenewalOptions): Comparison => ({
  async find({ states, now, portfolio, balances }) {
    if (days === 0) return [];
    const read = await balances();
    const { index, complete } = await portfolio();
    const at = now();
    const dueWithin = (within: number) =>
      renewalsWithin({ index, complete }, { days: within, now: at }, async (name) =>
        storedRenewal(states, name),
      );
    const due = await dueWithin(days);
    const runway = await coveredDays(read, dueWithin);
    onCovered(runway.isDecided ? new Date(at.getTime() + runway.days * dayMs) : null);
    const known = states.get(subject);
    const before: Coverage = known === undefined ? {} : JSON.parse(known);
    const found = [...new Set([...Object.keys(before), ...due.totals.map((one) => one.currency)])]
      .sort()
      .map((currency) => {
        const total = due.totals.find((one) => one.currency === currency) ?? null;
        const balance = balanceIn(read, currency);
        const covered = total ? isCovered(due, total, balance) : due.isExact || null;
        return { currency, total, balance, covered };
      });
    const after: Coverage = {
      ...before,
      ...Object.fromEntries(
        found.flatMap(({ currency, covered }) => (covered === null ? [] : [[currency, covered]])),
      ),
    };
    const isNews = (currency: string) => after[currency] === false && before[currency] !== false;
    return changeOf(subject, known, after, () =>
      found
        .filter(({ currency }) => isNews(currency))
        .map(({ currency, total, balance }) => ({
          ...fromUpstream,
          id: randomness.uuid(),
          type: 'RENEWALS_NOT_COVERED',
          at,
          subject: currency,
          before: balance && String(balance.amount),
          after: total && String(total.amount),
        })),
    );
  },
});
