import type { Client } from 'urql';
import { findOrder, type Outcome as OrderOutcome, sendOrder } from '../cart/send.ts';
import { errorText, isRefusal, type Refusal } from '../graph/error-text.ts';
import { paymentTerms } from '../order/payment-terms.ts';
import { paysByCard } from '../session/session.ts';
import { transferAddress } from '../shared/route.ts';
import { transferByKeyDocument, transferDocument } from './documents.ts';
import type { SentTransfer } from './sent-transfer.ts';

export type Outcome =
  /** `address`: of the page that shows it. */
  | { readonly kind: 'placed'; readonly address: string }
  /** The gateway does not have it, and sent nothing to the registrar. */
  | {
      readonly kind: 'refused';
      readonly errors: readonly Refusal[];
      readonly problem: string | null;
    }
  /** It may exist. */
  | { readonly kind: 'unknown'; readonly problem: string | null };

/** Sends a transfer. May be called again at any time: the same key with the same input is the same transfer. */
export async function sendTransfer(
  client: Client,
  { key, ...sent }: SentTransfer,
  authCode: string,
): Promise<Outcome> {
  const transfer = { ...sent, authCode };
  if (paysByCard) {
    const input = { lines: [{ transfer }], idempotencyKey: key, ...paymentTerms };
    return ofOrder(await sendOrder(client, { input, lines: [] }));
  }
  const input = { ...transfer, idempotencyKey: key };
  const { data, error } = await client.mutation(transferDocument, { input }).toPromise();
  const payload = data?.transferDomain;
  // A purchase that failed has its own page too.
  if (payload?.purchase) return { kind: 'placed', address: transferAddress(key) };
  const isRefused = error
    ? isRefusal(error)
    : payload?.errors.every(({ executed }) => executed === 'NO');
  if (!isRefused) return { kind: 'unknown', problem: null };
  // An earlier request with this key may have placed it.
  const known = await findTransfer(client, key);
  if (known.kind === 'placed' || (known.kind === 'unknown' && known.problem !== null)) return known;
  const problem = error ? errorText(error) : null;
  return { kind: 'refused', errors: payload?.errors ?? [], problem };
}

/** Looks a transfer up by its key. Sends none. */
export async function findTransfer(client: Client, key: string): Promise<Outcome> {
  // A transfer that is paid is an order of one line, which has a purchase only after the payment.
  if (paysByCard) return ofOrder(await findOrder(client, key));
  const { data, error } = await client.query(transferByKeyDocument, { key }).toPromise();
  if (data?.purchase) return { kind: 'placed', address: transferAddress(key) };
  return { kind: 'unknown', problem: error ? errorText(error) : null };
}

function ofOrder(outcome: OrderOutcome): Outcome {
  if (outcome.kind === 'placed') return { kind: 'placed', address: `#/orders/${outcome.id}` };
  if (outcome.kind === 'unknown') return outcome;
  const { errors = [], problem = null } = outcome.found;
  return { kind: 'refused', errors, problem };
}
