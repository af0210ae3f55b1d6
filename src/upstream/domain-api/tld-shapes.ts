import { parseTld } from '../../kernel/domain-name.ts';
import type { Leaf } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import {
  integer,
  leaf,
  type Members,
  map,
  objectOf,
  readMoney,
  text,
  upstreamId,
} from '../wire.ts';

const priceOperations = [
  'REGISTRATION',
  'RENEWAL',
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

/** The upstream's key of a renewal is `renew`; every other operation has the name of its key. */
const operationOf = (key: string): PriceOperation => {
  const name = key.toUpperCase();
  if (name === 'RENEW') return 'RENEWAL';
  return priceOperations.find((operation) => operation === name) ?? 'OTHER';
};

/** Two maps, `{operation: {period: price}}` and `{operation: currency}`; either, and any part, may be absent or `[]`. */
function readPrices(pricing: Members, currencies: Members): readonly TldPrice[] {
  return Object.entries(pricing).flatMap(([key, periods]) =>
    Object.entries(map(periods) ?? {})
      .filter(([period, amount]) => /^\d{1,3}$/.test(period) && amount !== null)
      .map(([period, amount]) => ({
        operation: operationOf(key),
        upstreamOperation: key,
        period: Number(period),
        price: readMoney(amount, currencies[key], `the ${key} price`),
      })),
  );
}

const leaves = {
  upstreamId: leaf('id', upstreamId),
  status: leaf('status', text),
  minLength: leaf('minchar', integer),
  maxLength: leaf('maxchar', integer),
  minPeriod: leaf('minperiod', integer),
  maxPeriod: leaf('maxperiod', integer),
};

const readTld = (members: Members) => ({
  upstreamId: leaves.upstreamId(members.id),
  status: leaves.status(members.status),
  /** ASCII, without a dot in front; null when the service sent no usable one. */
  name: typeof members.tld === 'string' ? parseTld(members.tld) : null,
  minLength: leaves.minLength(members.minchar),
  maxLength: leaves.maxLength(members.maxchar),
  minPeriod: leaves.minPeriod(members.minperiod),
  maxPeriod: leaves.maxPeriod(members.maxperiod),
  prices: readPrices(map(members.pricing) ?? {}, map(members.currencies) ?? {}),
});

export const tldEntry = objectOf(readTld);

/** A TLD of the catalogue; `name` is known. */
export type TldDetails = Omit<ReturnType<typeof readTld>, 'name'> & { readonly name: string };
