import type { CSSProperties } from 'react';
import { moneyText } from '../shared/money.ts';
import type { Stats } from './documents.ts';
import { states } from './states.ts';

/** What the filters leave, counted: by state, and what falls due in the months to come. */
export const StatsBars = ({ stats }: { readonly stats: Stats }) => (
  <div className="stats">
    <StateBar stats={stats} />
    <RenewalBars stats={stats} />
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

const monthFormat = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
const monthText = (month: string) => monthFormat.format(new Date(`${month}-01T00:00:00Z`));

/** A number between 0 and 1 for the style sheet. */
const shareOf = (share: number): CSSProperties => ({ ['--share' as string]: share });

function RenewalBars({ stats: { renewals } }: { readonly stats: Stats }) {
  const most = Math.max(1, ...renewals.map(({ count }) => count));
  return (
    <figure className="stat">
      <figcaption>Renewals in the next 12 months</figcaption>
      <ol className="months">
        {renewals.map(({ month, count, totals }) => (
          <li key={month} title={totals.map(moneyText).join(' + ')}>
            <span className="month-count">{count || ''}</span>
            <span className="month-bar" style={shareOf(count / most)} />
            <span className="month-name">{monthText(month)}</span>
            <span className="unseen">
              {count} renewals, {totals.map(moneyText).join(' and ') || 'nothing due'}
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
