import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../../kernel/caller.ts';
import { invalidInput } from '../../../kernel/faults.ts';
import type { Clock } from '../../../lib/clock.ts';
import { fingerprint } from '../../../modules/purchase/idempotency.ts';

/** A price as clients send it. */
export interface Price {
  readonly amount: string;
  readonly currency: string;
}

/** A purchase that a quote is for. */
export interface QuotedPurchase {
  readonly kind: 'REGISTRATION' | 'TRANSFER';
  /** The input of the purchase as the client sent it, with its domain and period. */
  readonly input: object;
}

const validMs = 10 * 60_000;
/** Characters of a SHA-256 in base64url. */
const signatureLength = 43;

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
      const sent = typeof token === 'string' ? token : '';
      const text = sent.slice(0, -signatureLength - 1);
      const expected = Buffer.from(`${text}_${sign(caller, quoted, text)}`);
      const actual = Buffer.from(sent);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
        throw invalidInput(notValid);
      }
      // The signature proves that `make` wrote the text.
      const [, expiry, amount, currency] = text.split('_') as [string, string, string, string];
      if (clock.now().getTime() >= Number.parseInt(expiry, 36)) throw invalidInput(expired);
      return { maxPrice: { amount, currency }, key: `mcp-${hash('sha256', sent)}` };
    },
  };
}

const notValid =
  'This token is not valid for this caller and this input. Repeat the input of `quote_purchase` without a change, or call `quote_purchase` again.';
const expired =
  'This token has expired. If `buy` was called with it, `purchases` with the filter `domain` shows the outcome. Otherwise call `quote_purchase` again.';
