import type { Client } from 'urql';
import { errorText, isRefusal } from '../graph/error-text.ts';
import type { SentOrder } from './cart.ts';
import { type Check, findingsOf } from './check.ts';
import { orderByKeyDocument, placeDocument } from './documents.ts';

/** The known outcome of a request that sends or finds an order. */
export type Outcome =
  | { readonly kind: 'placed'; readonly id: string }
  /** The gateway does not have it, and sent nothing to the registrar. */
  | { readonly kind: 'refused'; readonly found: Partial<Check> }
  /** It may exist. */
  | { readonly kind: 'unknown'; readonly problem: string | null };

/** Sends an order. May be called again at any time: the same key with the same input is the same order. */
export async function sendOrder(client: Client, order: SentOrder): Promise<Outcome> {
  const { input, lines } = order;
  const { data, error } = await client.mutation(placeDocument, { input }).toPromise();
  const payload = data?.placeOrder;
  if (payload?.order) return { kind: 'placed', id: payload.order.id };
  const isRefused = error
    ? isRefusal(error)
    : payload?.errors.every(({ executed }) => executed === 'NO');
  if (!isRefused) return { kind: 'unknown', problem: null };
  // An earlier request with this key may have placed it.
  const known = await findOrder(client, input.idempotencyKey);
  if (known.kind === 'placed' || known.problem !== null) return known;
  if (error) return { kind: 'refused', found: { problem: errorText(error) } };
  return {
    kind: 'refused',
    found: {
      ...(payload?.quote && findingsOf(lines, payload.quote)),
      errors: payload?.errors ?? [],
    },
  };
}

/** Looks an order up by its key. Sends no order. */
export async function findOrder(
  client: Client,
  key: string,
): Promise<Exclude<Outcome, { kind: 'refused' }>> {
  const { data, error } = await client.query(orderByKeyDocument, { key }).toPromise();
  if (data?.order) return { kind: 'placed', id: data.order.id };
  return { kind: 'unknown', problem: error ? errorText(error) : null };
}
