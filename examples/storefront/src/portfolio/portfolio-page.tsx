import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { rememberParameters, useRoute } from '../shared/route.ts';
import { useDelayed } from '../shared/use-delayed.ts';
import { type Domains, type PortfolioVariables, portfolioDocument } from './documents.ts';
import { DomainTable } from './domain-table.tsx';
import { FilterForm, type Filters } from './filters.tsx';
import { isState } from './states.ts';
import { StatsBars } from './stats-bars.tsx';

const pageSize = 20;
const typingPauseMs = 200;

/** Which page: the cursor that it follows or precedes; the first one without. */
type Place = { readonly after?: string | null; readonly before?: string | null };

export function PortfolioPage() {
  const { parameters } = useRoute();
  const [filters, setFilters] = useState<Filters>(() => filtersOf(parameters));
  const [place, setPlace] = useState<Place>({});
  const text = useDelayed(filters.text.trim(), typingPauseMs);
  const [{ data, error, fetching }] = useQuery({
    query: portfolioDocument,
    variables: variablesOf({ ...filters, text }, place),
  });

  const { tld, state, order } = filters;
  useEffect(
    () =>
      rememberParameters('/portfolio', { text, tld, state, order: order === 'NAME' ? '' : order }),
    [text, tld, state, order],
  );

  return (
    <>
      <h1>Portfolio</h1>
      {data?.matching && <StatsBars stats={data.matching} />}
      <FilterForm
        filters={filters}
        choices={data?.all}
        change={(changed) => {
          setFilters(changed);
          setPlace({});
        }}
      />
      {error && (
        <p className="notice notice-bad" role="alert">
          {errorText(error)}
        </p>
      )}
      {data?.domains && <Page domains={data.domains} isLoading={fetching} go={setPlace} />}
    </>
  );
}

const filtersOf = (parameters: URLSearchParams): Filters => ({
  text: parameters.get('text') ?? '',
  tld: parameters.get('tld') ?? '',
  state: parameters.get('state') ?? '',
  order: parameters.get('order') === 'EXPIRES_AT' ? 'EXPIRES_AT' : 'NAME',
});

function variablesOf({ text, tld, state, order }: Filters, place: Place): PortfolioVariables {
  const filter = {
    ...(text && { contains: text }),
    ...(tld && { tlds: [tld] }),
    ...(isState(state) && { states: [state] }),
  };
  const page = place.before
    ? { last: pageSize, before: place.before }
    : { first: pageSize, ...place };
  return { ...page, filter, orderBy: { field: order, direction: 'ASC' } };
}

interface PageProps {
  readonly domains: Domains;
  readonly isLoading: boolean;
  readonly go: (place: Place) => void;
}

function Page({ domains, isLoading, go }: PageProps) {
  const { totalCount, upstreamCount, complete, nodes, pageInfo } = domains;
  const { startCursor, endCursor, hasNextPage, hasPreviousPage } = pageInfo;
  return (
    <>
      <p className="progress" aria-live="polite">
        <strong>{totalCount}</strong> {totalCount === 1 ? 'domain' : 'domains'}
        {!complete && ` among those that the service lists; it counts ${upstreamCount} in all`}
      </p>
      <DomainTable rows={nodes.filter((node) => node !== null)} isLoading={isLoading} />
      <nav className="pager" aria-label="Pages of domains">
        <PageButton
          name="← Previous"
          isThere={hasPreviousPage}
          go={() => go({ before: startCursor })}
        />
        <PageButton name="Next →" isThere={hasNextPage} go={() => go({ after: endCursor })} />
      </nav>
    </>
  );
}

interface PageButtonProps {
  readonly name: string;
  readonly isThere: boolean;
  readonly go: () => void;
}

/** Stays in the order of focus on the last page too, so that the keyboard is not thrown back to the top. */
const PageButton = ({ name, isThere, go }: PageButtonProps) => (
  <button
    type="button"
    className="button button-plain"
    aria-disabled={!isThere}
    onClick={isThere ? go : undefined}
  >
    {name}
  </button>
);
