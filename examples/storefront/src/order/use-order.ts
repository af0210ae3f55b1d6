import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { codesOf } from '../graph/error-text.ts';
import { type Order, progressDocument } from './documents.ts';

/** Delay before a broken stream is opened again. */
const reopenAfterMs = 1_000;
/** Silence after which a stream is opened again, because a proxy may not report that it broke. */
const longestSilenceMs = 10_000;

export interface FollowedOrder {
  /** The last known state; null before the first. */
  readonly order: Order | null;
  readonly isMissing: boolean;
  /** Whether the connection is lost, so that `order` may be out of date. */
  readonly isLost: boolean;
}

const nothing: FollowedOrder = { order: null, isMissing: false, isLost: false };

/** Follows an order to its end. A broken stream is opened again until then. */
export function useOrder(id: string): FollowedOrder {
  const client = useClient();
  const [followed, setFollowed] = useState(nothing);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let close = () => {};
    const followLater = (delayMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(follow, delayMs);
    };
    const follow = () => {
      close();
      followLater(longestSilenceMs);
      close = client
        .subscription(progressDocument, { id })
        .subscribe(({ data, error, hasNext }) => {
          const order = data?.orderProgress;
          const isMissing = error !== undefined && codesOf(error).includes('NOT_FOUND');
          const isEnd = isMissing || (order !== undefined && order.state !== 'RUNNING');
          const isLost = !isEnd && (error !== undefined || !hasNext);
          setFollowed((before) => ({ order: order ?? before.order, isMissing, isLost }));
          if (isEnd) clearTimeout(timer);
          else followLater(isLost ? reopenAfterMs : longestSilenceMs);
        }).unsubscribe;
    };
    follow();
    return () => {
      clearTimeout(timer);
      close();
    };
  }, [client, id]);

  return followed;
}
