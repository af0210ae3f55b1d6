import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { operatorErrorText } from '../graph/error-text.ts';
import type { ResultOf } from '../graph/graphql.ts';
import { type Domain, eventsDocument } from './documents.ts';

interface ReadEvents {
  readonly data: ResultOf<typeof eventsDocument> | null;
  readonly problem: string | null;
}

/** The last events of a domain, read again with each new reading of the domain. */
export function useEvents(domain: Domain, last: number): ReadEvents {
  const client = useClient();
  const [read, setRead] = useState<ReadEvents>({ data: null, problem: null });
  useEffect(() => {
    let isOver = false;
    const { name } = domain;
    void client
      .query(eventsDocument, { name, last })
      .toPromise()
      .then(({ data, error }) => {
        if (isOver) return;
        setRead({ data: data ?? null, problem: error ? operatorErrorText(error) : null });
      });
    return () => {
      isOver = true;
    };
  }, [client, domain, last]);
  return read;
}
