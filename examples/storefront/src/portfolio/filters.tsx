import { customers } from '../reseller/customers.ts';
import { isStaff } from '../session/session.ts';
import { SelectField } from '../shared/select-field.tsx';
import type { Portfolio } from './documents.ts';
import { longMonthText } from './expiry.ts';
import { type Filters, soonDays } from './filter.ts';
import { states } from './states.ts';

interface FilterFormProps {
  readonly filters: Filters;
  readonly choices: Portfolio['all'] | undefined;
  readonly change: (filters: Filters) => void;
}

const all = ['', 'All'] as const;

export function FilterForm({ filters, choices, change }: FilterFormProps) {
  const { tld, state, expiry, customer, order } = filters;
  const set = (what: Partial<Filters>) => change({ ...filters, ...what });
  const tlds = choices?.byTld.map(({ value, count }) => [value, `.${value} (${count})`] as const);
  const stateCounts = choices?.byState.map(
    (one) => [one.state, `${states[one.state].word} (${one.count})`] as const,
  );
  const month =
    expiry && expiry !== 'soon' ? [[expiry, `In ${longMonthText(expiry)}`] as const] : [];
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
        <SelectField
          title="Ending"
          value={tld}
          change={(value) => set({ tld: value })}
          options={[all, ...(tlds ?? [])]}
        />
        <SelectField
          title="State"
          value={state}
          change={(value) => set({ state: value })}
          options={[all, ...(stateCounts ?? [])]}
        />
        <SelectField
          title="Expires"
          value={expiry}
          change={(value) => set({ expiry: value })}
          options={[['', 'At any time'], ['soon', `Within ${soonDays} days`], ...month]}
        />
        {isStaff && (
          <SelectField
            title="Customer"
            value={customer}
            change={(value) => set({ customer: value })}
            options={[all, ...customers.map(({ id, name }) => [id, name] as const)]}
          />
        )}
        <SelectField
          title="Order"
          value={order}
          change={(value) => set({ order: value === 'EXPIRES_AT' ? value : 'NAME' })}
          options={[
            ['NAME', 'By name'],
            ['EXPIRES_AT', 'First to expire'],
          ]}
        />
      </form>
    </search>
  );
}
