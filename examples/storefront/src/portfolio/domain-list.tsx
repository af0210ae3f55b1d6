import { focusMain } from '../shared/focus-main.ts';
import { domainAddress } from '../shared/route.ts';
import type { DomainRow, Domains } from './documents.ts';
import { DomainTable } from './domain-table.tsx';

/** Which page: the cursor that it follows or precedes; the first one without. */
export type Place = { readonly after?: string | null; readonly before?: string | null };

interface DomainListProps {
  readonly domains: Domains;
  readonly isLoading: boolean;
  /** The text that the names are filtered by. */
  readonly text: string;
  /** Null when no filter is set. */
  readonly clearFilters: (() => void) | null;
  readonly go: (place: Place) => void;
}

/** One page of the list, or what to do when it is empty. */
export function DomainList({ domains, isLoading, text, clearFilters, go }: DomainListProps) {
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
      {!complete && <LookUp text={text} rows={rows} />}
      {totalCount > 0 && (
        <>
          <DomainTable rows={rows} isLoading={isLoading} />
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

const wholeName = /^[^\s.]+(?:\.[^\s.]+)+$/u;

/** Offers to read a domain by its name when the list has no row of it. */
function LookUp({ text, rows }: { readonly text: string; readonly rows: readonly DomainRow[] }) {
  const name = text.toLowerCase();
  const isListed = rows.some((row) => row.name === name || row.unicodeName === name);
  if (!wholeName.test(name) || isListed) return null;
  return (
    <p className="notice notice-quiet notice-row">
      <span>The list has no {name}.</span>
      <a href={domainAddress(name)}>Look it up at the registrar</a>
    </p>
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
      <p>Register a name, or transfer one from another registrar.</p>
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
  <button
    type="button"
    className="button button-plain"
    aria-disabled={!isThere}
    onClick={isThere ? go : undefined}
  >
    {name}
  </button>
);
