import { useState } from 'react';
import { useClient } from 'urql';
import { quoteDocument } from '../cart/documents.ts';
import { errorText, type Refusal } from '../graph/error-text.ts';
import type { Money } from '../shared/money.ts';
import { sendTransfer } from './send-transfer.ts';
import { endTransfer, type SentTransfer, startTransfer } from './sent-transfer.ts';

/** What the form has. The auth code is in no other place of the browser. */
export interface Draft {
  readonly domain: string;
  readonly authCode: string;
  readonly period: number;
}

/** What the gateway found for one draft. */
interface Finding {
  readonly draft: Draft;
  readonly price: Money | null;
  readonly isEstimate: boolean;
  readonly errors: readonly Refusal[];
  readonly problem: string | null;
}

export interface TransferForm {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  /** Null before a check, and after a change of the draft. */
  readonly found: Finding | null;
  readonly isBusy: boolean;
  /** Requests the price, and whether the domain can be transferred. Buys nothing. */
  check(): Promise<void>;
  /** Transfers for at most the price that is shown. */
  transfer(): Promise<void>;
  /** Sends the stored transfer again, with its key. */
  sendAgain(sent: SentTransfer): Promise<void>;
}

/** Opens the page of a transfer that was placed. */
export const openTransfer = (key: string, address: string): void => {
  endTransfer(key);
  if (location.hash.split('?')[0] === '#/transfer') location.hash = address;
};

/** `domain`: the name that the form begins with. */
export function useTransfer(domain: string): TransferForm {
  const client = useClient();
  const [draft, setDraft] = useState<Draft>({ domain, authCode: '', period: 1 });
  const [found, setFound] = useState<Finding | null>(null);
  const [isBusy, setBusy] = useState(false);
  const none = { draft, price: null, isEstimate: false, errors: [], problem: null };

  const send = async (sent: SentTransfer) => {
    setBusy(true);
    const { authCode } = draft;
    const outcome = await sendTransfer(client, sent, authCode);
    setBusy(false);
    if (outcome.kind === 'placed') openTransfer(sent.key, outcome.address);
    if (outcome.kind !== 'refused') return;
    endTransfer(sent.key);
    const { errors, problem } = outcome;
    const { domain, period } = sent;
    const refused = { domain, period, authCode };
    setDraft(refused);
    setFound({ ...none, draft: refused, errors, problem });
  };

  return {
    draft,
    change: (change) => setDraft({ ...draft, ...change }),
    // The price of another draft is none.
    found: found?.draft === draft ? found : null,
    isBusy,
    async check() {
      if (isBusy) return;
      setBusy(true);
      const input = { lines: [{ transfer: draft }] };
      const { data, error } = await client.query(quoteDocument, { input }).toPromise();
      const line = data?.quoteOrder?.lines[0];
      setBusy(false);
      setFound({
        draft,
        price: line?.quote?.highest ?? null,
        isEstimate: line?.quote?.certainty === 'ESTIMATED',
        errors: [...(data?.quoteOrder?.errors ?? []), ...(line?.errors ?? [])],
        problem: error ? errorText(error) : null,
      });
    },
    async transfer() {
      const { domain, period } = draft;
      if (isBusy || found?.draft !== draft || !found.price) return;
      const sent = { key: crypto.randomUUID(), domain, period, maxPrice: found.price };
      if (startTransfer(sent)) await send(sent);
    },
    sendAgain: send,
  };
}
