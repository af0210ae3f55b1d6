import { useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { authCodeDocument } from './documents.ts';

/** The auth code is in the state of the component only, and never in a storage of the browser. */
export function useAuthCode(name: string) {
  const client = useClient();
  const [shown, setShown] = useState<{ readonly code: string | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const isLeft = useRef(false);

  useEffect(() => {
    const hide = () => setShown(null);
    isLeft.current = false;
    // The browser may store a page that is left, to show it again as it was.
    addEventListener('pagehide', hide);
    return () => {
      isLeft.current = true;
      removeEventListener('pagehide', hide);
    };
  }, []);

  const show = async () => {
    if (isReading) return;
    setReading(true);
    setProblem(null);
    const { data, error } = await client.query(authCodeDocument, { name }).toPromise();
    if (isLeft.current) return;
    setReading(false);
    if (error) setProblem(errorText(error));
    else setShown({ code: data?.domain?.authCode ?? null });
  };

  return { shown, problem, isReading, show: () => void show(), hide: () => setShown(null) };
}
