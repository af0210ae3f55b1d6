import type { CSSProperties } from 'react';
import { moneyText } from '../shared/money.ts';
import type { Renewals } from './documents.ts';
import { longMonthText, monthOf, monthText } from './expiry.ts';

interface RenewalBarsProps {
  readonly renewals: Renewals;
  /** The month that the list is filtered by, such as `2026-11`. */
  readonly month: string;
  /** With an empty text the filter ends. */
  readonly chooseMonth: (month: string) => void;
}

/** `3 renewals, $41.97`; the prices of the shop for one year. */
const renewalsText = ({ count, totals }: Pick<Renewals[number], 'count' | 'totals'>): string =>
  `${count === 1 ? '1 renewal' : `${count} renewals`}, ${pricesOf(totals).join(' and ') || 'nothing due'}`;

const pricesOf = (totals: Renewals[number]['totals']): readonly string[] =>
  totals.flatMap(({ price }) => (price ? moneyText(price) : []));

/** A number between 0 and 1 for the style sheet. */
const shareOf = (share: number): CSSProperties => ({ ['--share' as string]: share });

/** Each bar is a button that filters the list by its month. */
export function RenewalBars({ renewals: due, month: chosen, chooseMonth }: RenewalBarsProps) {
  const renewals = due.map((one) => ({ ...one, month: monthOf(one.from) }));
  const most = Math.max(1, ...renewals.map(({ count }) => count));
  const shown = renewals.find(({ month, count }) => (chosen ? month === chosen : count > 0));
  return (
    <figure className="stat">
      <figcaption>Renewals in the next 12 months</figcaption>
      <ol className="months">
        {renewals.map(({ month, count, totals }) => (
          <li key={month}>
            <button
              type="button"
              aria-pressed={month === chosen}
              title={pricesOf(totals).join(' + ')}
              onClick={() => chooseMonth(month === chosen ? '' : month)}
            >
              <span className="month-count">{count || ''}</span>
              <span className="month-bar" style={shareOf(count / most)} />
              <span className="month-name">{monthText(month)}</span>
              <span className="unseen">{renewalsText({ count, totals })}</span>
            </button>
          </li>
        ))}
      </ol>
      {shown && (
        <p className="hint" aria-live="polite">
          {longMonthText(shown.month)}: {renewalsText(shown)}
        </p>
      )}
    </figure>
  );
}
