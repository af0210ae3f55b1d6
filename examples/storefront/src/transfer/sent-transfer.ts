import { storageName } from '../session/session.ts';
import { createStored } from '../shared/stored.ts';

/** A transfer that was sent and has no response yet. The gateway may have it. */
export interface SentTransfer {
  /** Its idempotency key. A request with it may be sent again, and is the same transfer. */
  readonly key: string;
  readonly domain: string;
  readonly period: number;
  /** The price that was shown. */
  readonly maxPrice: { readonly amount: string; readonly currency: string };
}

/** Without the auth code, which no storage of the browser ever has. */
export const sentTransfer = createStored<SentTransfer | null>(
  localStorage,
  storageName('transfer'),
  null,
);

/** Stores a transfer before it is sent. Returns false when another one has no response yet. */
export function startTransfer(transfer: SentTransfer): boolean {
  let isStarted = false;
  sentTransfer.set((now) => {
    isStarted = now === null;
    return now ?? transfer;
  });
  return isStarted;
}

export const endTransfer = (key: string): void =>
  sentTransfer.set((now) => (now?.key === key ? null : now));
