import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { labelError } from './label.ts';

const foundDocument = graphql(`
  subscription Found($label: String!) {
    searchDomains(labels: [$label], first: 100, suggestions: 6) {
      suggested
      position
      totals { period highest { amount currency } }
      availability {
        name
        unicodeName
        state
        premium
        reason
        errorCode
        retryable
        tld { minPeriod maxPeriod }
        quote { period highest { amount currency } renewalPrice { amount currency } }
      }
    }
  }
`);

export type Found = ResultOf<typeof foundDocument>['searchDomains'];

export interface Search {
  /** The searched label; empty without a search. */
  readonly label: string;
  /** In order of arrival. */
  readonly results: readonly Found[];
  readonly isOver: boolean;
  /** Reason of a failed search. */
  readonly problem: string | null;
}

const nothing: Search = { label: '', results: [], isOver: true, problem: null };

/**
 * Searches for the label. Another label, or leaving the page, ends the search in the gateway too.
 *
 * `attempt`: a new number repeats the search.
 */
export function useSearch(label: string, attempt: number): Search {
  const client = useClient();
  const [search, setSearch] = useState(nothing);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the search
  useEffect(() => {
    if (label === '') {
      setSearch(nothing);
      return;
    }
    const problem = labelError(label);
    if (problem) {
      setSearch({ ...nothing, problem });
      return;
    }
    const found = new Map<string, Found>();
    let frame = 0;
    // Renders at most once per frame.
    const show = (isOver: boolean, problem: string | null) => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setSearch({ label, results: [...found.values()], isOver, problem }),
      );
    };
    show(false, null);
    const { unsubscribe } = client
      .subscription(foundDocument, { label })
      .subscribe(({ data, error, hasNext }) => {
        if (data) found.set(data.searchDomains.availability.name, data.searchDomains);
        show(!hasNext, error ? errorText(error) : null);
      });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [client, label, attempt]);

  return search;
}
