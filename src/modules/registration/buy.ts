import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { PurchaseKind } from '../../persistence/store.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Checks } from '../problems.ts';
import type { Quote } from '../quote/quote.ts';
import { answerPurchase, type PurchaseAnswer } from './answer.ts';
import { fingerprint } from './fingerprint.ts';
import {
  checkBalance,
  checkKey,
  checkPrice,
  type Guards,
  isClear,
  type Reads,
} from './order-checks.ts';
import type { Purchase, SendPurchase } from './purchase.ts';
import type { SpendCheck } from './spend-limits.ts';

/** What every purchase is asked with. */
export interface PurchaseInput extends Guards {
  /** Null, with the reason recorded, when the text of the input is not a name. */
  readonly domain: DomainName | null;
  /** Years to pay for. */
  readonly period: number;
}

export interface BuyDeps {
  readonly reads: Reads;
  readonly purchase: Purchase;
  readonly checkSpending: SpendCheck;
  /** The key of the request's header; null without one. */
  readonly idempotencyKey: string | null;
}

/** What one kind of purchase finds out by its own checks; null for what they leave open, with the reason on record. */
interface Examined {
  readonly tld: TldDetails | null;
  readonly quote: Quote | null;
  /** The one call that spends. */
  readonly send: SendPurchase | null;
}

/**
 * One purchase from its input to its payload. Every check that costs nothing comes before the claim, and all that fail
 * are reported at once: those of `checks`, of the key, of `examine`, and those of the price, the balance and the limits.
 *
 * The checks and the journal count the highest price of the quote, since the debit may be that high.
 */
export const buy = (
  { reads, purchase, checkSpending, idempotencyKey }: BuyDeps,
  kind: PurchaseKind,
  input: PurchaseInput,
  checks: Checks,
  examine: (domain: DomainName) => Promise<Examined>,
): Promise<PurchaseAnswer> =>
  answerPurchase({ kind, dryRun: input.dryRun }, async (reportQuote) => {
    const { idempotencyKey: _key, dryRun, ...asked } = input;
    const { domain, period } = input;
    const key = checkKey(checks, input, idempotencyKey);
    if (domain === null) throw checks.problems();
    const intent = { kind, domain, key, fingerprint: fingerprint(kind, asked) };
    const findEarlier = async () => (dryRun ? null : purchase.earlier(intent));
    const earlier = await findEarlier();
    if (earlier) return earlier;

    const examined = await examine(domain);
    reportQuote(examined.quote);
    const isPriced = isClear(checks, 'domain', 'period');
    const order = { domain, period, maxPrice: input.maxPrice };
    const price = isPriced ? checkPrice(checks, order, examined.quote) : null;
    const balanceAfter = await checkBalance(checks, reads, price);
    await checkSpending(checks, { tld: examined.tld?.name ?? null, period, price });
    // What stands in the way now may be this very purchase, sent twice and done meanwhile.
    const meanwhile = checks.faults.length > 0 ? await findEarlier() : null;
    if (meanwhile) return meanwhile;
    checks.finish();
    const { send } = examined;
    if (!send || !price) throw new Fault('PRICE_UNAVAILABLE');
    if (dryRun) return { balanceAfter };
    return {
      ...(await purchase.make({ ...intent, period, price, balanceAfter, send })),
      balanceAfter,
    };
  });
