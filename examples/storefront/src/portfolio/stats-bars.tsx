import type { CSSProperties } from 'react';
import { moneyText } from '../shared/money.ts';
import type { Renewals, Stats } from './documents.ts';
import { longMonthText, monthText } from './expiry.ts';
import { states } from './states.ts';

interface RenewalBarsProps {
  readonly renewals: Renewals;
  /** The month that the list is filtered by, such as `2026-11`. */
  readonly month: string;
  /** With an empty text the filter ends. */
  readonly chooseMonth: (month: string) => void;
}

/** The domains that match the filters by state, and their renewals by month. */
export const StatsBars = ({ stats, ...renewals }: RenewalBarsProps & { readonly stats: Stats }) => (
  <div className="stats">
    <StateBar stats={stats} />
    <RenewalBars {...renewals} />
  </div>
);

function StateBar({ stats: { byState, totalCount } }: { readonly stats: Stats }) {
  return (
    <figure className="stat">
      <figcaption>By state</figcaption>
      <div className="state-bar" aria-hidden="true">
        {byState.map(({ state, count }) => (
          <span
            key={state}
            className={`fill-${states[state].tone}`}
            style={{ flexGrow: count, minWidth: totalCount > 0 ? 3 : 0 }}
          />
        ))}
      </div>
      <ul className="legend">
        {byState.map(({ state, count }) => (
          <li key={state}>
            <span className={`dot fill-${states[state].tone}`} aria-hidden="true" />
            {states[state].word} <strong>{count}</strong>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** `3 renewals, $41.97`; the prices of the shop for one year. */
const renewalsText = ({ count, totals }: Pick<Renewals[number], 'count' | 'totals'>): string =>
  `${count === 1 ? '1 renewal' : `${count} renewals`}, ${totals.map(moneyText).join(' and ') || 'nothing due'}`;

/** A number between 0 and 1 for the style sheet. */
const shareOf = (share: number): CSSProperties => ({ ['--share' as string]: share });

/** Each bar is a button that filters the list by its month. */
function RenewalBars({ renewals, month: chosen, chooseMonth }: RenewalBarsProps) {
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
              title={totals.map(moneyText).join(' + ')}
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
