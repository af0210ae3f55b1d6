import { useState } from 'react';
import { SelectionBar } from '../reseller/selection-bar.tsx';
import { isStaff } from '../session/session.ts';
import { PlainButton } from '../shared/buttons.tsx';
import { focusMain } from '../shared/focus-main.ts';
import type { Domains } from './documents.ts';
import { DomainTable } from './domain-table.tsx';

/** Which page: the cursor that it follows or precedes; the first one without. */
export type Place = { readonly after?: string | null; readonly before?: string | null };

interface DomainListProps {
  readonly domains: Domains;
  readonly isLoading: boolean;
  /** Null when no filter is set. */
  readonly clearFilters: (() => void) | null;
  readonly go: (place: Place) => void;
  readonly reread: () => void;
}

/** One page of the list, or what to do when it is empty. */
export function DomainList(props: DomainListProps) {
  const { domains, isLoading, clearFilters, go, reread } = props;
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const { totalCount, coverage, nodes: rows, pageInfo } = domains;
  const { complete } = coverage;
  const { startCursor, endCursor, hasNextPage, hasPreviousPage } = pageInfo;
  return (
    <>
      <div className="bar">
        <p className="progress" aria-live="polite">
          <strong>{totalCount}</strong> {totalCount === 1 ? 'domain' : 'domains'}
        </p>
        <p className="downloads">
          <a href="/export/domains.csv" download>
            All domains as CSV
          </a>
          <a href="/export/purchases.csv" download>
            Purchases as CSV
          </a>
        </p>
      </div>
      {totalCount > 0 && (
        <>
          {isStaff && selected.size > 0 && (
            <SelectionBar
              names={[...selected]}
              done={() => {
                select(new Set());
                reread();
              }}
            />
          )}
          <DomainTable
            rows={rows}
            isLoading={isLoading}
            selection={isStaff ? { selected, select } : null}
          />
          <nav className="pager" aria-label="Pages of domains">
            <PageButton
              name="← Previous"
              isThere={hasPreviousPage}
              go={() => go({ before: startCursor })}
            />
            <PageButton name="Next →" isThere={hasNextPage} go={() => go({ after: endCursor })} />
          </nav>
        </>
      )}
      {totalCount === 0 && (complete || clearFilters) && <EmptyList clearFilters={clearFilters} />}
    </>
  );
}

function EmptyList({ clearFilters }: Pick<DomainListProps, 'clearFilters'>) {
  if (clearFilters) {
    return (
      <section className="empty">
        <h2>No domain matches the filters</h2>
        <button
          type="button"
          className="button"
          onClick={() => {
            focusMain();
            clearFilters();
          }}
        >
          Clear the filters
        </button>
      </section>
    );
  }
  return (
    <section className="empty">
      <h2>No domains yet</h2>
      <p className="actions">
        <a className="button" href="#/">
          Find a name
        </a>
        <a className="button button-plain" href="#/transfer">
          Transfer a domain
        </a>
      </p>
    </section>
  );
}

interface PageButtonProps {
  readonly name: string;
  readonly isThere: boolean;
  readonly go: () => void;
}

/** Stays in the order of focus on the last page too, so that the keyboard is not thrown back to the top. */
const PageButton = ({ name, isThere, go }: PageButtonProps) => (
  <PlainButton aria-disabled={!isThere} onClick={isThere ? go : undefined}>
    {name}
  </PlainButton>
);
