import type { Portfolio } from './documents.ts';
import { longMonthText } from './expiry.ts';
import { type Filters, soonDays } from './filter.ts';
import { states } from './states.ts';

interface FilterFormProps {
  readonly filters: Filters;
  readonly choices: Portfolio['all'] | undefined;
  readonly change: (filters: Filters) => void;
}

export function FilterForm({ filters, choices, change }: FilterFormProps) {
  const set = (what: Partial<Filters>) => change({ ...filters, ...what });
  return (
    <search>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label className="field">
          <span>Name</span>
          <input
            type="search"
            value={filters.text}
            placeholder="contains …"
            spellCheck={false}
            onChange={(event) => set({ text: event.target.value })}
          />
        </label>
        <label className="field">
          <span>Ending</span>
          <select value={filters.tld} onChange={(event) => set({ tld: event.target.value })}>
            <option value="">All</option>
            {choices?.byTld.map(({ value: tld, count }) => (
              <option key={tld} value={tld}>
                .{tld} ({count})
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>State</span>
          <select value={filters.state} onChange={(event) => set({ state: event.target.value })}>
            <option value="">All</option>
            {choices?.byState.map(({ state }) => (
              <option key={state} value={state}>
                {states[state].word}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Expires</span>
          <select value={filters.expiry} onChange={(event) => set({ expiry: event.target.value })}>
            <option value="">At any time</option>
            <option value="soon">Within {soonDays} days</option>
            {filters.expiry !== '' && filters.expiry !== 'soon' && (
              <option value={filters.expiry}>In {longMonthText(filters.expiry)}</option>
            )}
          </select>
        </label>
        <label className="field">
          <span>Order</span>
          <select
            value={filters.order}
            onChange={(event) =>
              set({ order: event.target.value === 'EXPIRES_AT' ? 'EXPIRES_AT' : 'NAME' })
            }
          >
            <option value="NAME">By name</option>
            <option value="EXPIRES_AT">First to expire</option>
          </select>
        </label>
      </form>
    </search>
  );
}
