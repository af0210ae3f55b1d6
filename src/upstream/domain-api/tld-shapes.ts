import { z } from 'zod';
import { parseTld } from '../../kernel/domain-name.ts';
import type { Leaf } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import { anything, integer, leaf, map, readMoney, text, upstreamId } from '../wire.ts';

const priceOperations = [
  'REGISTRATION',
  'RENEW',
  'TRANSFER',
  'RESTORE',
  'BACKORDER',
  'REFUND',
  'OTHER',
] as const;

export type PriceOperation = (typeof priceOperations)[number];

export interface TldPrice {
  readonly operation: PriceOperation;
  /** The key as the service sends it, such as `registration` or `setup`. */
  readonly upstreamOperation: string;
  /** Years; the service also sends `"0"`. */
  readonly period: number;
  readonly price: Leaf<Money>;
}

const operationOf = (key: string): PriceOperation => {
  const name = key.toUpperCase();
  return priceOperations.find((operation) => operation === name) ?? 'OTHER';
};

/** Two maps, `{operation: {period: price}}` and `{operation: currency}`; either, and any part, may be absent or `[]`. */
function readPrices(
  pricing: Record<string, unknown>,
  currencies: Record<string, unknown>,
): readonly TldPrice[] {
  return Object.entries(pricing).flatMap(([key, periods]) =>
    Object.entries(map.safeParse(periods).data ?? {})
      .filter(([period, amount]) => /^\d{1,3}$/.test(period) && amount !== null)
      .map(([period, amount]) => ({
        operation: operationOf(key),
        upstreamOperation: key,
        period: Number(period),
        price: readMoney(amount, currencies[key], `the ${key} price`),
      })),
  );
}

export const tldEntry = z
  .object({
    id: leaf('id', upstreamId),
    status: leaf('status', text),
    tld: anything.transform((value) => (typeof value === 'string' ? parseTld(value) : null)),
    minchar: leaf('minchar', integer),
    maxchar: leaf('maxchar', integer),
    minperiod: leaf('minperiod', integer),
    maxperiod: leaf('maxperiod', integer),
    pricing: map.catch({}),
    currencies: map.catch({}),
  })
  .transform((wire) => ({
    upstreamId: wire.id,
    status: wire.status,
    /** ASCII, without a dot in front; null when the service sent no usable one. */
    name: wire.tld,
    minLength: wire.minchar,
    maxLength: wire.maxchar,
    minPeriod: wire.minperiod,
    maxPeriod: wire.maxperiod,
    prices: readPrices(wire.pricing, wire.currencies),
  }));

/** A TLD of the catalogue; `name` is known. */
export type TldDetails = Omit<z.output<typeof tldEntry>, 'name'> & { readonly name: string };
