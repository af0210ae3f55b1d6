import { useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { focusMain } from '../shared/focus-main.ts';
import { useStored } from '../shared/stored.ts';
import { cart, orderPlaced, orderRefused, type SentOrder, startOrder } from './cart.ts';
import type { Check } from './check.ts';
import { findOrder, type Outcome, sendOrder } from './send.ts';

const lookUpEveryMs = 1_000;

export interface Sending {
  /** Whether a request of this page is in progress. */
  readonly isSending: boolean;
  /** The sentence for the last request, when it failed. */
  readonly problem: string | null;
  /** Stores an order, then sends it. A second click finds nothing to order. */
  start(order: SentOrder): void;
  /** Sends the stored order again, with its key. */
  sendAgain(): void;
}

/** Sends an order, and looks it up every second while its response is missing, also after a reload. */
export function useSending(onRefused: (found: Partial<Check>) => void): Sending {
  const client = useClient();
  const { sent } = useStored(cart);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const key = sent?.input.idempotencyKey;
  const hash = useRef(location.hash);

  const conclude = (ofKey: string, outcome: Outcome) => {
    setProblem(outcome.kind === 'unknown' ? outcome.problem : null);
    if (outcome.kind === 'placed') {
      orderPlaced(ofKey, outcome.id);
      // Not when the shopper has opened another page.
      if (location.hash === hash.current) location.hash = `#/orders/${outcome.id}`;
    }
    if (outcome.kind === 'refused') {
      orderRefused(ofKey);
      onRefused(outcome.found);
    }
  };
  const concludeNow = useRef(conclude);
  concludeNow.current = conclude;

  const send = async (order: SentOrder) => {
    setSending(true);
    const outcome = await sendOrder(client, order);
    conclude(order.input.idempotencyKey, outcome);
    setSending(false);
  };

  useEffect(() => {
    if (key === undefined || isSending) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const lookUp = async () => {
      const outcome = await findOrder(client, key);
      if (isOver) return;
      concludeNow.current(key, outcome);
      timer = setTimeout(lookUp, lookUpEveryMs);
    };
    void lookUp();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, key, isSending]);

  return {
    isSending,
    problem,
    start(order) {
      if (!startOrder(order)) return;
      focusMain();
      void send(order);
    },
    sendAgain: () => sent && void send(sent),
  };
}
