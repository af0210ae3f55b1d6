import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { isStaff } from '../session/session.ts';
import { RetryNotice } from '../shared/retry-notice.tsx';
import { rememberParameters, useRoute } from '../shared/route.ts';
import { useDelayed } from '../shared/use-delayed.ts';
import { Balances, useAccount } from './account.tsx';
import { type PortfolioVariables, portfolioDocument } from './documents.ts';
import { DomainList, type Place } from './domain-list.tsx';
import { type Filters, filterOf, filtersOf, noFilters, soonDays } from './filter.ts';
import { FilterForm } from './filters.tsx';
import { Notices } from './notices.tsx';
import { RenewalBars } from './renewal-bars.tsx';

const pageSize = 20;
const typingPauseMs = 200;

export function PortfolioPage() {
  const { parameters } = useRoute();
  const account = useAccount(soonDays);
  // One time for all pages, so that the variables change only with the filters.
  const [now] = useState(() => new Date());
  const [filters, setFilters] = useState<Filters>(() => filtersOf(parameters));
  const [place, setPlace] = useState<Place>({});
  const text = useDelayed(filters.text.trim(), typingPauseMs);
  const [{ data, error, fetching }, readAgain] = useQuery({
    query: portfolioDocument,
    variables: variablesOf({ ...filters, text }, place, now),
  });

  const { tld, state, expiry, customer, order } = filters;
  useEffect(() => {
    const ordered = order === 'NAME' ? '' : order;
    rememberParameters('/portfolio', { text, tld, state, expiry, customer, order: ordered });
  }, [text, tld, state, expiry, customer, order]);

  const change = (changed: Filters) => {
    setFilters(changed);
    setPlace({});
  };
  return (
    <>
      <div className="page-head">
        <h1>{isStaff ? 'Domains' : 'My domains'}</h1>
        <Balances account={account} />
      </div>
      {error && <RetryNotice text={errorText(error)} isBusy={fetching} retry={() => readAgain()} />}
      {data && <Notices portfolio={data} account={account} filters={filters} change={change} />}
      {data?.ofAnyExpiry && (
        <RenewalBars
          renewals={data.ofAnyExpiry.renewals}
          month={expiry}
          chooseMonth={(month) => change({ ...filters, expiry: month })}
        />
      )}
      <FilterForm filters={filters} choices={data?.all} change={change} />
      {data?.domains && (
        <DomainList
          domains={data.domains}
          isLoading={fetching}
          clearFilters={hasFilters(filters) ? () => change(noFilters) : null}
          go={setPlace}
          reread={() => readAgain({ requestPolicy: 'network-only' })}
        />
      )}
    </>
  );
}

const hasFilters = ({ text, tld, state, expiry, customer }: Filters): boolean =>
  [text, tld, state, expiry, customer].some((value) => value !== '');

function variablesOf(filters: Filters, place: Place, now: Date): PortfolioVariables {
  const page = place.before
    ? { last: pageSize, before: place.before }
    : { first: pageSize, ...place };
  return {
    ...page,
    filter: filterOf(filters, now),
    ofAnyExpiry: filterOf({ ...filters, expiry: '' }, now),
    expiringSoon: filterOf({ ...noFilters, expiry: 'soon' }, now),
    orderBy: { field: filters.order, direction: 'ASC' },
  };
}
