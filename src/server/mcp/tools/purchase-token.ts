import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../../kernel/caller.ts';
import { invalidInput } from '../../../kernel/faults.ts';
import type { Clock } from '../../../lib/clock.ts';
import { fingerprint } from '../../../modules/registration/idempotency.ts';

/** A price as clients send it. */
export interface Price {
  readonly amount: string;
  readonly currency: string;
}

/** A purchase that a quote is for. */
export interface QuotedPurchase {
  readonly kind: 'REGISTER' | 'TRANSFER';
  /** The input of the purchase as the client sent it, with its domain and period. */
  readonly input: object;
}

const validMs = 10 * 60_000;
const form = /^q1_([0-9a-z]{1,11})_(\d{1,18}\.\d{1,12})_([A-Z]{3})_([\w-]{43})$/;

export type PurchaseTokens = ReturnType<typeof createPurchaseTokens>;

/**
 * Creates and verifies the tokens of quotes. A token is valid for one caller, input and highest price, and for ten minutes. The
 * idempotency key of its purchase is derived from it, so that it buys once.
 */
export function createPurchaseTokens(secret: string, clock: Pick<Clock, 'now'>) {
  const sign = ({ tenant, name }: Caller, { kind, input }: QuotedPurchase, text: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([tenant, name, fingerprint(kind, input), text]))
      .digest('base64url');
  return {
    make(caller: Caller, quoted: QuotedPurchase, { amount, currency }: Price) {
      const expiresAt = new Date(clock.now().getTime() + validMs);
      const text = `q1_${expiresAt.getTime().toString(36)}_${amount}_${currency}`;
      return { token: `${text}_${sign(caller, quoted, text)}`, expiresAt };
    },
    /** The highest price, and the idempotency key of the purchase. @throws Fault `INVALID_INPUT` for any other token. */
    verify(caller: Caller, quoted: QuotedPurchase, token: unknown) {
      const [, expiry = '', amount = '', currency = '', signature = ''] =
        form.exec(typeof token === 'string' ? token : '') ?? [];
      const expected = sign(caller, quoted, `q1_${expiry}_${amount}_${currency}`);
      if (signature === '' || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) {
        throw invalidInput(notValid, { path: ['token'] });
      }
      if (clock.now().getTime() >= Number.parseInt(expiry, 36)) {
        throw invalidInput(expired, { path: ['token'] });
      }
      return { maxPrice: { amount, currency }, key: `mcp-${hash('sha256', String(token))}` };
    },
  };
}

const notValid =
  'This token is not valid for this caller and this input. Repeat the input of `quote_purchase` without a change, or call `quote_purchase` again.';
const expired =
  'This token has expired. If `buy` was called with it, `purchases` with the filter `domain` shows the outcome. Otherwise call `quote_purchase` again.';
