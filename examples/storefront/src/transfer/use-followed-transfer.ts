import { useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { type Transfer, transferByKeyDocument } from './documents.ts';
import { isOpen } from './transfer-text.ts';

/** The gateway reads a transfer in progress at most once a minute. */
const whileInProgressMs = 60_000;
const whilePendingMs = 2_000;

export interface FollowedTransfer {
  readonly transfer: Transfer | null;
  readonly isMissing: boolean;
  readonly problem: string | null;
  readonly isReading: boolean;
  /** Reads it now. */
  readAgain(): void;
}

const nothing = { transfer: null, isMissing: false, problem: null, isReading: true };

/** Reads a transfer until it has ended. */
export function useFollowedTransfer(key: string): FollowedTransfer {
  const client = useClient();
  const [followed, setFollowed] = useState<Omit<FollowedTransfer, 'readAgain'>>(nothing);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads at once
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const read = async () => {
      setFollowed((before) => ({ ...before, isReading: true }));
      const { data, error } = await client.query(transferByKeyDocument, { key }).toPromise();
      if (isOver) return;
      const transfer = data?.purchase ?? null;
      setFollowed((before) => ({
        transfer: transfer ?? before.transfer,
        isMissing: transfer === null && !error,
        problem: error ? errorText(error) : null,
        isReading: false,
      }));
      const state = transfer?.state;
      if (error || (state && isOpen(state))) timer = setTimeout(read, whilePendingMs);
      if (state === 'IN_PROGRESS') timer = setTimeout(read, whileInProgressMs);
    };
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, key, attempt]);

  const readAgain = useCallback(() => setAttempt((before) => before + 1), []);
  return { ...followed, readAgain };
}
