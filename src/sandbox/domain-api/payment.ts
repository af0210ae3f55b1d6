import { Decimal } from '../../kernel/money.ts';
import { listedPrices, type PricedAction, type Tld } from '../service/catalogue.ts';
import type { Context } from './action.ts';
import type { Offer } from './names.ts';
import { Refusal } from './refusal.ts';

/**
 * The price of some years. A listed period costs its listed price. Any other costs the shortest listed period and renewals
 * for the other years, or, under a TLD that multiplies, a multiple of that period.
 *
 * `null` when the listed prices do not add up to the years.
 */
export function priceOf(tld: Tld, action: PricedAction, years: number): Decimal | null {
  const prices = listedPrices(tld, action);
  const listed = prices.get(years);
  const [first] = prices;
  if (listed || !first) return listed ?? null;
  const [period, price] = first;
  if (tld.multipliesFirstPeriod) return multiple(price, years / period);
  const renewals = renewalOf(tld, years - period);
  return renewals && price.plus(renewals);
}

function renewalOf(tld: Tld, years: number): Decimal | null {
  const renewals = listedPrices(tld, 'renew');
  const listed = renewals.get(years);
  const [first] = renewals;
  if (listed || !first) return listed ?? null;
  const [period, price] = first;
  return multiple(price, years / period);
}

const multiple = (price: Decimal, times: number): Decimal | null =>
  Number.isInteger(times) && times > 0 ? price.times(Decimal.parse(String(times))) : null;

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
