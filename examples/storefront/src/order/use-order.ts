import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { codesOf } from '../graph/error-text.ts';
import { isZero } from '../shared/money.ts';
import { linesDocument, type Order, type OrderLine, progressDocument } from './documents.ts';

/** Delay before a broken stream is opened again. */
const reopenAfterMs = 1_000;
/** Silence after which a stream is opened again, because a proxy may not report that it broke. */
const longestSilenceMs = 10_000;

/** Delay before an order that has ended is read again, because something must be returned for it. */
const whileReturningMs = 2_000;

/** Whether lines can still change. */
export const isUnderWay = ({ state }: Order): boolean =>
  ['RUNNING', 'AWAITING_APPROVAL', 'AWAITING_PAYMENT'].includes(state);

export interface FollowedOrder {
  /** The last known state; null before the first. */
  readonly order: Order | null;
  /** By position; empty until they are read. */
  readonly lines: readonly OrderLine[];
  readonly isMissing: boolean;
  /** Whether the connection is lost, so that `order` may be out of date. */
  readonly isLost: boolean;
}

const nothing: FollowedOrder = { order: null, lines: [], isMissing: false, isLost: false };

/** The lines, with those that changed in their places. */
function merged(lines: readonly OrderLine[], changed: readonly OrderLine[]): readonly OrderLine[] {
  const byPosition = new Map([...lines, ...changed].map((line) => [line.position, line]));
  return [...byPosition.values()].toSorted((one, other) => one.position - other.position);
}

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
      let isOpen = true;
      let isFirst = true;
      /** The lines that changed since the stream began. */
      let changed: readonly OrderLine[] = [];
      const readLines = async () => {
        const { data } = await client.query(linesDocument, { id }).toPromise();
        const lines = data?.order?.lines;
        if (!isOpen) return;
        if (lines) setFollowed((before) => ({ ...before, lines: merged(lines, changed) }));
        else followLater(reopenAfterMs);
      };
      const { unsubscribe } = client
        .subscription(progressDocument, { id })
        .subscribe(({ data, error, hasNext }) => {
          const update = data?.orderProgress;
          const order = update?.order;
          const isMissing = error !== undefined && codesOf(error).includes('NOT_FOUND');
          const isEnd = isMissing || (order !== undefined && !isUnderWay(order));
          const isReturning = order?.payment != null && !isZero(order.payment.refundDue);
          const isLost = !isEnd && (error !== undefined || !hasNext);
          const now = update?.changed ?? [];
          changed = merged(changed, now);
          setFollowed((before) => ({
            order: order ?? before.order,
            lines: merged(before.lines, now),
            ...{ isMissing, isLost },
          }));
          if (isEnd && isReturning) followLater(whileReturningMs);
          else if (isEnd) clearTimeout(timer);
          else followLater(isLost ? reopenAfterMs : longestSilenceMs);
          if (order && isFirst) void readLines();
          if (order) isFirst = false;
        });
      close = () => {
        isOpen = false;
        unsubscribe();
      };
    };
    follow();
    return () => {
      clearTimeout(timer);
      close();
    };
  }, [client, id]);

  return followed;
}
