import { parseTld } from '../../kernel/domain-name.ts';
import type { FieldResult } from '../../kernel/field-result.ts';
import type { Money } from '../../kernel/money.ts';
import {
  fieldsOf,
  integer,
  type Members,
  map,
  objectOf,
  readMoney,
  succeeded,
  text,
  upstreamId,
} from '../wire/read.ts';

/** By the key of the upstream, in lower case; any other key is `OTHER`. */
const priceOperations = {
  registration: 'REGISTRATION',
  renew: 'RENEWAL',
  renewal: 'RENEWAL',
  transfer: 'TRANSFER',
  restore: 'RESTORE',
  backorder: 'BACKORDER',
  refund: 'REFUND',
} as const;

export type PriceOperation = (typeof priceOperations)[keyof typeof priceOperations] | 'OTHER';

const operationByKey = new Map<string, PriceOperation>(Object.entries(priceOperations));

export interface TldPrice {
  readonly operation: PriceOperation;
  /** The key of the upstream, such as `registration` or `setup`. */
  readonly upstreamOperation: string;
  /** Years; the upstream also sends `"0"`. */
  readonly period: number;
  readonly price: FieldResult<Money>;
}

/** Two maps, `{operation: {period: price}}` and `{operation: currency}`; either, and any part, may be absent or `[]`. */
function readPrices(pricing: Members, currencies: Members): readonly TldPrice[] {
  const prices: TldPrice[] = [];
  for (const [key, periods] of Object.entries(pricing)) {
    const operation = operationByKey.get(key.toLowerCase()) ?? 'OTHER';
    const what = `the ${key} price`;
    for (const [period, amount] of Object.entries(map(periods) ?? {})) {
      if (amount === null || !/^\d{1,3}$/.test(period)) continue;
      const price = readMoney(amount, currencies[key], what);
      prices.push({ operation, upstreamOperation: key, period: Number(period), price });
    }
  }
  return prices;
}

const readFields = fieldsOf({
  upstreamId: { wire: 'id', read: upstreamId },
  status: { wire: 'status', read: text },
  minLength: { wire: 'minchar', read: integer },
  maxLength: { wire: 'maxchar', read: integer },
  minPeriod: { wire: 'minperiod', read: integer },
  maxPeriod: { wire: 'maxperiod', read: integer },
});

const readTld = (members: Members) => ({
  ...readFields(members),
  /** ASCII, without a leading dot; null when the reply has no valid TLD. */
  name: typeof members.tld === 'string' ? parseTld(members.tld) : null,
  prices: readPrices(map(members.pricing) ?? {}, map(members.currencies) ?? {}),
});

export const tldEntry = objectOf(readTld);

/** A TLD of the price list. */
export type TldDetails = Omit<ReturnType<typeof readTld>, 'name'> & { readonly name: string };

const isNamed = (row: ReturnType<typeof readTld>): row is TldDetails => row.name !== null;

/** `rowCount` includes the rows without a valid TLD. */
export const tldsReply = succeeded(({ data }) => {
  if (!Array.isArray(data)) return undefined;
  const rows = data.map(tldEntry).filter((row) => row !== undefined);
  return { tlds: rows.filter(isNamed), rowCount: data.length };
});
