import { type DomainName, splitAtTld } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { type Money, money, type PriceOperation, priceOperations } from '../../kernel/money.ts';
import type { TldDetails, TldPrice } from '../../upstream/domain-api/tld-shapes.ts';

/** The prices of a TLD: the amount by operation, years and currency, such as `REGISTRATION 1 USD`. */
export type PriceState = Readonly<Record<string, string>>;

const prefix = 'price:';

export const subjectOfTld = (tld: string): string => `${prefix}${tld}`;

/** The TLD of a subject; null for a subject that is no price. */
export const tldOfSubject = (subject: string): string | null =>
  subject.startsWith(prefix) ? subject.slice(prefix.length) : null;

/** `OTHER` stands for several operations of the registrar. */
const operationOf = ({ operation, upstreamOperation }: TldPrice): string =>
  operation === 'OTHER' ? `OTHER:${upstreamOperation.replaceAll(/\s/g, '_')}` : operation;

/** The prices of a row, in the order of their keys. A price that cannot be read is as it was before. */
export function pricesOf({ prices }: Pick<TldDetails, 'prices'>, before: PriceState): PriceState {
  const found = new Map<string, string>();
  for (const one of prices) {
    const place = `${operationOf(one)} ${one.period} `;
    if (one.price instanceof Fault) {
      for (const [key, amount] of Object.entries(before)) {
        if (key.startsWith(place)) found.set(key, amount);
      }
      continue;
    }
    const key = `${place}${one.price.currency}`;
    if (!found.has(key)) found.set(key, String(one.price.amount));
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A price as the text of an event: `REGISTRATION 1 11.2900 USD`. */
export function priceText(key: string, amount: string): string {
  const currencyAt = key.lastIndexOf(' ') + 1;
  return `${key.slice(0, currencyAt)}${amount} ${key.slice(currencyAt)}`;
}

/** The operation, the years and the price in the text of an event; empty for any other text. */
export function priceOfText(text: string) {
  const [, operation, period, amount, currency] =
    /^([A-Z]+)(?::\S+)? (\d{1,4}) (\S+) (\S+)$/.exec(text) ?? [];
  const price = amount !== undefined && currency !== undefined && moneyOfText(amount, currency);
  return price && isOperation(operation) ? { operation, period: Number(period), money: price } : {};
}

/** The amount of an event; null for any other text. */
export const moneyOfText = (amount: string, currency: string): Money | null =>
  /^-?\d{1,40}(\.\d{1,40})?$/.test(amount) ? money(amount, currency) : null;

const isOperation = (text: string | undefined): text is PriceOperation =>
  priceOperations.some((operation) => operation === text);

/** The stored price of renewing a name for one year; null when there is none. */
export function storedRenewal(states: ReadonlyMap<string, string>, name: DomainName): Money | null {
  const parts = splitAtTld(name, (tld) => states.has(subjectOfTld(tld)));
  const stored = parts && states.get(subjectOfTld(parts.tld));
  const prices: PriceState = stored ? JSON.parse(stored) : {};
  const found = Object.entries(prices).find(([key]) => key.startsWith('RENEWAL 1 '));
  return found ? money(found[1], found[0].slice('RENEWAL 1 '.length)) : null;
}
