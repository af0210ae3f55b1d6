import { Decimal } from '../../kernel/money.ts';
import type { Context } from './action.ts';
import type { Offer } from './names.ts';
import { Refusal } from './refusal.ts';

/**
 * Takes the price from the balance in the TLD's currency and writes the ledger. Call it inside a transaction.
 *
 * @throws Refusal 340 without a price, 350 when the balance does not cover it.
 */
export function pay(
  { service, reseller }: Context,
  { name, tld }: Offer,
  order: {
    readonly kind: 'register' | 'transfer';
    readonly period: number;
    readonly price: Decimal | null;
  },
): void {
  const { price, kind, period } = order;
  const { money } = service.store;
  const { currency } = tld;
  if (!price) throw new Refusal(340);
  const balance = money.balance(reseller.id, currency) ?? Decimal.zero;
  if (balance.compare(price) < 0) {
    throw new Refusal(350, `Balance ${balance} ${currency}; required ${price} ${currency}.`);
  }
  const atMs = service.clock.nowMs();
  money.book(reseller.id, { kind, domain: name, period, price, currency, atMs });
}
