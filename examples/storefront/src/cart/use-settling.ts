import { useEffect } from 'react';
import { useClient } from 'urql';
import type { Line } from './cart.ts';
import { settledDocument } from './documents.ts';
import { find, isOrphan, recordPurchase } from './purchase.ts';

/** Delay after a broken stream before the purchase is read instead. */
const readAfterMs = 3_000;

/** Follows an open purchase to its outcome, and looks up one that was in progress when the page was reloaded. */
export function useSettling(line: Line): void {
  const { key, purchase } = line;
  const client = useClient();
  const isOpen = purchase?.state === 'PENDING' || purchase?.state === 'IN_PROGRESS';
  const openId = isOpen ? purchase.id : null;

  useEffect(() => {
    if (openId === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { unsubscribe } = client
      .subscription(settledDocument, { id: openId })
      .subscribe(({ data, error }) => {
        if (data) recordPurchase(key, data.purchaseSettled);
        if (error) timer = setTimeout(() => find(client, key), readAfterMs);
      });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [client, key, openId]);

  const orphan = isOrphan(line);
  useEffect(() => {
    if (orphan) void find(client, key);
  }, [client, key, orphan]);
}
