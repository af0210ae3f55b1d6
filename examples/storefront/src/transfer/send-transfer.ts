import type { Client } from 'urql';
import { errorText, isRefusal, type Refusal } from '../graph/error-text.ts';
import { type TransferInput, transferByKeyDocument, transferDocument } from './documents.ts';

export type Outcome =
  | { readonly kind: 'placed' }
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
  input: TransferInput & { readonly idempotencyKey: string },
): Promise<Outcome> {
  const { data, error } = await client.mutation(transferDocument, { input }).toPromise();
  const payload = data?.transferDomain;
  // A purchase that failed has its own page too.
  if (payload?.purchase) return { kind: 'placed' };
  const isRefused = error
    ? isRefusal(error)
    : payload?.errors.every(({ executed }) => executed === 'NO');
  if (!isRefused) return { kind: 'unknown', problem: null };
  // An earlier request with this key may have placed it.
  const known = await findTransfer(client, input.idempotencyKey);
  if (known.kind === 'placed' || known.problem !== null) return known;
  const problem = error ? errorText(error) : null;
  return { kind: 'refused', errors: payload?.errors ?? [], problem };
}

/** Looks a transfer up by its key. Sends none. */
export async function findTransfer(
  client: Client,
  key: string,
): Promise<Exclude<Outcome, { kind: 'refused' }>> {
  const { data, error } = await client.query(transferByKeyDocument, { key }).toPromise();
  if (data?.purchase) return { kind: 'placed' };
  return { kind: 'unknown', problem: error ? errorText(error) : null };
}
