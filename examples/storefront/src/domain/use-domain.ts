import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { type Domain, domainDocument } from './documents.ts';

export interface ReadDomain {
  /** The last values that were read; null before the first, and when the account has no such domain. */
  readonly domain: Domain | null;
  readonly isReading: boolean;
  readonly isMissing: boolean;
  /** The sentence for what could not be read. Beside a domain it is about some of its values. */
  readonly problem: string | null;
  /** Reads the domain from the registrar, past the cache. Resolves to whether it was read. */
  reread(): Promise<boolean>;
}

const nothing = { domain: null, isReading: true, isMissing: false, problem: null };

export function useDomain(name: string): ReadDomain {
  const client = useClient();
  const [read, setRead] = useState<Omit<ReadDomain, 'reread'>>(nothing);
  const newest = useRef(0);

  const start = useCallback(
    async (refresh: boolean): Promise<boolean> => {
      newest.current += 1;
      const own = newest.current;
      setRead((before) => ({ ...before, isReading: true }));
      const { data, error } = await client.query(domainDocument, { name, refresh }).toPromise();
      if (own !== newest.current) return false;
      const domain = data?.domain ?? null;
      setRead((before) => ({
        // A failed read changes no known value.
        domain: error ? (domain ?? before.domain) : domain,
        isReading: false,
        isMissing: domain === null && !error,
        problem: error ? errorText(error) : null,
      }));
      return domain !== null || !error;
    },
    [client, name],
  );

  useEffect(() => {
    void start(false);
    return () => {
      newest.current += 1;
    };
  }, [start]);

  const reread = useCallback(() => start(true), [start]);
  return { ...read, reread };
}
